import AppProtection
import EventSourcing
import Forensics
import Simulation

/// The example of the page on the module Forensics.
func logExample(history: History<AppProtectionMachine>) throws {
  var reader = try LogReader(history)
  while let item = try reader.next() {
    if case .event(let step) = item { print(step.record.sequence) }
  }
}

/// The example of the page on the module Simulation.
func scenarioExample() throws {
  let scenario = try Scenario.load("journals/first-enrollment/scenario.json")
  let result = try ScenarioRunner.run(scenario, into: "journal")
  for unmet in result.unmet { print(unmet) }
}
