import AppProtection

extension PolicyManager {
  /// Sets the identity of a window, and has the user answer what the account's launch conditions ask
  /// (`setUIPolicyAccountId:forWindow:completionHandler:`).
  ///
  /// The ``PresentationDelegate`` puts the questions. Where a condition needs a check-in, that is made first.
  ///
  /// - Parameters:
  ///   - target: An account; `unmanaged` for the user's own data; `unset` to let the process decide again.
  ///   - window: The window's number; `nil` for the default window.
  /// - Returns: How it ended. `canceled` also if the delegate leaves a question open.
  /// - Throws: ``EngineError``, other than for a refused switch, of which the result tells.
  public func switchUIIdentity(
    to target: TargetIdentity, window: UInt32? = nil
  ) async throws(EngineError) -> SwitchIdentityResult {
    var refusal: String?
    while true {
      if let result = try await setUIIdentity(target, window: window) { return result }
      guard case .account(let account) = target, let number = engine.state.account(for: account)?.account else {
        return .failed
      }
      if let result = try await resultAfterCheckIn(number, window) { return result }
      switch try await answer(number, refusal) {
      case .taken: refusal = nil
      case .refused(let explanation): refusal = explanation
      case .none:
        return try await setUIIdentity(account, window: window, outcome: .canceled) ?? .canceled
      }
    }
  }

  /// Sets the identity of a window to an account, and has the user answer what its launch conditions ask.
  public func switchUIIdentity(
    to account: AccountReference, window: UInt32? = nil
  ) async throws(EngineError) -> SwitchIdentityResult {
    try await switchUIIdentity(to: .account(account), window: window)
  }

  /// Has the user answer what an account's launch conditions ask, for an app of one identity at its launch, and evaluates them
  /// again.
  ///
  /// - Returns: What they come to; ``/AppProtection/LaunchOutcome/isPassing`` says whether the app may be used. A question that
  ///   was left open is still one.
  public func answerLaunchConditions(of account: AccountReference) async throws(EngineError) -> LaunchOutcome {
    var refusal: String?
    while let number = engine.state.account(for: account)?.account {
      let outcome = engine.launchDecision(for: number).outcome
      // The question of the last evaluation is open until the conditions are evaluated again.
      try await engine.send(.evaluateLaunch(account, .launch))
      guard outcome.isPrompt else { return outcome }
      switch try await answer(number, refusal) {
      case .taken: refusal = nil
      case .refused(let explanation): refusal = explanation
      case .none:
        try await engine.send(.cancelLaunch(account))
        return outcome
      }
      try await engine.runPastSpool()
    }
    return .allowed
  }

  private enum Answer {
    case taken
    case refused(String)
    case none
  }

  /// Puts an account's question to the user, and records the answer.
  private func answer(_ number: AccountNumber, _ refusal: String?) async throws(EngineError) -> Answer {
    let account = AccountReference(number)
    let prompt = LaunchPrompt(
      decision: engine.launchDecision(for: number), refusal: refusal,
      pinSetAt: engine.withState { $0.launch.pin.setAt })
    guard let presentation = engine.delegates.presentation, let reply = await presentation.answerLaunch(prompt) else {
      return .none
    }
    let command: AppProtectionCommand
    switch reply {
    case .pin(let isRight): command = .reportPINAttempt(account, isRight: isRight)
    case .biometrics(let areRight): command = .reportPINAttempt(account, isRight: areRight, byBiometrics: true)
    case .newPIN(let facts, let earlier): command = .setPIN(account, facts, equalTo: earlier)
    case .signedIn(let other): command = .signInForLaunch(account, as: other)
    case .canceled: return .none
    }
    do throws(EngineError) {
      try await engine.send(command)
      return .taken
    } catch {
      guard let rejection = error.rejection else { throw error }
      return .refused(rejection.description)
    }
  }

  /// Waits for the check-in on which a switch depends; `nil` if there is none, or if the user is asked something afterwards.
  private func resultAfterCheckIn(
    _ number: AccountNumber, _ window: UInt32?
  ) async throws(EngineError) -> SwitchIdentityResult? {
    func waits() -> Bool { engine.withState { $0.launch.accounts[number]?.awaitsCheckIn == true } }
    guard waits() else { return nil }
    try await engine.runPastSpool()
    // The check-in cannot begin before a caller returns that is part of a request about the account.
    while waits(), !Task.isCancelled, !engine.core.isEnding, !engine.isInsideRequest(about: number) {
      // Another task's run may be the one that makes the check-in.
      let count = engine.relay.bell.count
      if engine.core.isRunning {
        guard waits() else { break }
        await engine.relay.bell.wait(after: count)
      } else if try await engine.runUnlessRunning().isDone {
        // That run ended without it, as after an error, and this one did all that can be done now.
        engine.relay.bell.ring()
        break
      }
    }
    if uiIdentity(window: window) == .account(number) { return .success }
    let isAsked = engine.withState { $0.launch.accounts[number]?.outcome.isPrompt == true }
    return isAsked ? nil : .canceled
  }
}
