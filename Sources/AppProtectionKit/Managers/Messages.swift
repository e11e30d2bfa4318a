import AppProtection

/// The messages that an app has shown by the SDK (`IntuneMAMUIHelper`). The ``PresentationDelegate`` shows them.
///
/// ```swift
/// let decision = engine.policies.policy(for: alice).isSaveToAllowed(to: .box, account: nil)
/// if !decision.isAllowed { await engine.messages.showSharingBlocked(decision) }
/// ```
public struct Messages: Sendable {
  let engine: PolicyEngine

  /// Tells the user that sharing, saving or opening is blocked (`showSharingBlockedMessage`).
  public func showSharingBlocked<Outcome>(_ decision: Decision<Outcome>) async {
    await engine.delegates.presentation?.sharingBlocked(rule: decision.rule, reason: decision.reason)
  }

  /// Asks the user again for the restart that is pending, as after a first policy, and records the answer.
  ///
  /// - Returns: What the user wants; `nil` if no restart is pending, or the app has no ``PresentationDelegate``.
  public func showRestart() async throws(EngineError) -> RestartChoice? {
    guard let restart = engine.withState({ $0.process.restart }),
      let wish = await engine.delegates.presentation?.restartNeeded(reason: restart.reason)
    else { return nil }
    let intent = restart.requestedBy
    switch wish {
    case .acknowledged: try await engine.send(.answerRestart(.dialogShown, intent: intent))
    case .postponed(let minutes):
      try await engine.send(.answerRestart(.postponed, postponedMinutes: minutes, intent: intent))
    }
    return wish
  }
}

extension PolicyEngine {
  /// The messages that an app has shown.
  public var messages: Messages { Messages(engine: self) }
}
