/// The outcome of running a scenario.
public struct ScenarioResult: Equatable, Sendable {
  /// Number of events in the journal.
  public var eventCount: Int
  /// The unmet expectations, in the order of the scenario.
  public var unmet: [UnmetExpectation]
  /// Likely mistakes in the scenario that do not affect the result.
  public var warnings: [String]
}
