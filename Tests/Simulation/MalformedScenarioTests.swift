import Simulation
import Testing

@Suite("Malformed scenarios")
struct MalformedScenarioTests {
  /// A linear congruential generator (Knuth's MMIX constants): the same numbers in every run.
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test("A broken scenario is an error or runs, and never stops the program", arguments: [1, 2, 3] as [UInt64])
  func mutations(seed: UInt64) throws {
    var generator = Generator(state: seed)
    let folder = try TemporaryFolder()
    let pieces = [
      "null", "-1", "9223372036854775807", "-9223372036854775808", "1e9", "\"\"", "{}", "[]", "\"alice\"", "\"a1\"",
      "\"P99999D\"", "\"PT0S\"", "\"2261-12-31T23:59:59Z\"", "\"1678-01-01T00:00:00Z\"", "true", "\"now\"",
    ]
    let origin = Run.text(
      #"""
      {"launch": {}}, {"registerAndEnroll": "alice"}, {"wait": "PT40M"}, {"restart": {}}, {"setWindow": {"window": 2,
      "identity": "alice"}}, {"clock": {"setBack": "PT1H"}}, {"files": {"alice": 3}}, {"wipe": {"account": "alice",
      "reason": 607}}, {"at": "2026-10-06T09:00:00Z"}, {"expect": {"state": {"/process/launch": 2}, "callbacks": []}},
      {"openFile": {"file": "f", "thread": "main"}}, {"copyFile": {"file": "f", "to": "g"}}, {"createWork": {"work": "w",
      "kind": "operation"}}, {"submitWork": "w"}, {"overrides": {"aadClientIdOverride": "x"}}, {"enrollmentIDs":
      [{"account": "alice", "enrollmentID": "E"}]}, {"configuration": {"account": "alice", "targeted": [{"k": "1"}]}},
      {"expect": {"callbacksExclude": ["wipeData"], "eventsCount": {"wipe.requested": {"atMost": 3}}, "filesLeft":
      {"alice": 0}, "anyOf": [{"pending": []}, {"decisions": [{"config": "k", "account": "alice", "query": "max", "is": 1},
      {"owner": "f", "is": "alice"}, {"work": "w", "is": null}, {"enrollmentID": null, "is": "E"}]}]}},
      {"damage": {"event": 2, "offset": 3, "flipBit": 1}}
      """#)
    // Whole values are replaced, so that most results are JSON still and reach what lies after the parser.
    let values = origin.matches(of: /"[^"]*"|\b[0-9]+\b|\{\}/).map(\.range)
    for round in 0..<150 {
      var text = origin
      if let range = values.randomElement(using: &generator), let piece = pieces.randomElement(using: &generator) {
        text.replaceSubrange(range, with: piece)
      }
      do throws(ScenarioError) {
        let scenario = try Scenario(Array(text.utf8), file: "s.json")
        _ = try ScenarioRunner.runBothWays(scenario, into: "\(folder.path)/\(round)")
      } catch {
        #expect(!error.message.isEmpty && !error.remedy.isEmpty)
      }
    }
  }
}
