import EventSourcing

/// `enrollment.requested`: the engine must ask the service to enroll the account.
public struct EnrollmentRequested: EventPayload {
  public var account: AccountNumber
  /// What triggered the enrollment.
  public var trigger = EnrollmentTrigger.registration

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      40, "enrollment.requested", meaning: "The service is to be asked to enroll the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(trigger)
    headline.addChange(of: "status", before: ": ")
    _ = headline.change(of: "trigger")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "trigger", &event.trigger, "what the enrollment comes from")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { account in
      guard account.enrollment.status.isStaying else { return }
      // An enrolled account that only registers again keeps its protection meanwhile.
      if !account.enrollment.status.isEnrolled { account.enrollment.status = .enrolling }
      account.enrollment.trigger = event.trigger
      account.enrollment.enrollmentRequest = context.sequence
      account.enrollment.lastAttemptedCheckIn = context.moment.wallNanoseconds
      account.enrollment.retryDue = nil
      account.enrollment.awaitsSignIn = false
      account.enrollment.switchQuestion = 0
      account.enrollment.switchesFrom = nil
    }
  }
}

/// `enrollment.succeeded`: the service enrolled the account.
public struct EnrollmentSucceeded: EventPayload {
  public var account: AccountNumber
  /// 100 with a policy, 103 without.
  public var code: EnrollmentStatusCode
  /// When the next check-in is due.
  public var nextCheckIn: Int64?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(41, "enrollment.succeeded", meaning: "The service enrolled the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, code: EnrollmentStatusCode(rawValue: 0)) }

  public func describe(in headline: Headline) {
    headline.add(code)
    headline.addChange(of: "status", before: ", ")
    headline.add(nextCheckIn: nextCheckIn)
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "code", &event.code, "100 with a policy, 103 without")
    try field(3, "nextCheckIn", &event.nextCheckIn, as: .time, "when the service is to be asked for policy again")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    let removalCode = state.removalCode(afterCheckInOf: event.account)
    let due = state.due(at: event.nextCheckIn, for: event.account, context)
    state.accounts.update(event.account) { account in
      guard account.enrollment.enrollmentRequest != 0 else { return }
      account.enrollment.status = event.code == .noPolicyReceived ? .enrolledWithoutPolicy : .enrolledWithPolicy
      account.enrollment.enrollmentRequest = 0
      account.removalCode = removalCode
      account.enrollment.complete(event.code, nextCheckIn: due, context)
    }
    state.compliance.resetLoopDetection(of: event.account)
  }
}

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
      42, "enrollment.failed",
      meaning: "The account could not be enrolled; the app works on with the account unmanaged.",
      remedy: "See the code: some failures need a sign-in, a license or an administrator, others pass by themselves.")
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
      guard account.enrollment.status.isStaying else { return }
      if account.enrollment.status == .enrolling { account.enrollment.status = .registered }
      account.enrollment.enrollmentRequest = 0
      account.enrollment.fail(event.code, error: event.$error, nextRetry: due, backoffStep: event.backoffStep)
    }
  }
}

/// `enrollment.recordGone`: the service no longer has a record of the account, so the account is unenrolled; after 220
/// it is enrolled again, after 221 it is not.
public struct EnrollmentRecordGone: EventPayload {
  public var account: AccountNumber
  /// 220 if the account is enrolled again, 221 if the service would refuse it.
  public var code = EnrollmentStatusCode.policyRecordGone

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      46, "enrollment.recordGone",
      meaning: "The service has no record of the account any more; it is unenrolled, and after 220 enrolled again.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(code)
    headline.addChange(of: "status", before: ", ")
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    // Written even when 0, because a missing field does not mean 0.
    try field(
      2, "code", &event.code, always: true,
      "220 where the account is enrolled again, 221 where the service would refuse that")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { account in
      guard account.enrollment.status.isEnrolled else { return }
      account.enrollment.stopAsking()
      account.enrollment.status = .registered
      account.enrollment.lastCode = event.code
      account.enrollment.lastError = ""
      account.enrollment.recordLost = event.code == .policyRecordGone
    }
    state.configuration.accounts.remove(event.account)
    // After 220 the account is enrolled again, and the app is still to add it.
    if event.code == .reEnrollForUnenrolledUser { state.withdrawAddition(of: event.account) }
    state.endOverrides()
  }
}

/// `enrollment.lapsed`: the account was silent for so long that the service may have dropped it; it is registered
/// again.
public struct EnrollmentLapsed: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      47, "enrollment.lapsed",
      meaning: "The account was silent for so long that the service may have dropped it; it is registered anew.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("silent for too long")
    headline.addChange(of: "status", before: ", ")
    headline.cover(below: "/accounts/")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { account in
      guard account.enrollment.status.isEnrolled else { return }
      account.enrollment.checkInRequest = 0
      account.enrollment.checkInDue = nil
      account.enrollment.retryDue = nil
      account.enrollment.backoffStep = 0
    }
  }
}

extension AppProtectionState {
  /// Ends every wait for an account that no longer blocks others, and the questions that concern it.
  mutating func closeQuestions(about existing: AccountNumber) {
    for account in accounts.records where account.enrollment.switchesFrom == existing {
      accounts.update(account.account) { account in
        account.enrollment.switchesFrom = nil
        account.enrollment.switchQuestion = 0
      }
    }
  }
}

extension EnrollmentStatus {
  /// Whether the account is registered and not leaving.
  package var isStaying: Bool {
    switch self {
    case .registered, .enrolling, .enrolledWithoutPolicy, .enrolledWithPolicy: true
    case .unknown, .unenrolling, .wiping, .removed: false
    }
  }
}

extension Enrollment {
  /// Records an answer of the service.
  mutating func complete(_ code: EnrollmentStatusCode, nextCheckIn due: DueTime?, _ context: EventContext) {
    lastCode = code
    lastError = ""
    lastCompletedCheckIn = context.moment.wallNanoseconds
    checkInDue = due
    retryDue = nil
    backoffStep = 0
    awaitsSignIn = false
    recordLost = false
  }

  /// Records that the service did not answer, or refused.
  mutating func fail(
    _ code: EnrollmentStatusCode, error: Personal<String>, nextRetry due: DueTime?, backoffStep step: UInt32
  ) {
    lastCode = code
    $lastError = error
    retryDue = due
    backoffStep = step
    awaitsSignIn = code.repetition == .afterSignIn
    if code == .reEnrollForUnenrolledUser { recordLost = false }
  }
}
