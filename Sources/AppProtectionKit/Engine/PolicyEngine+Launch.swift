import AppProtection
import EventSourcing
import PolicySettings

extension PolicyEngine {
  /// The current outcome of an account's launch conditions, with every finding. Writes nothing, unlike the command
  /// `evaluateLaunch`.
  public func launchDecision(for account: AccountNumber) -> LaunchDecision {
    state.conditionalLaunch(for: account, at: clock.now())
  }

  /// Tells the user that the app has no policy, and records that the warning was dismissed.
  func presentLaunchGate() async throws(EngineError) {
    switch withState({ $0.launchGate }) {
    case .open: return
    case .blocked: _ = await delegates.presentation?.policyMissing(isBlocking: true)
    case .warned:
      guard await delegates.presentation?.policyMissing(isBlocking: false) == true else { return }
      try await send(.acknowledgeMissingPolicy)
    }
  }
}

extension SettingsRule {
  /// How much a finding about the property list matters to a log.
  var logLevel: LogLevel {
    switch severity {
    case .error: .error
    case .warning: .warning
    case .note: .info
    }
  }
}
