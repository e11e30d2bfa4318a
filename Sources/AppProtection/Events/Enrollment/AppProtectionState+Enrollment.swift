import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: EnrollmentRequested, _ context: EventContext) {
    accounts.update(event.account) { account in
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

  mutating func fold(_ event: EnrollmentSucceeded, _ context: EventContext) {
    let removalCode = self.removalCode(afterCheckInOf: event.account)
    let due = due(at: event.nextCheckIn, for: event.account, context)
    accounts.update(event.account) { account in
      guard account.enrollment.enrollmentRequest != 0 else { return }
      account.enrollment.status = event.code == .noPolicyReceived ? .enrolledWithoutPolicy : .enrolledWithPolicy
      account.enrollment.enrollmentRequest = 0
      account.removalCode = removalCode
      account.enrollment.complete(event.code, nextCheckIn: due, context)
    }
    compliance.noteCheckIn(of: event.account)
  }

  mutating func fold(_ event: EnrollmentFailed, _ context: EventContext) {
    let due = due(at: event.nextRetry, for: event.account, context)
    accounts.update(event.account) { account in
      guard account.enrollment.status.isStaying else { return }
      if account.enrollment.status == .enrolling { account.enrollment.status = .registered }
      account.enrollment.enrollmentRequest = 0
      account.enrollment.fail(event.code, error: event.$error, nextRetry: due, backoffStep: event.backoffStep)
    }
  }

  mutating func fold(_ event: AccountSwitchAsked, _ context: EventContext) {
    guard accounts[event.existing] != nil else { return }
    accounts.update(event.account) { account in
      guard account.enrollment.status.isStaying else { return }
      account.enrollment.status = .registered
      account.enrollment.enrollmentRequest = 0
      account.enrollment.checkInRequest = 0
      account.enrollment.checkInDue = nil
      account.enrollment.retryDue = nil
      account.enrollment.switchQuestion = context.sequence
      account.enrollment.switchesFrom = event.existing
    }
  }

  mutating func fold(_ event: AccountSwitchAnswered, _ context: EventContext) {
    accounts.update(event.account) { account in
      guard account.enrollment.switchQuestion != 0 else { return }
      account.enrollment.switchQuestion = 0
      switch event.choice {
      case .switchAccounts: account.enrollment.lastCode = .switchExistingAccount
      case .keepExisting: account.enrollment.switchesFrom = nil
      // Only the other account blocks this one, so it is recorded until it has left.
      case .canceled: break
      }
    }
  }

  /// Ends every wait for an account that no longer blocks others, and the questions that concern it.
  mutating func closeQuestions(about existing: AccountNumber) {
    for account in accounts.records where account.enrollment.switchesFrom == existing {
      accounts.update(account.account) { account in
        account.enrollment.switchesFrom = nil
        account.enrollment.switchQuestion = 0
      }
    }
  }

  mutating func fold(_ event: EnrollmentRecordGone, _ context: EventContext) {
    accounts.update(event.account) { account in
      guard account.enrollment.status.isEnrolled else { return }
      account.enrollment.stopAsking()
      account.enrollment.status = .registered
      account.enrollment.lastCode = event.code
      account.enrollment.lastError = ""
      account.enrollment.recordLost = event.code == .policyRecordGone
    }
    configuration.accounts.remove(event.account)
    // After 220 the account is enrolled again, and the app is still to add it.
    if event.code == .reEnrollForUnenrolledUser { withdrawAddition(of: event.account) }
    endOverrides()
  }

  mutating func fold(_ event: EnrollmentLapsed, _ context: EventContext) {
    accounts.update(event.account) { account in
      guard account.enrollment.status.isEnrolled else { return }
      account.enrollment.checkInRequest = 0
      account.enrollment.checkInDue = nil
      account.enrollment.retryDue = nil
      account.enrollment.backoffStep = 0
    }
  }

  mutating func fold(_ event: LoginRequested, _ context: EventContext) {
    process.loginQuestion = context.sequence
  }

  mutating func fold(_ event: LoginAnswered, _ context: EventContext) {
    process.loginQuestion = 0
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
