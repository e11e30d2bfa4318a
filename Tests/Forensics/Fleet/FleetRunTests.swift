import Expectations
import EventSourcing
import Journal
import Synchronization
import Testing

@testable import Forensics

@Suite("Many journals at once")
struct FleetRunTests {
  @Test("What was found comes in the order of the work, and what waits is bounded", arguments: [1, 2, 8])
  func order(threads: Int) {
    var given = 0
    var taken: [Int] = []
    var most = 0
    FleetRun.run(on: PosixFileSystem(), threads: threads) { () throws(Never) -> Int? in
      given += 1
      most = max(most, given - taken.count)
      return given <= 1_000 ? given : nil
    } examine: { number in
      // Some take much longer than others.
      var sum = 0
      for index in 0..<(number % 97 == 0 ? 200_000 : 10) { sum &+= index }
      return number &+ (sum & 0)
    } take: { (_: Int, found: Int) throws(Never) -> Bool in
      taken.append(found)
      return true
    }
    expectEqual(taken, Array(1...1_000))
    #expect(most <= threads * 32 + 1, "\(most)")
  }

  @Test("A run ends early when no more is wanted")
  func early() {
    var taken = 0
    let examined = Atomic(0)
    var next = 0
    FleetRun.run(on: PosixFileSystem(), threads: 2) { () throws(Never) -> Int? in
      next += 1
      return next
    } examine: { number in
      number
    } take: { (_: Int, _: Int) throws(Never) -> Bool in
      examined.add(1, ordering: .relaxed)
      taken += 1
      return taken < 5
    }
    #expect(taken == 5 && next <= 70)
  }
}

@Suite("What a fleet has in common")
struct FleetSummaryTests {
  private static func row(
    _ path: String, _ outcome: FleetRow.Outcome, app: [String] = [], _ findings: [FleetRow.Finding] = []
  ) -> FleetRow {
    var row = FleetRow(folder: "f", path: path, outcome)
    (row.app, row.findings) = (app, findings)
    return row
  }

  private static func finding(
    _ family: String, _ type: String?, _ severity: DiagnosisSeverity, explainedBy: Int? = nil
  ) -> FleetRow.Finding {
    .init(
      family: family, severity: severity, subject: nil, sentence: "s", confidence: .certain, event: 1, type: type,
      nanoseconds: nil, until: nil, explainedBy: explainedBy)
  }

  @Test("Causes are counted by journal, the worst is the example, and what follows from them is none")
  func causes() {
    var summary = FleetSummary()
    summary.add(
      Self.row("1", .problems, [Self.finding("x", "t", .warning), Self.finding("y", "u", .critical, explainedBy: 0)]))
    summary.add(Self.row("2", .problems, [Self.finding("x", "t", .critical), Self.finding("x", "t", .critical)]))
    summary.add(Self.row("3", .problems, [Self.finding("x", "v", .critical)]))
    expectEqual(
      summary.causes.map { "\($0.family) \($0.type ?? "") \($0.journals) \($0.findings) \($0.path)" },
      [
        "x t 2 3 2", "x v 1 1 3",
      ])
    expectEqual(summary.causes.first?.severity, .critical)
    expectEqual(summary.groups(by: .family).map { "\($0.name) \($0.journals) \($0.findings)" }, ["x 3 4", "y 1 1"])
  }

  @Test("Groups say how many of their journals are affected, and the worst outcome is known")
  func groups() {
    var summary = FleetSummary()
    summary.add(Self.row("1", .clean, app: ["1.0", "1.1"]))
    summary.add(Self.row("2", .problems, app: ["1.1"], [Self.finding("x", "t", .warning)]))
    summary.add(Self.row("3", .notes, app: ["1.1"], [Self.finding("x", "t", .note)]))
    expectEqual(
      summary.groups(by: .app).map { "\($0.name) \($0.journals) \($0.affected) \($0.findings)" },
      ["1.1 3 1 2", "1.0 1 0 0"])
    #expect(summary.worst == .problems && summary.journals(.notes) == 1 && summary.journals == 3)
  }

  @Test("Of each kind, only so many groups are counted apart")
  func bounded() {
    var summary = FleetSummary()
    for number in 0..<(FleetSummary.maximumGroups + 10) {
      summary.add(Self.row("\(number)", .problems, app: ["\(number)"], [Self.finding("x", "\(number)", .note)]))
    }
    expectEqual(summary.groups(by: .app).count, FleetSummary.maximumGroups)
    #expect(summary.causes.count == FleetSummary.maximumGroups && summary.leftOut == 10)
  }
}
