import EventSourcing

extension AppProtectionMachine {
  /// What a developer should know about an event: a pure projection, like the callbacks.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - before: the state before the event.
  ///   - after: the state after it.
  public static func findings(
    for event: AppProtectionEvent, before: AppProtectionState, after: AppProtectionState
  ) -> [TraceFinding] {
    switch event {
    case .identitySwitchAnswered(let event):
      event.isAddIdentityResult ? [.wrongEnumeration(event.scope, readAs: event.result)] : []
    case .identitySwitched(let event): leaks(event, before)
    case .unenrollmentRequested(let event): lateFarewell(event, before)
    case .enrollmentFailed(let event): unknown(event.code, event.account)
    case .checkInFailed(let event): unknown(event.code, event.account)
    case .unenrollmentFailed(let event): unknown(event.code, event.account)
    case .signInsReported: missingRegistrations(before, stillMissingIn: after) + disallowed(after)
    case .allowedAccountsChanged: disallowed(after)
    // A process ended without registering an account it could have registered. A process that died leaves no event.
    case .processEnded: missingRegistrations(before, stillMissingIn: after)
    case .processStarted: before.process.isRunning ? missingRegistrations(before, stillMissingIn: before) : []
    case .tokenDenied(let event):
      (event.isPremature ? [.prematureToken(event.account)] : [])
        + (event.isLoop ? [.remediationLoop(event.account)] : [])
    case .remediationFinished(let event):
      (event.isLoop ? [.remediationLoop(event.account)] : []) + dataAtRisk(event, before)
    case .accountAdditionAnswered(let event): event.result == .failed ? [.accountNotAdded(event.account)] : []
    case .enrollmentConflictDetected(let event): [.sameName(event.account, existing: event.existing)]
    case .deviceConfigurationChanged(let event):
      event.deviceID != nil && !after.isManagedDevice ? [.deviceWithoutUser] : []
    case .accountIdentified(let event): renaming(event, before)
    case .restartRequired(let event): earlyRestart(event, before)
    case .launchEvaluated(let event): event.claimed.map { .answerNotShown(event.account, $0.rule) }
    default: []
    }
  }

  /// The app had removed the tokens before it deregistered the account. A repeated unenrollment does not show this: the
  /// guides tell the app to remove the tokens after its call.
  private static func lateFarewell(_ event: UnenrollmentRequested, _ before: AppProtectionState) -> [TraceFinding] {
    guard let account = before.accounts[event.account], account.tokensRemoved,
      account.enrollment.status != .unenrolling
    else { return [] }
    return [.deregisteredAfterTokenRemoval(event.account)]
  }

  /// An account that stays is not compliant, and its data may be on the device. The remediation of a leaving account
  /// ends too, but is not a finding.
  private static func dataAtRisk(_ event: RemediationFinished, _ before: AppProtectionState) -> [TraceFinding] {
    guard event.status == .notCompliant, let account = before.accounts[event.account],
      account.mayHaveOrganizationData, account.enrollment.status.isStaying
    else { return [] }
    return [.notCompliantWithData(event.account)]
  }

  private static func unknown(_ code: EnrollmentStatusCode, _ account: AccountNumber) -> [TraceFinding] {
    code.entry == nil ? [.unknownCode(account, code)] : []
  }

  /// An enrolled account's name changed from one known name to another. Whether a name is recorded shows without its key.
  private static func renaming(_ event: AccountIdentified, _ before: AppProtectionState) -> [TraceFinding] {
    guard let account = before.accounts[event.account], account.enrollment.status.isEnrolled,
      !account.$userPrincipalName.isAbsent, !event.$userPrincipalName.isAbsent
    else { return [] }
    return [.nameChanged(event.account)]
  }

  private static func earlyRestart(_ event: RestartRequired, _ before: AppProtectionState) -> [TraceFinding] {
    guard event.reason == .firstPolicy, let account = event.account,
      let enrollment = before.accounts[account]?.enrollment, enrollment.enrollmentRequest != 0
    else { return [] }
    return [.restartBeforeCallback(account)]
  }

  /// Registration follows the sign-in, so an account is not reported before (T39). An extension registers no accounts.
  private static func missingRegistrations(
    _ before: AppProtectionState, stillMissingIn after: AppProtectionState
  ) -> [TraceFinding] {
    guard !before.process.isExtension else { return [] }
    let missing = after.unregisteredSignIns
    return before.unregisteredSignIns.filter(missing.contains).map { .registrationMissing($0) }
  }

  private static func disallowed(_ state: AppProtectionState) -> [TraceFinding] {
    state.disallowedSignIns.map { .signInNotAllowed($0) }
  }

  /// A thread that goes straight from one account to another was not restored. The main thread is switched on purpose.
  private static func leaks(_ event: IdentitySwitched, _ before: AppProtectionState) -> [TraceFinding] {
    guard case .thread(let label) = event.scope, label != IdentityScope.mainThread,
      let account = before.identities[event.scope].account, let next = event.identity.account, account != next
    else { return [] }
    return [.threadIdentityNotRestored(thread: label, account, next: next)]
  }
}
