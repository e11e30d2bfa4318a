import AppProtection
import AppProtectionKit

extension NotesApp {
  /// Asks the user what the policy of an account demands before its data is shown: a PIN, a new PIN, a sign-in.
  ///
  /// - Throws: ``Refusal`` if the account may not be used, or the user gives no answer.
  func meetLaunchCondition(of number: AccountNumber) async throws {
    let account = AccountReference(number)
    let name = engine.state.name(of: number)
    let decision = engine.launchDecision(for: number)
    guard decision.outcome.isPrompt || decision.outcome.isPassing else {
      throw Refusal("\(name) may not be used: \(decision.reason) (\(decision.rule.id))")
    }
    do {
      switch decision.outcome {
      case .promptNewPIN: try await choosePIN(for: account)
      case .promptPIN, .promptBiometrics:
        let pin = try ask("Enter the PIN.")
        try await engine.send(.reportPINAttempt(account, isRight: pin == phone.pins.last))
      case .promptSignIn, .resetPIN, .signInOrWipe:
        let user = try ask("Sign in as \(name): type the user name.")
        try await engine.send(.signInForLaunch(account, as: try self.account(user)))
      case .allowed, .warn, .block, .wipe: break
      }
    } catch EngineError.refused(let refusal) {
      // A PIN that the policy does not take, or another user's name: asked again.
      terminal.write(refusal.explanation)
    } catch let refusal as Refusal {
      try await engine.send(.cancelLaunch(account))
      try await run()
      throw refusal
    }
  }

  /// The PIN stays with the app. The engine gets its form only, and how many PINs ago it was in use.
  private func choosePIN(for account: AccountReference) async throws {
    let pin = try ask("Choose a PIN.")
    let earlier = phone.pins
    let age = earlier.lastIndex(of: pin).map { UInt32(earlier.count - $0) }
    phone.pins = earlier + [pin]
    do {
      try await engine.send(.setPIN(account, PINFacts(of: pin), equalTo: age))
    } catch {
      phone.pins = earlier
      throw error
    }
  }

  private func ask(_ question: String) throws -> String {
    guard let answer = terminal.ask(question) else { throw Refusal("the user did not answer") }
    return answer
  }

  /// The user comes back to the app: conditions that have come due since are checked before anything is shown.
  func resume() async throws {
    guard let number = accountOnScreen else { return }
    let account = AccountReference(number)
    try await engine.send(.evaluateLaunch(account, .resume))
    try await run()
    let outcome = engine.state.launch.accounts[number]?.outcome ?? .allowed
    guard !outcome.isPassing else { return }
    let shown = window
    do {
      try await meetLaunchCondition(of: number)
    } catch {
      try await show(nil)
      throw error
    }
    try await show(account, window: shown)
  }
}
