import AppProtectionInsight
import EventSourcing
import Expectations
import Foundation
import Simulation
import Testing

/// Fixtures of troubles that one event after another shows, followed by weeks in which nothing happens.
@Suite("Troubles that are out of sight")
struct OutOfSightTests {
  /// The beginnings of the fixtures' names.
  private static let fixtures = [
    "account-not-allowed/never-let-in", "identity-leak/link-and-not-back",
    "identity-leak/on-another-thread", "identity-leak/worker-not-given-back", "jailbreak/jailbroken-and-wiped",
    "lost-callback/dies-at-each-link", "lost-callback/sign-in-never-answered",
    "missing-capability/refused-from-the-first-day", "nil-account/empty-account-passed",
    "policy-drift/two-policies-take-turns", "policy-not-applied/sign-in-canceled", "refused-again/",
    "remediation-loop/interaction-again", "remediation-loop/not-compliant@", "remediation-loop/token-refused-again",
    "retry-storm/tokens", "second-managed-account/colleague-cannot-be-shown",
    "second-managed-account/keeps-the-first-twice", "unexpected-wipe/offline-for-ninety-days",
    "wrong-enum/link-cannot-be-opened", "wrong-enum/success-without-a-pin",
  ]

  /// What a fixture shows of its family after some quiet weeks.
  private static func problem(_ name: String, afterWeeks weeks: Int) throws -> Problem? {
    let fixture = try #require(DiagnosisTests.fixtures.first { $0.hasPrefix(name) && !$0.contains("/near-") })
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(DiagnosisTests.folder)/\(fixture)"))
    var scenario = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    var steps = try #require(scenario["steps"] as? [[String: Any]])
    let started = steps.lastIndex { $0["launch"] != nil || $0["restart"] != nil } ?? 0
    let ended = steps.lastIndex { $0["exit"] != nil || $0["crash"] != nil } ?? 0
    for week in 0..<weeks {
      if week > 0 || ended < started { steps.append(["exit": [:] as [String: Any]]) }
      steps += [["wait": "P7D"], ["launch": [:] as [String: Any]], ["wait": "PT10M"]]
    }
    scenario["steps"] = steps
    let target = try TemporaryFolder()
    let bytes = try JSONSerialization.data(withJSONObject: scenario, options: .sortedKeys)
    _ = try ScenarioRunner.run(try Scenario(Array(bytes), file: fixture), into: target.path + "/journal")
    let family = fixture.prefix { $0 != "/" }
    return try DiagnosisTests.diagnose(journal: target.path + "/journal").findings.map(\.diagnosis).first {
      $0.family.id == family
    }
  }

  @Test("What nothing shows any more is over with what showed it last", arguments: fixtures)
  func quiet(_ name: String) throws {
    let before = try #require(try Self.problem(name, afterWeeks: 0))
    #expect(!before.isOver, "\(before.sentence)")
    guard let after = try Self.problem(name, afterWeeks: 4) else {
      // What was over soon, and did not come again and again, is nothing.
      return #expect(name.hasPrefix("account-not-allowed"))
    }
    #expect(after.isOver, "\(after.sentence)")
    #expect([.outOfSight, .abandoned, .recovered].contains(after.ending?.kind), "\(after.sentence)")
    expectEqual(after.episodes.last.map { $0.ending != nil } ?? true, true)
    #expect(after.severity <= before.severity)
  }

  @Test("What the policy in force shows lasts, however quiet it is", arguments: ["moved-to", "older", "weaker"])
  func inForce(_ name: String) throws {
    let before = try #require(try Self.problem("policy-drift/\(name)", afterWeeks: 0))
    let after = try #require(try Self.problem("policy-drift/\(name)", afterWeeks: 4))
    #expect(!after.isOver)
    expectEqual(after.sentence, before.sentence)
    expectEqual(after.severity, before.severity)
  }
}
