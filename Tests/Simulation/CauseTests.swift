import AppProtectionInsight
import EventSourcing
import Expectations
import Foundation
import Simulation
import Testing

/// Each row of the table of causes, with a scenario that has the cause and one that differs from it in nothing else.
///
/// `Causes.json` has the scenarios' common members, and for each row its steps. Steps with the note `cause` are left out of the
/// scenario without the cause, those with the note `instead` of the one with it.
@Suite("Causes and what follows from them")
struct CauseTests {
  /// A row that no scenario can show, and why.
  private static let exceptions: [(cause: ProblemFamily, effects: Set<ProblemFamily>, reason: String)] = [
    (.nilAccount, [.retryStorm], "the app, which a scenario scripts, repeats the call that was refused"),
    (.accountMismatch, [.retryStorm], "the app, which a scenario scripts, repeats the call that was refused"),
    (.staleAccount, [.retryStorm], "the app, which a scenario scripts, repeats the call that was refused"),
    (.accountNotAllowed, [.retryStorm], "the app, which a scenario scripts, repeats the call that was refused"),
    (
      .deregisterAfterTokenRemoval, [.retryStorm],
      "the app, which a scenario scripts, repeats the call that was refused"
    ),
    (.remediationLoop, [.retryStorm], "the app, which a scenario scripts, repeats the remediation"),
    (.retryStorm, [.policyNotApplied, .checkInOverdue], "the service, which a scenario scripts, throttles the app"),
    (
      .missingCapability, [.policyNotApplied, .authRequired, .checkInOverdue, .appConfiguration],
      "the service, which a scenario scripts, refuses an app without a token"
    ),
  ]

  /// A row of the table, by its place in the file.
  struct Row: CustomTestStringConvertible, Sendable {
    let place: Int
    let cause: String
    let effect: String

    var testDescription: String { "\(cause) → \(effect)" }
  }

  private static let file = "\(DiagnosisTests.folder)/Causes.json"

  private static func contents() throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: file))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  static let rows: [Row] = {
    let rows = (try? contents())?["rows"] as? [[String: Any]] ?? []
    return rows.enumerated().map { place, row in
      Row(place: place, cause: row["cause"] as? String ?? "", effect: row["effect"] as? String ?? "")
    }
  }()

  /// The scenario of a row, with its cause or without it.
  private static func scenario(_ row: Row, withCause: Bool) throws -> Scenario {
    var scenario = try contents()
    let rows = try #require(scenario.removeValue(forKey: "rows") as? [[String: Any]])
    let steps = try #require(rows[row.place]["steps"] as? [[String: Any]])
    for member in ["app", "device"] {
      let common = scenario[member] as? [String: Any] ?? [:]
      scenario[member] = common.merging(rows[row.place][member] as? [String: Any] ?? [:]) { $1 }
    }
    (scenario["scenario"], scenario["title"]) = (1, row.testDescription)
    scenario["steps"] = steps.filter { $0["note"] as? String != (withCause ? "instead" : "cause") }
    let data = try JSONSerialization.data(withJSONObject: scenario, options: .sortedKeys)
    return try Scenario(Array(data), file: "Causes.json")
  }

  /// What the scenario of a row shows.
  private static func findings(
    _ row: Row, withCause: Bool
  ) throws -> [(family: String, cause: String?)] {
    let target = try TemporaryFolder()
    let result = try ScenarioRunner.run(try scenario(row, withCause: withCause), into: target.path + "/journal")
    expectEqual(result.unmet.map(\.description), [])
    let findings = try DiagnosisTests.diagnose(journal: target.path + "/journal").findings
    return findings.map { ($0.diagnosis.family.id, $0.explainedBy.map { findings[$0].diagnosis.family.id }) }
  }

  @Test("What follows from a cause is there with it, and is not there without it", arguments: rows)
  func row(_ row: Row) throws {
    let found = try Self.findings(row, withCause: true)
    #expect(found.contains { $0.family == row.effect && $0.cause == row.cause }, "\(found)")
    let others = try Self.findings(row, withCause: false)
    #expect(!others.contains { $0.family == row.effect }, "\(others)")
  }

  @Test("Each row of the table has its scenario, or a reason why it has none")
  func complete() {
    let table = Set(ProblemFamily.allCases.flatMap { family in family.explains.map { "\(family.id) → \($0.id)" } })
    let shown = Self.rows.map(\.testDescription)
    let excepted = Self.exceptions.flatMap { row in row.effects.map { "\(row.cause.id) → \($0.id)" } }
    expectEqual((shown + excepted).sorted(), table.sorted())
  }
}
