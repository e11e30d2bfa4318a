import EventSourcing

/// `enrollment.switchAsked`: a second account asks to be managed while only one may be; the user chooses which to keep.
public struct AccountSwitchAsked: EventPayload {
  /// The account that asks to be managed.
  public var account: AccountNumber
  /// The account that is managed.
  public var existing: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .accountSwitchAsked, "enrollment.switchAsked",
      meaning: "A second managed account wants in while only one is allowed: the user is asked which to keep.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, existing: .first) }

  public func tell(in headline: Headline) {
    headline.add("the user is asked: keep ")
    headline.add([existing])
    headline.add(" or switch to ")
    headline.add([account])
    headline.addChange(of: "status", before: ", ")
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account that wants in")
    try field(2, "existing", &event.existing, required: true, "the account that is managed")
  }
}
