import Expectations
import Simulation
import Testing

@Suite("The help text of scenarios")
struct ScenarioHelpTests {
  @Test("The example in the help text meets all its expectations")
  func example() throws {
    let scenario = try Scenario(Array(Scenario.example.utf8), file: "example.json")
    let target = try TemporaryFolder()
    let result = try ScenarioRunner.runBothWays(scenario, into: target.path + "/journal")
    expectEqual(result.unmet.map(\.description), [])
    expectEqual(result.warnings, [])
  }

  @Test("The help text fits a terminal and has the example in it")
  func helpText() {
    let lines = Scenario.helpText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 132)
    expectEqual(lines.filter { $0.count > 120 }, [])
    for line in Scenario.example.split(separator: "\n") { #expect(Scenario.helpText.contains(line)) }
  }
}
