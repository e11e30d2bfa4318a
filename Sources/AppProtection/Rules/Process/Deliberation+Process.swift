import EventSourcing

extension Deliberation {
  mutating func startProcess(_ start: ProcessStart, settings: AppSettings?) {
    if let settings { changeSettings(settings) }
    emit(
      .processStarted(
        ProcessStarted(
          launch: state.process.launch &+ 1, bootSession: start.bootSession, appVersion: start.appVersion,
          sdkVersion: start.sdkVersion, osVersion: start.osVersion, deviceModel: start.deviceModel,
          isExtension: start.isExtension, reducerRevision: AppProtectionState.revision,
          utcOffset: start.utcOffset)))
    if let device = start.device { reportDevice(device) }
    followEnrolledAccount()
    if start.isExtension { return }
    dropQueuedRemediations()
    for account in state.accounts.records { renewIfLapsed(account) }
    enrollAutomatically()
    // A multi-identity app has no identity set at launch, so no launch conditions apply (S-32).
    if let account = state.identities.process.account { evaluateLaunch(of: account, .launch) }
  }

  /// Records another offset of the local time. No rule depends on it: readers show local times by it.
  mutating func noteUTCOffset(_ offset: Int64) {
    guard state.process.utcOffset != offset else { return }
    emit(.clockOffsetChanged(ClockOffsetChanged(utcOffset: offset)))
  }

  /// T34: the service may have dropped an account after 90 days of silence, so the account registers again. Its policy
  /// and protection stay until the service answers. The silence is measured like offline intervals, so setting the
  /// device's clock back does not affect it.
  private mutating func renewIfLapsed(_ account: Account) {
    let enrollment = account.enrollment
    // An account that the app must remove is skipped (T10).
    guard enrollment.status.isEnrolled, enrollment.enrollmentRequest == 0, account.removalCode == nil,
      let last = state.launch.accounts[account.account]?.checkedInAt
    else { return }
    let elapsed = state.launch.clock.elapsed(at: moment)
    guard
      ask(
        "T34", "\(account.account) was silent for 90 days",
        elapsed.distanceClamping(from: last) >= schedule.lapse,
        reads: { state in
          [
            .init("/launch/accounts/\(account.account)/checkedInAt", .duration(last)),
            .init("/launch/clock/elapsed", .duration(state.launch.clock.elapsed)),
          ]
        })
    else { return }
    emit(.enrollmentLapsed(EnrollmentLapsed(account: account.account)))
    requestEnrollment(of: account.account, .lapse)
  }

  /// T17: an app with `AutoEnrollOnLaunch` silently enrolls the accounts it knows; if it knows none and requires a
  /// policy, it asks the user.
  private mutating func enrollAutomatically() {
    let settings = state.settings.app
    let isEnrolled = state.accounts.records.contains { $0.enrollment.status.isEnrolled }
    guard
      ask(
        "T17", "the app enrolls at launch and no account is enrolled", settings.autoEnrollOnLaunch && !isEnrolled,
        reads: { _ in [.init("/settings/autoEnrollOnLaunch", .bool(settings.autoEnrollOnLaunch))] })
    else { return }
    let user = state.settings.deviceAccount.flatMap { state.accounts[$0] }
    let candidate =
      user
      ?? state.accounts.records.first { account in
        account.enrollment.status == .registered && account.removalCode == nil
          && state.settings.allows(account.account)
      }
    guard let candidate, state.settings.allows(candidate.account), candidate.enrollment.status != .wiping,
      candidate.enrollment.status != .unenrolling
    else {
      askForLoginIfRequired()
      return
    }
    if !candidate.enrollment.status.isRegistered {
      emit(.accountRegistered(AccountRegistered(account: candidate.account)))
    }
    requestEnrollment(of: candidate.account, .automatic)
  }

  /// Asks who signs in if the app cannot be used without a policy (`MAMPolicyRequired`).
  mutating func askForLoginIfRequired() {
    guard state.settings.app.policyRequired && state.process.loginQuestion == 0 else { return }
    emit(.loginRequested(LoginRequested()))
  }

  /// Asks for a restart; a pending one covers every reason.
  mutating func requireRestart(_ reason: RestartReason, _ account: AccountNumber?) {
    guard state.process.restart == nil else { return }
    emit(.restartRequired(RestartRequired(reason: reason, account: account)))
  }

  mutating func answerRestart(
    _ answer: RestartAnswer, postponedMinutes: UInt32, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    try require(
      state.process.restart != nil, or: .nothingAsked(.restart, nil), "a restart is required",
      reads: { state in [.init("/process/restart/requestedBy", .pending(state.process.restart?.requestedBy ?? 0))] })
    try requireCurrent(intent, asked: state.process.restart?.requestedBy ?? 0, .restart)
    // A restart is postponed by a day at most.
    let minutes = answer == .postponed ? min(postponedMinutes, RetrySchedule.longestPostponementMinutes) : 0
    emit(.restartAnswered(RestartAnswered(answer: answer, postponedMinutes: minutes)))
  }

  mutating func acknowledgeMissingPolicy() {
    guard state.launchGate == .warned else { return }
    emit(.launchWarned(LaunchWarned()))
  }
}
