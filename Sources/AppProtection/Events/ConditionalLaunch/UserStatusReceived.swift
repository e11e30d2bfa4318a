import EventSourcing

/// `userStatus.received`: the service reported whether the account is disabled, and whether its user is at work.
public struct UserStatusReceived: EventPayload {
  public var account: AccountNumber
  /// Whether its user is at work.
  public var clockStatus = ClockStatus.notConfigured
  /// Whether it is disabled or deleted.
  public var isDisabled = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .userStatusReceived, "userStatus.received",
      meaning: "The service said whether the account is disabled, and whether its user is at work.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(clockStatus)
    headline.add(isDisabled ? ", disabled" : ", not disabled")
    headline.tell(below: "/launch/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "clockStatus", &event.clockStatus, "whether its user is at work")
    try field(3, "isDisabled", &event.isDisabled, "whether it is disabled or deleted")
  }
}
