import AppProtection
import EventSourcing

extension PolicyEngine {
  /// The current outcome of an account's launch conditions, with every finding. Writes nothing, unlike the command
  /// `evaluateLaunch`.
  public func launchDecision(for account: AccountNumber) -> LaunchDecision {
    state.conditionalLaunch(for: account, at: clock.now())
  }
}
