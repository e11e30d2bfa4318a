import EventSourcing

extension Deliberation {
  mutating func setIdentity(
    _ scope: IdentityScope, _ target: TargetIdentity, outcome: SwitchIdentityResult?
  ) throws(AppProtectionRejection) {
    try requireValid(scope)
    let identity = try resolve(target)
    if let refusal = refusal(of: identity, in: scope) {
      refuse(scope, identity, .notAllowed, refusal)
      return
    }
    guard meetsLaunchConditions(identity, in: scope, outcome) else { return }
    guard state.identities[scope] != identity else { return }
    emit(.identitySwitched(IdentitySwitched(scope: scope, identity: identity)))
  }

  /// Whether the launch conditions of a managed account let the user interface become its own. Those of a thread or of the
  /// process do not count (S-82).
  ///
  /// What is asked of the user leaves the identity as it is: the app gives the answers and sets the identity again. What waits for
  /// a check-in that is tried in silence is settled at its end.
  private mutating func meetsLaunchConditions(
    _ identity: Identity, in scope: IdentityScope, _ outcome: SwitchIdentityResult?
  ) -> Bool {
    guard scope.level == .ui || scope.level == .window, let account = identity.account, state.isManaged(account)
    else { return true }
    if let outcome, outcome != .success {
      if outcome == .canceled { refuseLaunch(of: account) }
      refuseForLaunch(scope, identity, outcome)
      return false
    }
    let isAnswered = outcome == .success
    guard let found = evaluateLaunch(of: account, .identitySwitch, isAnswered: isAnswered, in: scope) else {
      return false
    }
    if !found.isPassing && !found.isPrompt { refuseForLaunch(scope, identity, .canceled) }
    return found.isPassing
  }

  /// Sets an identity that waited for a check-in, or refuses it, as the launch conditions have it by now. What they ask of the
  /// user leaves the identity as it is.
  mutating func settleSwitch(_ scope: IdentityScope, to account: AccountNumber, _ found: LaunchOutcome) {
    let identity = Identity.account(account)
    if let refusal = refusal(of: identity, in: scope) {
      refuse(scope, identity, .notAllowed, refusal)
    } else if found.isPassing {
      guard state.identities[scope] != identity else { return }
      emit(.identitySwitched(IdentitySwitched(scope: scope, identity: identity)))
    } else if !found.isPrompt {
      refuseForLaunch(scope, identity, .canceled)
    }
  }

  private mutating func refuseForLaunch(
    _ scope: IdentityScope, _ identity: Identity, _ result: SwitchIdentityResult
  ) {
    refuse(scope, identity, result, .conditionalLaunch)
    // Whoever cannot or will not meet a launch condition is offered the way out of the managed identity, where the app has
    // one.
    if result == .canceled && state.settings.app.multiIdentity && state.identities[scope] != .unmanaged {
      requestSwitch(scope, .unmanaged, .cancelConditionalLaunch)
    }
  }

  /// Why an identity cannot be set; `nil` when it can.
  private mutating func refusal(of identity: Identity, in scope: IdentityScope) -> SwitchRefusalReason? {
    let decision = state.identitySwitchDecision(identity, in: scope)
    explanation.evaluate(
      decision.rule, decision.reason, decision.isAllowed, reads: state.identityReads(identity, in: scope),
      decides: !decision.isAllowed)
    return decision.refusal
  }

  private mutating func requireValid(_ scope: IdentityScope) throws(AppProtectionRejection) {
    try require(scope.isValid, or: .invalidScope, "a thread's label is usable")
  }

  private mutating func resolve(_ target: TargetIdentity) throws(AppProtectionRejection) -> Identity {
    switch target {
    case .unset: .unset
    case .unmanaged: .unmanaged
    case .account(let reference): .account(try resolve(reference))
    }
  }

  private mutating func refuse(
    _ scope: IdentityScope, _ identity: Identity, _ result: SwitchIdentityResult, _ reason: SwitchRefusalReason
  ) {
    emit(
      .identitySwitchRefused(
        IdentitySwitchRefused(scope: scope, identity: identity, result: result, reason: reason)))
  }

  /// Asks the delegate for a switch that the rules allow; refuses another as the app's own is refused.
  mutating func requestSwitch(
    _ scope: IdentityScope, _ identity: Identity, _ reason: IdentitySwitchReason
  ) {
    if let refusal = refusal(of: identity, in: scope) {
      refuse(scope, identity, .notAllowed, refusal)
      return
    }
    emit(
      .identitySwitchRequested(IdentitySwitchRequested(scope: scope, identity: identity, reason: reason)))
  }

  mutating func requestIdentitySwitch(
    _ scope: IdentityScope, _ target: TargetIdentity, _ reason: IdentitySwitchReason
  ) throws(AppProtectionRejection) {
    try requireValid(scope)
    let identity = try resolve(target)
    // The delegate is not asked for what is so already, nor twice for the same.
    guard state.identities[scope] != identity,
      !state.identities.requests.contains(where: { $0.scope == scope && $0.identity == identity })
    else { return }
    requestSwitch(scope, identity, reason)
  }

  mutating func answerIdentitySwitch(
    _ scope: IdentityScope, _ result: SwitchIdentityResult, isAddIdentityResult: Bool
  ) throws(AppProtectionRejection) {
    guard let request = state.identities.requests.first(where: { $0.scope == scope }) else {
      try require(
        false, or: .nothingAsked(.identitySwitch, nil), "the delegate was asked to switch \(scope)",
        reads: { _ in [.init("/identities/requests", .unset)] })
      return
    }
    let identity = request.identity
    emit(
      .identitySwitchAnswered(
        IdentitySwitchAnswered(
          scope: scope, identity: identity, result: result, isAddIdentityResult: isAddIdentityResult)))
    if result == .success {
      // What the rules allowed when the delegate was asked, they may refuse when it answers. That the delegate is ready
      // does not answer what a launch condition asks of the user.
      if let refusal = refusal(of: identity, in: scope) {
        refuse(scope, identity, .notAllowed, refusal)
      } else if meetsLaunchConditions(identity, in: scope, nil), state.identities[scope] != identity {
        emit(.identitySwitched(IdentitySwitched(scope: scope, identity: identity, origin: .engine)))
      }
    } else {
      refuse(scope, identity, result, .delegate)
    }
  }

  mutating func closeScope(_ scope: IdentityScope) throws(AppProtectionRejection) {
    try requireValid(scope)
    guard state.identities[scope] != .unset || state.identities.requests.contains(where: { $0.scope == scope })
    else { return }
    emit(.identityScopeClosed(IdentityScopeClosed(scope: scope)))
  }
}
