import EventSourcing

extension AppProtectionMachine {
  /// What a developer should know of an event: a pure projection, as the callbacks are.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - before: the state into which it was folded.
  ///   - after: the state after it.
  public static func findings(
    for event: AppProtectionEvent, before: AppProtectionState, after: AppProtectionState
  ) -> [TraceFinding] {
    switch event {
    case .identitySwitchAnswered(let event) where event.isAddIdentityResult:
      [.wrongEnumeration(event.scope, readAs: event.result)]
    case .identitySwitched(let event): leaks(event, before)
    case .unenrollmentRequested(let event) where before.accounts[event.account]?.tokensRemoved == true:
      [.deregisteredAfterTokenRemoval(event.account)]
    case .enrollmentFailed(let event): unknown(event.code, event.account)
    case .checkInFailed(let event): unknown(event.code, event.account)
    case .unenrollmentFailed(let event): unknown(event.code, event.account)
    case .signInsReported: missingRegistrations(before, stillMissingIn: after) + disallowed(after)
    case .allowedAccountsChanged: disallowed(after)
    // A process that could have registered an account, and has not when it is over. One that died said nothing.
    case .processEnded: missingRegistrations(before, stillMissingIn: after)
    case .processStarted where before.process.isRunning: missingRegistrations(before, stillMissingIn: before)
    case .tokenDenied(let event):
      (event.isPremature ? [.prematureToken(event.account)] : [])
        + (event.isLoop ? [.remediationLoop(event.account)] : [])
    case .remediationFinished(let event):
      (event.isLoop ? [.remediationLoop(event.account)] : [])
        + (event.status == .notCompliant && after.accounts[event.account]?.mayHaveOrganizationData == true
          ? [.notCompliantWithData(event.account)] : [])
    case .accountAdditionAnswered(let event) where event.result == .failed: [.accountNotAdded(event.account)]
    case .enrollmentConflictDetected(let event): [.sameName(event.account, existing: event.existing)]
    case .deviceConfigurationChanged(let event) where event.deviceID != nil && !after.isManagedDevice:
      [.deviceWithoutUser]
    case .accountIdentified(let event): renaming(event, before)
    case .restartRequired(let event): earlyRestart(event, before)
    default: []
    }
  }

  /// What a developer should know of events that were decided together.
  public static func findings(for events: [AppProtectionEvent], from state: AppProtectionState) -> [TraceFinding] {
    var state = state
    return events.flatMap { event in
      let before = state
      // No finding looks at times or positions.
      reduce(into: &state, event, EventContext(sequence: .max, moment: Moment(wallNanoseconds: 0)))
      return findings(for: event, before: before, after: state)
    }
  }

  private static func unknown(_ code: EnrollmentStatusCode, _ account: AccountNumber) -> [TraceFinding] {
    code.entry == nil ? [.unknownCode(account, code)] : []
  }

  /// The name of an enrolled account became another one, and not merely known.
  private static func renaming(_ event: AccountIdentified, _ before: AppProtectionState) -> [TraceFinding] {
    guard let account = before.accounts[event.account], account.enrollment.status.isEnrolled,
      account.userPrincipalName != nil, event.userPrincipalName != nil
    else { return [] }
    return [.nameChanged(event.account)]
  }

  private static func earlyRestart(_ event: RestartRequired, _ before: AppProtectionState) -> [TraceFinding] {
    guard event.reason == .firstPolicy, let account = event.account,
      let enrollment = before.accounts[account]?.enrollment, enrollment.enrollmentRequest != 0
    else { return [] }
    return [.restartBeforeCallback(account)]
  }

  /// Registration follows the sign-in, so that an account is not missed before (T39). An extension registers none.
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

  /// A thread that goes from one account to another at once was not given back. The main thread is switched on purpose.
  private static func leaks(_ event: IdentitySwitched, _ before: AppProtectionState) -> [TraceFinding] {
    guard case .thread(let label) = event.scope, label != IdentityScope.mainThread,
      let account = before.identities[event.scope].account, let next = event.identity.account, account != next
    else { return [] }
    return [.threadIdentityNotRestored(thread: label, account, next: next)]
  }
}
