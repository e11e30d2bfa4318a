import AppProtection
import Journal
import Testing

@testable import Simulation

@Suite("Generated fleets")
struct FleetTests {
  /// A cause of a family.
  struct Case: CustomTestStringConvertible, Sendable {
    var family: ProblemFamily
    var fault: FleetFault
    var testDescription: String { "\(family.id): \(fault.name)" }
  }

  static let cases = ProblemFamily.allCases.flatMap { family in
    FleetFault.causes(of: family).map { Case(family: family, fault: $0) }
  }

  @Test("Every family has at least two causes, each with a name of its own")
  func complete() {
    for family in ProblemFamily.allCases {
      let names = FleetFault.causes(of: family).map(\.name)
      #expect(names.count >= 2 && Set(names).count == names.count, "\(family.id): \(names)")
    }
  }

  @Test("What is planted is what a diagnosis names first, with the event that decides", arguments: cases)
  func planted(_ planted: Case) throws {
    let folder = try TemporaryFolder()
    let random = FleetRandom(seed: 5, index: 1)
    let member = try FleetRunner.member(planted.fault, of: planted.family, random, "j", in: folder.path)
    let (findings, types) = try DiagnosisTests.diagnose(journal: folder.path + "/j")
    let shown = findings.map { "\($0.diagnosis.family.id) at \($0.diagnosis.decidingEvent): \($0.diagnosis.sentence)" }
    let first = try #require(findings.first?.diagnosis)
    #expect(first.family == planted.family && first.decidingEvent == member.event, "\(member): \(shown)")
    #expect(types.count == Int(member.events) && types.count > 60, "\(types.count) events")
  }

  @Test("A healthy life shows nothing worse than a note", arguments: 1...6 as ClosedRange<UInt64>)
  func healthy(index: UInt64) throws {
    let folder = try TemporaryFolder()
    let member = try FleetRunner.member(.none, of: nil, FleetRandom(seed: 9, index: index), "j", in: folder.path)
    let findings = try DiagnosisTests.diagnose(journal: folder.path + "/j").findings
    #expect(findings.allSatisfy { $0.diagnosis.severity == .note }, "\(findings.map(\.diagnosis.sentence))")
    #expect(member.event == nil && member.events > 150, "\(member)")
  }

  @Test("The same plan writes the same bytes, on any number of threads, and another seed others")
  func deterministic() throws {
    let folder = try TemporaryFolder()
    func write(_ name: String, seed: UInt64, threads: Int) throws -> [String] {
      var members: [FleetMember] = []
      try FleetRunner.run(FleetPlan(count: 6, seed: seed), into: "\(folder.path)/\(name)", threads: threads) {
        members.append($0)
      }
      return try members.map { member in
        let reader = try JournalReader(path: "\(folder.path)/\(name)/\(member.path)")
        return "\(member) \(reader.identity.id) \(try reader.verify().historyDigest ?? [])"
      }
    }
    let once = try write("one", seed: 3, threads: 1)
    #expect(once == (try write("two", seed: 3, threads: 3)))
    #expect(once != (try write("other", seed: 4, threads: 2)))
  }

  @Test("Shares are kept, and families that are not named are not planted")
  func shares() {
    var plan = FleetPlan(count: 1, seed: 1)
    plan.healthyPercent = 25
    plan.weights = [(.jailbreak, 3), (.offlineBlock, 1)]
    var counts: [String: Int] = [:]
    for index in 0..<2_000 {
      var random = FleetRandom(seed: 1, index: UInt64(index))
      counts[plan.cause(&random).family?.id ?? "none", default: 0] += 1
    }
    #expect((450...550).contains(counts["none"] ?? 0), "\(counts)")
    #expect((1_050...1_200).contains(counts["jailbreak"] ?? 0), "\(counts)")
    #expect(counts.count == 3)
  }
}
