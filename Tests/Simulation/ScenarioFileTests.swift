import Expectations
import Simulation
import Testing

/// The scenarios in the repository's `journals/scenarios` folder: one for each situation that the guides describe.
@Suite("Scenarios of the guides")
struct ScenarioFileTests {
  static let folder = GoldenJournalTests.folder + "/scenarios"
  static let files = Files.names(in: folder).filter { $0.hasSuffix(".json") }.sorted()

  /// The situations, by their numbers; the numbering has gaps.
  static let numbers = [
    1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 20, 21, 23, 24, 25, 26, 28, 30, 31, 32, 33, 35, 36, 38,
    41, 42, 43, 45, 46, 47, 48, 49, 50, 52, 54, 55, 56, 58, 59, 60, 63, 64, 67, 68, 69, 72, 74, 77, 78, 80, 82, 83, 85,
    86,
    87, 89, 92,
  ]

  @Test("A scenario meets all its expectations, and has some", arguments: files)
  func run(_ file: String) throws {
    let scenario = try Scenario.load("\(Self.folder)/\(file)")
    #expect(file.hasPrefix(scenario.title.prefix { $0 != ":" }), "title and file name carry the same number")
    let target = try TemporaryFolder()
    let result = try ScenarioRunner.runBothWays(scenario, into: target.path + "/journal")
    expectEqual(result.unmet.map(\.description), [])
    var expectsSomething = false
    try scenario.steps.forEach { step in if case .expect = step.action { expectsSomething = true } }
    #expect(expectsSomething, "a scenario that expects nothing shows nothing")
  }

  @Test("Every situation has a scenario, and every scenario is listed")
  func complete() {
    let numbers = Self.files.map { $0.dropFirst(2).prefix(while: \.isNumber) }.compactMap { Int($0) }
    expectEqual(Set(numbers).sorted(), Self.numbers)
    let index = String(decoding: Files.bytes(of: "\(Self.folder)/README.md"), as: UTF8.self)
    for file in Self.files {
      #expect(index.contains("(\(file))"), "journals/scenarios/README.md does not mention \(file)")
    }
  }
}
