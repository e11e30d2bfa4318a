import EventSourcing

/// `account.removalRequired`: the app must remove the account: the service or the user refused it.
public struct AccountRemovalRequired: EventPayload {
  public var account: AccountNumber
  /// The code of the reason.
  public var code: EnrollmentStatusCode

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .accountRemovalRequired, "account.removalRequired",
      meaning: "The app must remove the account: the service or the user refused it.",
      remedy: "Remove the account from the app. Enrollment is not tried again.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, code: EnrollmentStatusCode(rawValue: 0)) }

  public func tell(in headline: Headline) {
    headline.add("the app must remove it: ")
    headline.add(code)
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "code", &event.code, "the code that says why")
  }
}
