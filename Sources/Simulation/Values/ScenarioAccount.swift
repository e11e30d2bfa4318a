import AppProtection

/// An account that a scenario names.
public struct ScenarioAccount: Equatable, Sendable {
  /// The name by which the scenario calls the account.
  public var name: String
  /// How the engine is told who it is.
  public var reference: AccountReference
}
