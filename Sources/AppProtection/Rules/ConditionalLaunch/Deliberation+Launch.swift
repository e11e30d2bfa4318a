import EventSourcing

extension Deliberation {
  // MARK: Facts

  mutating func reportDevice(_ facts: DeviceFacts) {
    guard facts != state.launch.device else { return }
    emit(.deviceReported(DeviceReported(facts: facts)))
  }

  mutating func reportUserStatus(
    _ reference: AccountReference, _ clockStatus: ClockStatus, isDisabled: Bool
  ) throws(AppProtectionRejection) {
    let known = try find(reference)
    let account = known.account
    // An answer that was pending when the account left does not apply to its next stay.
    try require(
      known.enrollment.status.isRegistered, or: .notRegistered(account), "\(account) is registered",
      reads: { state in [state.statusRead(account)] })
    let record = state.launch.accounts[account] ?? LaunchRecord(account: account)
    guard record.clockStatus != clockStatus || record.isDisabled != isDisabled else { return }
    emit(
      .userStatusReceived(UserStatusReceived(account: account, clockStatus: clockStatus, isDisabled: isDisabled)))
  }

  mutating func reportBiometricsChange() {
    guard state.launch.pin.setAt != nil && !state.launch.pin.biometricsChanged else { return }
    emit(.biometricsChanged(BiometricsChanged()))
  }

  // MARK: Evaluation

  mutating func evaluateLaunch(
    _ reference: AccountReference, _ trigger: LaunchTrigger
  ) throws(AppProtectionRejection) {
    let account = try find(reference).account
    if trigger == .resume, !isResumeChecked(account) { return }
    evaluateLaunch(of: account, trigger)
  }

  /// Whether a return to the foreground requires an evaluation: the recheck period is over, or the app is not open for
  /// the account.
  private mutating func isResumeChecked(_ account: AccountNumber) -> Bool {
    guard let policy = state.enforcedPolicy(for: .account(account)) else { return false }
    let record = state.launch.accounts[account]
    let evaluation = LaunchEvaluation(
      state: state, account: account, policy: policy, moment: moment, Explanation())
    let isDue = record?.outcome.isPassing != true || evaluation.isRecheckDue(record?.passedAt)
    return ask(
      "launch.resume", "the recheck period of \(account) is over, or the app is not open for it", isDue,
      reads: { state in
        state.settingRead(.periodOnlineBeforeAccessCheck, of: account)
          + [.init("/launch/accounts/\(account)/outcome", .name((record?.outcome ?? .allowed).name))]
      })
  }

  /// Evaluates an account's launch conditions, records the result and acts on it.
  ///
  /// - Parameters:
  ///   - isAnswered: whether the app says that the user has already answered the prompts. Its word counts for what
  ///     only the app sees (``LaunchOutcome/isAnsweredByWord``), and is recorded where no event shows the answer.
  ///   - followsCheckIn: whether a check-in has ended that the account's access depended on.
  ///   - scope: where the account's identity is to be set if the conditions allow it.
  /// - Returns: The outcome; `nil` while a silent check-in decides it.
  @discardableResult
  mutating func evaluateLaunch(
    of account: AccountNumber, _ trigger: LaunchTrigger, isAnswered: Bool = false, followsCheckIn: Bool = false,
    in scope: IdentityScope? = nil
  ) -> LaunchOutcome? {
    let moment = moment
    let decision = decided.reading {
      $0.launchDecision(for: account, at: moment, explanation: &explanation, comparing: true)
    }
    guard decision.rule != .unmanaged || followsCheckIn else { return .allowed }
    let claims = isAnswered ? decision.findings.filter { $0.outcome.severityRank == 2 } : []
    // Before revision 5, the app's word answered every question and was not recorded.
    let isTrusting = state.process.isRevision(before: 5)
    let findings = decision.findings.filter { finding in
      !claims.contains(finding) || !(isTrusting || finding.outcome.isAnsweredByWord)
    }
    let claimed = isTrusting ? [] : claims
    let first = findings.first ?? LaunchFinding(decision.rule == .unmanaged ? .unmanaged : .met, .allowed)
    // An account without findings or prompts leaves no trace in the journal.
    guard !findings.isEmpty || !claimed.isEmpty || followsCheckIn || reading({ $0.isOpeningNoted(for: account) }) else {
      return .allowed
    }
    let awaitsCheckIn = !followsCheckIn && first.rule == .offlineAccess && triesCheckIn(for: account)
    emit(
      .launchEvaluated(
        LaunchEvaluated(
          account: account, trigger: trigger, outcome: first.outcome, rule: first.rule,
          findings: findings, awaitsCheckIn: awaitsCheckIn, followsCheckIn: followsCheckIn,
          scope: awaitsCheckIn ? scope : nil, isAnswered: awaitsCheckIn && scope != nil && isAnswered,
          // What waits for a check-in is asked, and claimed, at its end.
          claimed: awaitsCheckIn ? [] : claimed)))
    if awaitsCheckIn {
      checkInForLaunch(account)
      return nil
    }
    // T33: an account that fails a condition whose action is to wipe leaves.
    if first.outcome == .wipe && first.rule != .pendingWipe { orderWipe(of: account, .conditionalLaunch, .engine) }
    return first.outcome
  }

  /// T20: evaluates the launch conditions of an account whose policy changed, if its data is on the screen and the
  /// outcome differs from the one under the earlier policy at the same moment. Time that merely passed is left to the
  /// next evaluation.
  mutating func reviewLaunch(of account: AccountNumber, after earlier: PolicyRecord?) {
    guard !state.process.isExtension && state.isOnScreen(account) else { return }
    var before = state
    if let earlier { before.policies.set(earlier) } else { before.policies.remove(account) }
    let (old, new) = (
      before.conditionalLaunch(for: account, at: moment), state.conditionalLaunch(for: account, at: moment)
    )
    let isChanged = ask(
      "T20", "the new policy of \(account) changes what its launch conditions come to",
      old.outcome != new.outcome || (!new.findings.isEmpty && old.rule != new.rule),
      reads: { state in [state.policyRead(account)] })
    if isChanged { _ = evaluateLaunch(of: account, .policyChange) }
  }

  /// Whether a silent check-in is tried before the user is blocked (SDK 17.7.0 and later).
  private mutating func triesCheckIn(for account: AccountNumber) -> Bool {
    ask(
      "launch.checkIn", "the SDK checks in before it blocks access, and \(account) is enrolled",
      !state.process.isSDK(before: SDKVersion(17, 7, 0))
        && state.accounts[account]?.enrollment.status.isEnrolled == true,
      reads: { state in state.sdkRead() + [state.statusRead(account)] })
  }

  /// Evaluates an account's launch conditions again where its access depended on the check-in that has ended: it
  /// completed, or it failed and the app has not been notified yet, or the account has lost its policy.
  ///
  /// - Parameter record: what was known before the service answered.
  mutating func reevaluateLaunch(of account: AccountNumber, after record: LaunchRecord?) {
    guard let record, record.isOutOfTouch, state.accounts[account]?.enrollment.status != .wiping,
      let settled = state.launch.accounts[account],
      record.awaitsCheckIn || !settled.isOutOfTouch || !state.isManaged(account)
    else { return }
    // Conditions that were evaluated and reported together with the answer are settled.
    let isSettled = settled.evaluatedBy != record.evaluatedBy && !settled.outcome.isPassing
    let found =
      isSettled
      ? settled.outcome
      : evaluateLaunch(of: account, record.trigger, isAnswered: record.isAnswered, followsCheckIn: true)
    for scope in record.waitingScopes { decideSwitch(scope, to: account, found ?? .block) }
  }

  /// Refuses the identities that wait for a check-in of an account that leaves.
  mutating func refuseWaitingIdentities(of account: AccountNumber) {
    for scope in state.launch.accounts[account]?.waitingScopes ?? [] { decideSwitch(scope, to: account, .block) }
  }

  private mutating func checkInForLaunch(_ account: AccountNumber) {
    guard let enrollment = state.accounts[account]?.enrollment, enrollment.status.isEnrolled,
      enrollment.checkInRequest == 0, enrollment.enrollmentRequest == 0
    else { return }
    emit(.checkInRequested(CheckInRequested(account: account, trigger: .retry)))
  }

  // MARK: Answers

  /// T31, and other waits that a sign-in ends: it must be with the account itself (S-77).
  mutating func signInForLaunch(
    _ reference: AccountReference, as other: AccountReference
  ) throws(AppProtectionRejection) {
    let account = try find(reference)
    let number = account.account
    let outcome = try prompt(of: number)
    try require(
      state.account(for: other)?.account == number, or: .otherAccount(number),
      "the user signed in with \(number)")
    emit(.launchSignedIn(LaunchSignedIn(account: number)))
    if outcome == .resetPIN { emit(.pinReset(PINReset(account: number))) }
    if outcome == .signInOrWipe { checkInForLaunch(number) }
  }

  /// The user does not answer: T32 if an offline wipe is due, otherwise the offer of the unmanaged identity to the
  /// windows that show the account's data (S-42).
  mutating func cancelLaunch(_ reference: AccountReference) throws(AppProtectionRejection) {
    let account = try find(reference).account
    _ = try prompt(of: account)
    let trigger = state.launch.accounts[account]?.trigger ?? .launch
    refuseLaunch(of: account)
    guard state.settings.app.multiIdentity, state.accounts[account]?.enrollment.status != .wiping else { return }
    let scopes = ([IdentityScope.ui] + state.identities.windows.map { .window($0.number) }).filter { scope in
      state.identities[scope] == .account(account)
        && !state.identities.requests.contains { $0.scope == scope && $0.identity == .unmanaged }
    }
    guard !scopes.isEmpty, endsOnScreen(after: trigger) else { return }
    for scope in scopes { requestSwitch(scope, .unmanaged, .cancelConditionalLaunch) }
  }

  /// Whether canceling what an evaluation asked takes the account's data off the screen: after a resume
  /// (H:PolicyDelegate), not for a switch that the app wanted, whose task it cancels (S004 Switch identities), and by
  /// an assumption after anything else.
  private mutating func endsOnScreen(after trigger: LaunchTrigger) -> Bool {
    switch trigger {
    case .resume: true
    case .identitySwitch: false
    case .launch, .pinAttempt, .policyChange: leavesScreen("no resume and no switch raised the conditions")
    }
  }

  /// Records that the user did not answer, and orders the wipe that this leads to.
  mutating func refuseLaunch(of account: AccountNumber) {
    guard let outcome = state.launch.accounts[account]?.outcome, outcome.isPrompt else { return }
    emit(.launchCanceled(LaunchCanceled(account: account)))
    if outcome == .signInOrWipe { orderWipe(of: account, .offlineInterval, .engine) }
  }

  /// T32: the check-in that was to prevent an offline wipe failed.
  mutating func wipeUnconfirmed(_ account: AccountNumber, wasAwaited: Bool) {
    guard wasAwaited, state.accounts[account]?.enrollment.status.isEnrolled == true,
      ask(
        "T32", "a check-in that fails counts as a refused one",
        state.settings.app.assumptions.failedCheckInEndsOfflineStay,
        reads: { state in
          state.assumptionRead(
            "failedCheckInEndsOfflineStay", state.settings.app.assumptions.failedCheckInEndsOfflineStay)
        })
    else { return }
    orderWipe(of: account, .offlineInterval, .engine)
  }

  /// Returns the question that the account's launch conditions ask the user; refused if they ask none.
  private mutating func prompt(of account: AccountNumber) throws(AppProtectionRejection) -> LaunchOutcome {
    let outcome = state.launch.accounts[account]?.outcome ?? .allowed
    try require(
      outcome.isPrompt, or: .nothingAsked(.launchCondition, account), "a launch condition asks something of \(account)",
      reads: { _ in [.init("/launch/accounts/\(account)/outcome", .name(outcome.name))] })
    return outcome
  }

  // MARK: The PIN

  mutating func setPIN(
    _ reference: AccountReference, _ facts: PINFacts, equalTo earlier: UInt32?
  ) throws(AppProtectionRejection) {
    let account = try find(reference).account
    try requirePINCounts()
    try requireProvedPIN()
    let refusal = state.enforcedPolicy(for: .account(account))?.access
      .refusals(of: facts, equalTo: earlier.map { Int(clamping: $0) }).first
    try require(
      refusal == nil, or: .pinRefused(refusal ?? .tooShort), "the policy of \(account) lets this PIN be chosen",
      reads: { state in refusal.map { state.settingRead($0.property, of: account) } ?? [] })
    emit(.pinSet(PINSet(facts: facts)))
  }

  mutating func reportPINAttempt(
    _ reference: AccountReference, isRight: Bool, byBiometrics: Bool
  ) throws(AppProtectionRejection) {
    let account = try find(reference).account
    try require(
      state.launch.pin.setAt != nil, or: .nothingAsked(.launchCondition, account), "a PIN was chosen",
      reads: { _ in [.init("/launch/pin/setAt", .unset)] })
    try requirePINCounts()
    if isRight {
      if byBiometrics { try requireBiometricsCount(for: account) }
      emit(.pinVerified(PINVerified(account: account, byBiometrics: byBiometrics)))
      return
    }
    // Failed biometrics lead to the PIN and do not count as an attempt.
    guard !byBiometrics else { return }
    emit(.pinFailed(PINFailed(account: account)))
    let decision = state.conditionalLaunch(for: account, at: moment)
    if decision.findings.contains(where: { $0.rule == .pinAttempts }) { evaluateLaunch(of: account, .pinAttempt) }
  }

  /// After a wrong PIN, the user must enter the right one before choosing another: a new PIN does not undo failed
  /// attempts.
  private mutating func requireProvedPIN() throws(AppProtectionRejection) {
    let pin = state.launch.pin
    let isCurrent = pin.generation == PINRecord.Generation(sdkVersion: state.process.sdkVersion)
    try require(
      pin.failures == 0 || !isCurrent, or: .pinNotProved, "the PIN was right when it was last given",
      reads: { _ in
        [.init("/launch/pin/failures", .integer(Int64(pin.failures)))]
      })
  }

  /// Biometrics count only in place of a PIN for which the account's policy would accept them.
  private mutating func requireBiometricsCount(for account: AccountNumber) throws(AppProtectionRejection) {
    guard let policy = state.enforcedPolicy(for: .account(account)), policy.access.pinRequired == true else { return }
    let evaluation = LaunchEvaluation(
      state: state, account: account, policy: policy, moment: moment, Explanation())
    try require(
      evaluation.areBiometricsEnough, or: .biometricsRefused(account),
      "biometrics may take the place of the PIN for \(account)",
      reads: { state in
        [PolicyProperty.fingerprintBlocked, .faceIdBlocked, .pinRequiredInsteadOfBiometricTimeout]
          .flatMap { state.settingRead($0, of: account) }
          + [
            .init("/launch/device/biometry", .name(state.launch.device.biometry.name)),
            .init("/launch/pin/biometricsChanged", .bool(state.launch.pin.biometricsChanged)),
          ]
      })
  }

  /// After too many wrong PINs, the app accepts neither the right PIN nor a new one until the user has signed in.
  private mutating func requirePINCounts() throws(AppProtectionRejection) {
    let failures = state.launch.pin.failures
    let isExceeded = state.policies.records.contains { record in
      state.conditionalLaunch(for: record.account, at: moment).findings.contains { $0.rule == .pinAttempts }
    }
    try require(
      !isExceeded, or: .pinExceeded, "the PIN was wrong less often than the policy accepts",
      reads: { _ in [.init("/launch/pin/failures", .integer(Int64(failures)))] })
  }
}

extension AppProtectionState {
  /// Whether the journal records that the app opens for an account: it was closed before, or the user proves who they are.
  fileprivate func isOpeningNoted(for account: AccountNumber) -> Bool {
    let wasClosed = launch.accounts.read(account) { !$0.outcome.isPassing }
    let asksForAccess = policies.read(account) { record in
      record.document.access.pinRequired == true || record.document.access.organizationalCredentialsRequired == true
    }
    return wasClosed == true || asksForAccess == true
  }
}
