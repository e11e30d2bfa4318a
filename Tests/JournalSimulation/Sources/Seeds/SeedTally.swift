/// How much happened in random runs.
package struct SeedTally: Sendable {
  package var steps = 0
  package var events = 0
  package var openings = 0
  package var powerCuts = 0
  package var deaths = 0
  package var errors = 0
  /// Events that were retired.
  package var retired = 0

  package init() {}

  package mutating func add(_ other: SeedTally) {
    steps += other.steps
    events += other.events
    openings += other.openings
    powerCuts += other.powerCuts
    deaths += other.deaths
    errors += other.errors
    retired += other.retired
  }
}
