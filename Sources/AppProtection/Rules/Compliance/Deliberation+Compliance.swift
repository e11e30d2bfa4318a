import EventSourcing

extension Deliberation {
  /// Asks for a remediation of an account. One remediation runs at a time; others wait in the order of the calls. A
  /// call for an account whose remediation is under way or queued is refused, so that the caller can log it; the SDK
  /// drops the call. Remediation also registers and enrolls the account, which makes both calls unnecessary.
  mutating func remediateCompliance(
    _ reference: AccountReference?, isSilent: Bool
  ) throws(AppProtectionRejection) {
    try requireApp()
    let account = try resolve(reference)
    try requireAllowed(account)
    try requireStaying(account)
    let queue = state.compliance.queue
    try require(
      !queue.contains(account), or: .remediationInProgress(account), "\(account) is not being remediated yet",
      reads: { _ in [.init("/compliance/queue", queue.isEmpty ? .unset : .list(queue.map { .name($0.description) }))] })
    if state.accounts[account]?.enrollment.status.isRegistered != true { try register(account) }
    emit(.remediationRequested(RemediationRequested(account: account, isSilent: isSilent)))
    if state.accounts[account]?.enrollment.status == .registered { requestEnrollment(of: account, .remediation) }
    if state.compliance.active == account {
      emit(.remediationStarted(RemediationStarted(account: account)))
    } else {
      emit(.remediationQueued(RemediationQueued(account: account)))
    }
  }

  mutating func answerRemediation(
    _ reference: AccountReference, _ status: ComplianceStatus, message: String, title: String, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    let account = try find(reference).account
    try require(
      state.compliance.active == account, or: .nothingAsked(.remediation, account), "\(account) is being remediated",
      reads: { state in [.init("/compliance/queue", .list(state.compliance.queue.map { .name($0.description) }))] })
    let asked = state.compliance.accounts[account]?.requestedBy ?? 0
    try requireCurrent(intent, asked: asked, .remediation, of: account)
    try require(
      state.isReadyToRemediate(account), or: .notReady(account), "\(account)'s enrollment and restart have ended",
      reads: { state in
        let enrollment = state.accounts[account]?.enrollment.enrollmentRequest ?? 0
        return [.init("/accounts/\(account)/enrollment/enrollmentRequest", .pending(enrollment))]
      })
    // A demand for interaction is answered once, with interaction; a second one indicates a loop.
    let demands = state.compliance.accounts[account]?.interactionDemands ?? 0
    finishRemediation(of: account, status, message, title, isLoop: status == .interactionRequired && demands > 0)
  }

  /// The app was notified of how a remediation ended.
  mutating func confirmRemediation(
    _ reference: AccountReference, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    let account = try find(reference).account
    let outcome = state.compliance.untold.first { $0.account == account }
    try require(
      outcome != nil, or: .nothingAsked(.remediationNotice, account),
      "the app is to be notified of how \(account)'s remediation ended",
      reads: { _ in [.init("/compliance/untold/\(account)/finishedBy", .unset)] })
    try requireCurrent(intent, asked: outcome?.finishedBy ?? 0, .remediationNotice, of: account)
    emit(.remediationTold(RemediationTold(account: account)))
  }

  /// Ends a leaving account's remediation, whether under way or queued.
  mutating func endRemediation(of account: AccountNumber) {
    guard state.compliance.isInProgress(account) else { return }
    finishRemediation(of: account, .notCompliant, "", "", isLoop: false)
  }

  /// Ends the queued remediations if they do not survive a restart: the app tries again later.
  mutating func dropQueuedRemediations() {
    guard !state.settings.app.assumptions.queuedRemediationSurvivesRestart else { return }
    for account in state.compliance.queue.dropFirst() {
      finishRemediation(of: account, .serviceFailure, "", "", isLoop: false)
    }
  }

  private mutating func finishRemediation(
    of account: AccountNumber, _ status: ComplianceStatus, _ message: String, _ title: String, isLoop: Bool
  ) {
    let wasActive = state.compliance.active == account
    emit(
      .remediationFinished(
        RemediationFinished(
          account: account, status: status, message: message, title: title, isLoop: isLoop, awaitsNotice: true)))
    if wasActive, let next = state.compliance.active {
      emit(.remediationStarted(RemediationStarted(account: next)))
    }
  }

  mutating func denyToken(_ reference: AccountReference, error: Int64) throws(AppProtectionRejection) {
    let account = try resolve(reference)
    let record = state.compliance.accounts[account]
    let isProtectionError = error == TokenDenied.protectionRequired
    // Three cycles of refusal, remediation and compliance without a check-in in between are a loop.
    let isLoop = ask(
      "compliance.loop", "a third refusal follows a compliant remediation without a check-in between",
      isProtectionError && record?.status == .compliant && (record?.refusalsAfterCompliance ?? 0) >= 2,
      reads: { _ in
        [
          .init(
            "/compliance/\(account)/refusalsAfterCompliance",
            .integer(Int64(record?.refusalsAfterCompliance ?? 0)))
        ]
      })
    emit(
      .tokenDenied(
        TokenDenied(
          account: account, error: error, isLoop: isLoop,
          isPremature: state.compliance.isInProgress(account))))
  }
}

extension AppProtectionState {
  /// A remediation waits for the account's own enrollment, and for a restart that this enrollment asked for.
  func isReadyToRemediate(_ account: AccountNumber) -> Bool {
    accounts[account]?.enrollment.enrollmentRequest == 0 && process.restart?.account != account
  }
}
