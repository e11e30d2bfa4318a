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

  /// Whether a managed account's launch conditions let the user interface take its identity. They do not apply to a
  /// thread or the process (S-82).
  ///
  /// A question to the user leaves the identity unchanged: the app answers it and sets the identity again. A switch
  /// that waits for a silent check-in is settled when the check-in ends.
  private mutating func meetsLaunchConditions(
    _ identity: Identity, in scope: IdentityScope, _ outcome: SwitchIdentityResult?
  ) -> Bool {
    guard scope.level == .ui || scope.level == .window, let account = identity.account,
      reading({ $0.isManaged(account) })
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

  /// Sets or refuses an identity that waited for a check-in, by the launch conditions as they now stand. A question to
  /// the user leaves the identity unchanged.
  mutating func decideSwitch(_ scope: IdentityScope, to account: AccountNumber, _ found: LaunchOutcome) {
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

  /// A switch that launch conditions prevent changes nothing: the app cancels its task (S004 Switch identities). Where
  /// the scope has the identity already, its conditions were asked again, and no switch is canceled.
  private mutating func refuseForLaunch(
    _ scope: IdentityScope, _ identity: Identity, _ result: SwitchIdentityResult
  ) {
    refuse(scope, identity, result, .conditionalLaunch)
    guard result == .canceled, state.settings.app.multiIdentity, state.identities[scope] == identity,
      leavesScreen("the scope has the identity already")
    else { return }
    requestSwitch(scope, .unmanaged, .cancelConditionalLaunch)
  }

  /// Whether an account whose conditions the user does not meet leaves the screen where no source says so.
  mutating func leavesScreen(_ situation: String) -> Bool {
    let choice = state.settings.app.assumptions.unmetConditionsLeaveScreen
    return ask(
      "identity.leavesScreen", "\(situation), and the app is then asked to go to the unmanaged identity", choice,
      reads: { state in state.assumptionRead("unmetConditionsLeaveScreen", choice) })
  }

  /// Why an identity cannot be set; `nil` when it can.
  private mutating func refusal(of identity: Identity, in scope: IdentityScope) -> SwitchRefusalReason? {
    let decision = reading { $0.identitySwitchDecision(identity, in: scope) }
    explanation.evaluate(
      decision.rule, decision.reason, decision.isAllowed, reads: decided.state.identityReads(identity, in: scope),
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

  /// Asks the delegate for a switch that the rules allow; refuses any other, as it would the app's own.
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
    // The delegate is not asked for the current identity, nor twice for the same switch.
    guard state.identities[scope] != identity,
      !state.identities.requests.contains(where: { $0.scope == scope && $0.identity == identity })
    else { return }
    requestSwitch(scope, identity, reason)
  }

  mutating func answerIdentitySwitch(
    _ scope: IdentityScope, _ result: SwitchIdentityResult, isAddIdentityResult: Bool, _ intent: UInt64?
  ) throws(AppProtectionRejection) {
    guard let request = state.identities.requests.first(where: { $0.scope == scope }) else {
      try require(
        false, or: .nothingAsked(.identitySwitch, nil), "the delegate was asked to switch \(scope)",
        reads: { _ in [.init("/identities/requests", .unset)] })
      return
    }
    // The delegate consented to one identity, not to another that the scope was asked to take meanwhile.
    try requireCurrent(intent, asked: request.requestedBy, .identitySwitch)
    let identity = request.identity
    emit(
      .identitySwitchAnswered(
        IdentitySwitchAnswered(
          scope: scope, identity: identity, result: result, isAddIdentityResult: isAddIdentityResult)))
    if result == .success {
      // The rules may by now refuse what they allowed when the delegate was asked. The delegate's consent does not
      // answer a launch condition's question to the user.
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
