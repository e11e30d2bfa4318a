import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: ProcessStarted, _ context: EventContext) {
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
    identities = IdentitiesSlice()
    if event.isExtension {
      // An extension is not the app: it answers no question and ends no wait of the app's.
      process.restart = pending.restart
      process.loginQuestion = pending.loginQuestion
    } else {
      policies.updateAll { $0.isEnforced = true }
      resumeWipes()
    }
    process.enforcedAccounts = policies.records.filter(\.isEnforced).map(\.account)
    // What an earlier process asked of the service and got no answer to is asked again.
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
    process.restart?.answer = event.answer
    process.restart?.due =
      event.answer == .postponed
      ? context.moment.wallNanoseconds.advancedClamping(by: RetrySchedule.minutes(event.postponedMinutes))
      : nil
  }

  mutating func fold(_ event: LaunchWarned, _ context: EventContext) {
    process.wasWarned = true
  }

  /// Ends the wait for a restart that this account's policy needed. One restart serves every first policy, so it stays
  /// while another account's policy waits for it, and becomes that account's.
  mutating func dropRestart(for account: AccountNumber) {
    guard let restart = process.restart, restart.account == account && restart.reason == .firstPolicy else { return }
    if let waiting = policies.records.first(where: { !$0.isEnforced }) {
      process.restart?.account = waiting.account
    } else {
      process.restart = nil
    }
  }
}
