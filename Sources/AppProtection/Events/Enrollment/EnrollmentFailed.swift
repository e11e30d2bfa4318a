import EventSourcing

/// `enrollment.failed`: the account could not be enrolled; the app continues with the account unmanaged.
public struct EnrollmentFailed: PersonalEventPayload {
  public var account: AccountNumber
  /// The reason as a number.
  public var code: EnrollmentStatusCode
  /// The error text from the service or the token library, if any.
  @Personal public var error = ""
  /// When the request is repeated; absent if it is not.
  public var nextRetry: Int64?
  /// How many consecutive pauses network failures have caused.
  public var backoffStep: UInt32 = 0

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .enrollmentFailed, "enrollment.failed",
      meaning: "The account could not be enrolled; the app works on with the account unmanaged.",
      remedy: "See the code: some failures need a sign-in, a license or an administrator, others pass by themselves.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, code: EnrollmentStatusCode(rawValue: 0)) }

  public func tell(in headline: Headline) {
    headline.add(code, said: $error, nextRetry: nextRetry)
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
  }
}
