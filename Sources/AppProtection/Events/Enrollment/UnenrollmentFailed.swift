import EventSourcing

/// `unenrollment.failed`: the service could not be notified that the account leaves.
public struct UnenrollmentFailed: PersonalEventPayload {
  public var account: AccountNumber
  /// The reason as a number.
  public var code: EnrollmentStatusCode
  /// The error text from the service or the token library, if any.
  @Personal public var error = ""
  /// When the request is repeated; absent if it is not.
  public var nextRetry: Int64?
  /// How many consecutive pauses network failures have caused.
  public var backoffStep: UInt32 = 0
  /// Whether the account leaves anyway, and the service still counts it as enrolled.
  public var lingersAtService = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .unenrollmentFailed, "unenrollment.failed", meaning: "The service could not be told that the account leaves.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, code: EnrollmentStatusCode(rawValue: 0)) }

  public func tell(in headline: Headline) {
    headline.add(code, said: $error, nextRetry: nextRetry)
    if lingersAtService { headline.add("; it leaves, but the service still counts it as enrolled") }
    headline.tell(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "code", &event.code, "the reason as a number")
    try field(
      3, "error", &event.$error, privacy: .account,
      "what the service or the token library said, where it said something")
    try field(4, "nextRetry", &event.nextRetry, as: .time, "when it is tried again; absent when it is not")
    try field(5, "backoffStep", &event.backoffStep, "how many pauses in a row have been taken because of the network")
    try field(
      6, "lingersAtService", &event.lingersAtService,
      "whether the account leaves all the same, and the service still counts it as enrolled")
  }
}
