import EventSourcing

/// `checkIn.requested`: the engine must ask the service for the account's policy.
public struct CheckInRequested: EventPayload {
  public var account: AccountNumber
  /// What triggered the check-in.
  public var trigger = CheckInTrigger.schedule

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(50, "checkIn.requested", meaning: "The service is to be asked for the account's policy.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(trigger)
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "trigger", &event.trigger, "what the check-in comes from")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { account in
      guard account.enrollment.status.isEnrolled else { return }
      account.enrollment.checkInRequest = context.sequence
      account.enrollment.lastAttemptedCheckIn = context.moment.wallNanoseconds
      // Every answer sets the next due time.
      account.enrollment.checkInDue = nil
      account.enrollment.retryDue = nil
      account.enrollment.awaitsSignIn = false
    }
  }
}

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
      51, "checkIn.unchanged", meaning: "The service says that nothing changed for the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, code: EnrollmentStatusCode(rawValue: 0)) }

  public func describe(in headline: Headline) {
    headline.add(code)
    headline.add(nextCheckIn: nextCheckIn)
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "code", &event.code, "101: the policy is the one the app has; 103: there still is none")
    try field(3, "nextCheckIn", &event.nextCheckIn, as: .time, "when the service is to be asked again")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts[event.account]?.enrollment.status.isEnrolled == true else { return }
    let removalCode = state.removalCode(afterCheckInOf: event.account)
    let due = state.due(at: event.nextCheckIn, for: event.account, context)
    state.accounts.update(event.account) { account in
      account.enrollment.checkInRequest = 0
      account.removalCode = removalCode
      account.enrollment.complete(event.code, nextCheckIn: due, context)
    }
    state.compliance.resetLoopDetection(of: event.account)
  }
}

/// `checkIn.failed`: asking the service for policy failed; offline intervals keep running.
public struct CheckInFailed: PersonalEventPayload {
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
      52, "checkIn.failed",
      meaning: "The service could not be asked for policy; offline intervals keep running.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, code: EnrollmentStatusCode(rawValue: 0)) }

  public func describe(in headline: Headline) {
    headline.add(code, said: $error, nextRetry: nextRetry)
    headline.cover(below: "/accounts/")
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

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    let due = state.due(at: event.nextRetry, for: event.account, context)
    state.accounts.update(event.account) { account in
      guard account.enrollment.status.isEnrolled else { return }
      account.enrollment.checkInRequest = 0
      account.enrollment.fail(event.code, error: event.$error, nextRetry: due, backoffStep: event.backoffStep)
    }
  }
}
