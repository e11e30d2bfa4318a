import EventSourcing

/// `enrollment.conflictDetected`: the account has a managed account's user principal name but a different object id.
public struct EnrollmentConflictDetected: EventPayload {
  public var account: AccountNumber
  /// The managed account of the same name.
  public var existing: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .enrollmentConflictDetected, "enrollment.conflictDetected", unknownReaders: .ignorable,
      meaning: "The account has the user principal name of a managed account and another object id.",
      remedy: "The name was given to another user: reset the device account (Authenticator) or reinstall the app.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, existing: .first) }

  public func tell(in headline: Headline) {
    headline.add("has the name of ")
    headline.add([existing])
    headline.add(" and another object id")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "existing", &event.existing, required: true, "the managed account of the same name")
  }
}
