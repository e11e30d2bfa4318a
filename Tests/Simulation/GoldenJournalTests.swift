import Expectations
import AppProtection
import Journal
import Simulation
import Testing

@testable import EventSourcing

/// The journals in the repository's `journals` folder, each made from the scenario beside it.
///
/// `tools/regenerate-journals` writes them anew.
@Suite("Golden journals")
struct GoldenJournalTests {
  static let names = [
    "damaged-frame", "first-enrollment", "framework-history", "interrupted-wipe", "multi-identity-day",
    "remediation-queue", "torn-tail",
  ]

  /// The repository's folder of journals.
  static let folder: String = {
    let components = #filePath.split(separator: "/").dropLast(3)
    return "/" + components.joined(separator: "/") + "/journals"
  }()

  @Test(
    "The scenario of a golden journal reproduces it, byte for byte, and meets all its expectations",
    arguments: names)
  func regenerate(_ name: String) throws {
    let golden = "\(Self.folder)/\(name)"
    let scenario = try Scenario.load("\(golden)/scenario.json")
    let target = try TemporaryFolder()
    let journal = target.path + "/journal"
    let result = try ScenarioRunner.runBothWays(scenario, into: journal)
    expectEqual(result.unmet.map(\.description), [])
    expectEqual(result.warnings, [])
    if Files.updatesGoldens {
      Files.remove("\(golden)/journal")
      try Files.copy(journal, to: "\(golden)/journal")
    }
    let made = Files.contents(of: journal)
    let kept = Files.contents(of: "\(golden)/journal")
    expectEqual(made.map(\.name), kept.map(\.name))
    for (one, other) in zip(made, kept) where one.name == other.name {
      let same = zip(one.bytes, other.bytes).prefix { $0 == $1 }.count
      let isSame = same == one.bytes.count && same == other.bytes.count
      #expect(isSame, "\(one.name) differs from byte \(same) on; if that is meant, run tools/regenerate-journals")
    }
  }

  @Test("A golden journal holds what its page says: only one is damaged, one has a torn tail", arguments: names)
  func soundness(_ name: String) throws {
    let path = "\(Self.folder)/\(name)/journal"
    let report = try JournalReader(path: path).verify()
    let check = try History<AppProtectionMachine>(at: path).check()
    #expect(check.mismatch == nil)
    #expect(check.digestsCompared > 0)
    switch name {
    case "damaged-frame":
      #expect(report.findings.count == 1 && report.findings.allSatisfy(\.isDamage))
      expectEqual(report.findings.first?.lostEvents, 12...12)
      expectEqual(report.findings.first?.cause, "the checksum of event 12 is wrong")
      expectEqual(check.lastSequence, 11)
    case "torn-tail":
      #expect(report.findings.count == 1 && !report.findings.contains(where: \.isDamage))
      #expect(!report.wasClosed)
    default:
      #expect(report.findings.isEmpty && report.isSound && report.wasClosed)
      expectEqual(check.lastSequence, report.lastSequence)
    }
  }

  @Test("A golden journal produces one report on any number of threads, with and without keyframes", arguments: names)
  func checkOnThreads(_ name: String) throws {
    let target = try TemporaryFolder()
    let journal = target.path + "/journal"
    try Files.copy("\(Self.folder)/\(name)/journal", to: journal)
    for interval: UInt64 in [0, 5, 16] {
      var history = try History<AppProtectionMachine>(at: journal)
      // Of a damaged journal no keyframes can be written.
      let count = interval > 0 ? (try? history.rebuildKeyframes(every: interval)) ?? 0 : 0
      for beyondDamage in [false, true] {
        history.goesBeyondDamage = beyondDamage
        let report = try history.check(threads: 1)
        #expect(try history.check(threads: 2) == report && history.check(threads: 7) == report)
        if interval > 0 { expectEqual(report.keyframesCompared, count) }
      }
    }
  }

  @Test(
    "The digest of what an event of a golden journal wrote is that of the whole state", arguments: names,
    [.merkle, .canonical] as [StateDigest.Scheme])
  func writtenSlices(_ name: String, scheme: StateDigest.Scheme) throws {
    var cursor = try JournalReader(path: "\(Self.folder)/\(name)/journal").cursor()
    var replay = Replay<AppProtectionMachine>()
    var digester = StateDigester<AppProtectionMachine.State>()
    while case .event(let event)? = try cursor.next() {
      try replay.fold(event)
      expectEqual(
        digester.combined(following: &replay.state, as: scheme), StateDigest(of: replay.state, as: scheme).combined,
        "event \(event.sequence)")
    }
    #expect(replay.count > 10)
  }

  @Test("Every golden journal is listed, explained and has a scenario")
  func listed() {
    let folders = Files.names(in: Self.folder).filter { !["documents", "scenarios"].contains($0) && !$0.contains(".") }
    expectEqual(folders.sorted(), Self.names)
    let index = String(decoding: Files.bytes(of: "\(Self.folder)/README.md"), as: UTF8.self)
    for name in Self.names {
      #expect(index.contains("(\(name)/README.md)"), "journals/README.md does not mention \(name)")
      expectEqual(Set(Files.names(in: "\(Self.folder)/\(name)")), ["README.md", "journal", "scenario.json"])
    }
  }
}
