import AppProtection
import EventSourcing

extension PolicyEngine {
  /// What an account's launch conditions come to now, with every finding. Writes nothing: the command `evaluateLaunch`
  /// does.
  public func launchDecision(for account: AccountNumber) -> LaunchDecision {
    state.conditionalLaunch(for: account, at: clock.now())
  }
}
