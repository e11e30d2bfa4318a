import AppProtection

/// An account that a scenario names.
public struct ScenarioAccount: Equatable, Sendable {
  /// The account's name in the scenario.
  public var name: String
  /// The identification passed to the engine.
  public var reference: AccountReference
}
