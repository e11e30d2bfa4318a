import Expectations
import AppProtection
import AppProtectionInsight
import Journal
import Simulation
import Testing

@testable import fleet_generator

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
      let manifest = String(decoding: Files.bytes(of: "\(folder.path)/\(name)/manifest.jsonl"), as: UTF8.self)
      let paths = manifest.split(separator: "\n").map { $0.prefix { $0 != "," } }
      expectEqual(paths, members.map { "{\"path\":\"\($0.path)\"" }, "\(manifest)")
      return try members.map { member in
        let reader = try JournalReader(path: "\(folder.path)/\(name)/\(member.path)")
        return "\(member) \(reader.identity.id) \(try reader.verify().historyDigest ?? [])"
      }
    }
    let once = try write("one", seed: 3, threads: 1)
    expectEqual(once, try write("two", seed: 3, threads: 3))
    #expect(once != (try write("other", seed: 4, threads: 2)))
  }

  @Test("A command line names the folder first, and each option is checked")
  func options() throws {
    let words = [
      "f", "--journals", "5", "--seed", "7", "--healthy", "0", "--share", "jailbreak=3", "--share", "os-version",
    ]
    var plan = FleetPlan(count: 5, seed: 7)
    plan.healthyPercent = 0
    plan.weights = [(.jailbreak, 3), (.osVersion, 1)]
    try expectEqual(FleetOptions(words).plan, plan)
    try expectEqual(FleetOptions(["f"]).plan, FleetPlan(count: 10_000, seed: 1))
    let refused: [(words: [String], reason: String)] = [
      ([], "the new folder's name comes first; see tools/fleet --help"),
      (["--seed"], "the new folder's name comes first; see tools/fleet --help"),
      (["f", "--seeds", "1"], "'--seeds' is not understood here; see tools/fleet --help"),
      (["f", "--journals"], "--journals takes a number from 1 to 1000000, not ''"),
      (["f", "--journals", "1000001"], "--journals takes a number from 1 to 1000000, not '1000001'"),
      (["f", "--healthy", "101"], "--healthy takes a number from 0 to 100, not '101'"),
      (["f", "--share", "jailbrake"], "--share jailbrake: no family has this name; see pj diagnose --families"),
      (["f", "--share", "jailbreak=0"], "--share jailbreak=0: the weight is a whole number from 1 to 1,000,000"),
    ]
    for (words, reason) in refused {
      #expect(throws: FleetOptions.WrongUse(description: reason), "\(words)") { try FleetOptions(words) }
    }
  }

  @Test("An existing folder is not written into")
  func taken() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: ScenarioError.self) {
      try FleetRunner.run(FleetPlan(count: 1, seed: 1), into: folder.path, threads: 1) { _ in }
    }
    expectEqual(error?.description.contains("file exists; name a new folder"), true, "\(String(describing: error))")
    #expect(Files.names(in: folder.path).isEmpty)
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
    expectEqual(counts.count, 3)
  }
}
