import Journal
import Testing

@testable import Simulation

@Suite("A scenario that is under way")
struct UnfinishedJournalTests {
  @Test("Its journal counts as one when it has come to its end, whatever crashed in it")
  func mark() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/journal"
    let steps = """
      {"launch": {}}, {"registerAndEnroll": "alice"}, {"crash": "now"}, {"launch": {}}, {"wait": "PT40M"},
      {"exit": {}}, {"launch": {}}, {"crash": "now"}
      """
    let scenario = try Scenario(Array(Run.text(steps).utf8), file: "s.json")
    var refused = 0
    let result = try ScenarioRunner.run(scenario, into: path) {
      if (try? JournalReader(path: path)) == nil { refused += 1 }
    }
    #expect(refused == scenario.steps.count)
    #expect(try JournalReader(path: path).verify().eventCount == result.eventCount)
  }
}
