import Expectations
import AppProtection
import Testing

@testable import Simulation

/// The page on scenarios, and its short form in the tool's help.
@Suite("The page on scenarios")
struct ScenarioPageTests {
  static let page = String(
    decoding: Files.bytes(of: GoldenJournalTests.folder + "/../Sources/Simulation/Simulation.docc/Scenarios.md"),
    as: UTF8.self)

  /// The steps in the page's examples.
  static let examples = page.split(separator: "```json\n").dropFirst().compactMap { piece in
    piece.firstRange(of: "```").map { String(piece[..<$0.lowerBound]) }
  }

  @Test("Every example of steps meets its expectations, in a scenario in which alice is enrolled and bob is known")
  func examples() throws {
    #expect(Self.examples.count >= 6)
    for example in Self.examples {
      let steps = example.drop { $0 != "[" }.dropFirst()
      let run = try Run(
        #"{"service": {"bob": "noPolicy"}}, {"launch": {}}, {"registerAndEnroll": "alice"}, {"registerAndEnroll": "bob"}, {"restart": {}},"#
          + String(steps[..<(steps.lastIndex(of: "]") ?? steps.endIndex)]))
      expectEqual(run.unmet, [])
    }
  }

  @Test("The page lists every callback, finding and pending work as it is written")
  func lists() {
    for list in [ExpectedList.callbacks, .findings] {
      for form in list.forms { #expect(Self.page.contains("| `\(form.text)` |"), "\(form.text)") }
    }
    for form in ExpectedList.pending.forms { #expect(Self.page.contains("`\(form.text)`"), "\(form.text)") }
    #expect(Self.page.contains("`\(IdentityScope.mainThread)` is the main thread"))
    for feature in ProtectedFeature.allCases { #expect(Self.page.contains("`\(feature.rawValue)`"), "\(feature)") }
  }

  @Test("The page and the help name every step, every member of an expectation and every decision")
  func names() {
    let names =
      ScenarioDecoder.stepNames + ExpectedDecision.kinds + ConfigurationQuestion.Query.allCases.map(\.rawValue)
    let overrides = TokenLibraryOverrides.Name.allCases.map(\.rawValue)
    for name in names + Expectation.members + overrides {
      #expect(Self.page.contains("`\(name)`") || Self.page.contains("\"\(name)\""), "\(name) on the page")
    }
    for name in ScenarioDecoder.stepNames + overrides {
      #expect(Scenario.helpText.contains(name), "\(name) in the help")
    }
    for list in ExpectedList.allCases { #expect(Scenario.helpText.contains(list.rawValue)) }
    for member in ["Contain", "Exclude", "Count"] { #expect(Scenario.helpText.contains("callbacks\(member)")) }
  }
}
