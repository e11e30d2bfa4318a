import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: ProcessStarted, _ context: EventContext) {
    // A journal that begins without settings was written under the defaults of its program.
    if context.sequence == 1 && event.reducerRevision < 5 { settings.app = .blank }
    let pending = process
    process = ProcessSlice()
    process.launch = event.launch
    process.startedBy = context.sequence
    process.isRunning = true
    process.bootSession = event.bootSession
    process.appVersion = event.appVersion
    process.sdkVersion = event.sdkVersion
    process.osVersion = event.osVersion
    process.deviceModel = event.deviceModel
    process.isExtension = event.isExtension
    process.reducerRevision = event.reducerRevision
    process.utcOffset = event.utcOffset
    identities = IdentitiesSlice()
    if event.isExtension {
      // An extension is not the app: it answers none of the app's questions and ends none of its waits.
      process.restart = pending.restart
      process.loginQuestion = pending.loginQuestion
    } else {
      // Records that do not change stay shared with earlier states.
      for record in policies.records where !record.isEnforced {
        policies.update(record.account) { $0.isEnforced = true }
      }
      resumeWipes()
    }
    process.enforcedAccounts = policies.records.filter(\.isEnforced).map(\.account)
    // Repeats an earlier process's unanswered requests to the service.
    for account in accounts.records
    where account.enrollment.checkInRequest != 0 || account.enrollment.enrollmentRequest != 0 {
      accounts.update(account.account) { $0.enrollment.lastAttemptedCheckIn = context.moment.wallNanoseconds }
    }
  }

  mutating func fold(_ event: ProcessEnded, _ context: EventContext) {
    process.isRunning = false
  }

  mutating func fold(_ event: RestartRequired, _ context: EventContext) {
    guard process.restart == nil else { return }
    process.restart = PendingRestart(reason: event.reason, account: event.account, requestedBy: context.sequence)
  }

  mutating func fold(_ event: RestartAnswered, _ context: EventContext) {
    guard var restart = process.restart else { return }
    let pause = RetrySchedule.minutes(event.postponedMinutes)
    restart.answer = event.answer
    restart.dueTime =
      event.answer == .postponed
      ? due(at: context.moment.wallNanoseconds.advancedClamping(by: pause), after: pause, context) : nil
    process.restart = restart
  }

  mutating func fold(_ event: LaunchWarned, _ context: EventContext) {
    process.wasWarned = true
  }

  mutating func fold(_ event: ClockOffsetChanged, _ context: EventContext) {
    process.utcOffset = event.utcOffset
  }

  /// Ends the wait for a restart that this account's policy needed. One restart serves every first policy, so it passes
  /// to another account whose policy is waiting.
  mutating func dropRestart(for account: AccountNumber) {
    guard let restart = process.restart, restart.account == account && restart.reason == .firstPolicy else { return }
    if let waiting = policies.records.first(where: { !$0.isEnforced }) {
      process.restart?.account = waiting.account
    } else {
      process.restart = nil
    }
  }
}
