import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: CheckInRequested, _ context: EventContext) {
    accounts.update(event.account) { account in
      guard account.enrollment.status.isEnrolled else { return }
      account.enrollment.checkInRequest = context.sequence
      account.enrollment.lastAttemptedCheckIn = context.moment.wallNanoseconds
      // Every answer sets the next due time.
      account.enrollment.checkInDue = nil
      account.enrollment.retryDue = nil
      account.enrollment.awaitsSignIn = false
    }
  }

  mutating func fold(_ event: CheckInUnchanged, _ context: EventContext) {
    guard accounts[event.account]?.enrollment.status.isEnrolled == true else { return }
    let removalCode = self.removalCode(afterCheckInOf: event.account)
    let due = due(at: event.nextCheckIn, for: event.account, context)
    accounts.update(event.account) { account in
      account.enrollment.checkInRequest = 0
      account.removalCode = removalCode
      account.enrollment.complete(event.code, nextCheckIn: due, context)
    }
    compliance.noteCheckIn(of: event.account)
  }

  mutating func fold(_ event: CheckInFailed, _ context: EventContext) {
    let due = due(at: event.nextRetry, for: event.account, context)
    accounts.update(event.account) { account in
      guard account.enrollment.status.isEnrolled else { return }
      account.enrollment.checkInRequest = 0
      account.enrollment.fail(event.code, error: event.$error, nextRetry: due, backoffStep: event.backoffStep)
    }
  }

  mutating func fold(_ event: UnenrollmentRequested, _ context: EventContext) {
    withdrawAddition(of: event.account)
    accounts.update(event.account) { account in
      guard account.enrollment.status.isStaying || account.enrollment.status == .unenrolling else { return }
      // A repeated unenrollment continues the sequence of pauses.
      let isRepetition = account.enrollment.status == .unenrolling
      let backoffStep = isRepetition ? account.enrollment.backoffStep : 0
      account.enrollment.status = .unenrolling
      account.enrollment.unenrollmentRequest = context.sequence
      account.enrollment.unenrollmentWipes = event.wipe
      account.enrollment.stopAsking()
      account.enrollment.backoffStep = backoffStep
    }
  }

  mutating func fold(_ event: UnenrollmentSucceeded, _ context: EventContext) {
    guard accounts[event.account]?.enrollment.status == .unenrolling else { return }
    remove(event.account, code: .unenrollmentSuccess)
    endOverrides()
  }

  mutating func fold(_ event: UnenrollmentFailed, _ context: EventContext) {
    let due = due(at: event.nextRetry, for: event.account, context)
    accounts.update(event.account) { account in
      guard account.enrollment.status == .unenrolling else { return }
      account.enrollment.fail(event.code, error: event.$error, nextRetry: due, backoffStep: event.backoffStep)
      account.lingersAtService = event.lingersAtService
    }
  }
}

extension Enrollment {
  /// Drops every request and due time except those for leaving: a leaving account is not enrolled again meanwhile.
  mutating func stopAsking() {
    enrollmentRequest = 0
    checkInRequest = 0
    switchQuestion = 0
    switchesFrom = nil
    checkInDue = nil
    retryDue = nil
    backoffStep = 0
    awaitsSignIn = false
  }
}
