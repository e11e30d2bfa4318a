import EventSourcing

/// `enrollment.succeeded`: the service enrolled the account.
public struct EnrollmentSucceeded: EventPayload {
  public var account: AccountNumber
  /// 100 with a policy, 103 without.
  public var code: EnrollmentStatusCode
  /// When the next check-in is due.
  public var nextCheckIn: Int64?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.enrollmentSucceeded, "enrollment.succeeded", meaning: "The service enrolled the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, code: EnrollmentStatusCode(rawValue: 0)) }

  public func tell(in headline: Headline) {
    headline.add(code)
    headline.addChange(of: "status", before: ", ")
    headline.add(nextCheckIn: nextCheckIn)
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "code", &event.code, "100 with a policy, 103 without")
    try field(3, "nextCheckIn", &event.nextCheckIn, as: .time, "when the service is to be asked for policy again")
  }
}
