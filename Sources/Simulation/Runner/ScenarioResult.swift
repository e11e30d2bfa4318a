/// What came of running a scenario.
public struct ScenarioResult: Equatable, Sendable {
  /// How many events the journal has.
  public var eventCount: Int
  /// Every expectation that was not met, in the order of the scenario.
  public var unmet: [UnmetExpectation]
  /// What is probably a mistake in the scenario, and changes nothing.
  public var warnings: [String]
}
