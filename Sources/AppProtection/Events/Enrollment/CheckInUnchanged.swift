import EventSourcing

/// `checkIn.unchanged`: the service says that nothing changed for the account.
public struct CheckInUnchanged: EventPayload {
  public var account: AccountNumber
  /// 101: the app already has the current policy; 103: the account still has none.
  public var code: EnrollmentStatusCode
  /// When the service is to be asked again.
  public var nextCheckIn: Int64?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .checkInUnchanged, "checkIn.unchanged", meaning: "The service says that nothing changed for the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, code: EnrollmentStatusCode(rawValue: 0)) }

  public func tell(in headline: Headline) {
    headline.add(code)
    headline.add(nextCheckIn: nextCheckIn)
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "code", &event.code, "101: the policy is the one the app has; 103: there still is none")
    try field(3, "nextCheckIn", &event.nextCheckIn, as: .time, "when the service is to be asked again")
  }
}
