import AppProtection
import AppProtectionInsight
import EventSourcing
import Expectations
import Forensics
import Journal
import PolicyDocuments
import Simulation
import Testing

/// Whoever gets a redacted export sees what the one who has the journal sees, but for names.
@Suite("Diagnoses of redacted exports")
struct RedactedDiagnosisTests {
  /// What a journal's history and bytes show, with what may be printed of it.
  private static func findings(_ reader: JournalReader) throws -> [String] {
    let damage = try reader.verify().findings + reader.lossesBeforeFirst + (reader.unknownEnd.map { [$0] } ?? [])
    let report = try HistoryDiagnosis(
      of: History<AppProtectionMachine>(reader), damage: damage,
      by: AppProtectionExamination(contradictions: PolicyLint.contradictions))
    return report.findings.map { ranked in
      let problem = ranked.diagnosis
      let end = problem.ending.map { "\($0.kind) \($0.event.sequence)" } ?? "-"
      let evidence = problem.evidence.map { "\($0.sequence ?? 0) \($0.text)" }
      let text = ([problem.sentence, problem.next] + evidence).map(Redaction.on.shown(sentence:))
      return "\(problem.family.id) \(problem.severity) \(problem.confidence) \(problem.subject ?? "-") "
        + "\(problem.decidingEvent) \(problem.isOver) \(problem.until ?? 0) \(end) \(ranked.explainedBy ?? -1) \(text)"
    } + ["up to \(report.last)"]
  }

  /// Exports a journal, and compares what the export shows.
  static func expectEqualFindings(_ reader: JournalReader, _ name: String) throws {
    var export = HistoryExport(History<AppProtectionMachine>(reader))
    export.slices = AppProtectionState.sliceDescriptors
    var bytes: [UInt8] = []
    _ = try export.write(try reader.verify()) { bytes += $0 }
    let memory = MemoryFiles()
    let history = try ExportReader.read(bytes)
    expectEqual(history.ending, .complete)
    try history.write(to: "/export", memory)
    let read = try JournalReader(path: "/export", fileSystem: memory)
    expectEqual(try findings(read), try findings(reader), "\(name)")
  }

  private static func run(_ file: String) throws {
    let target = try TemporaryFolder()
    _ = try ScenarioRunner.run(try Scenario.load(file), into: target.path + "/journal")
    try expectEqualFindings(try JournalReader(path: target.path + "/journal"), file)
  }

  @Test(
    "In every published scenario",
    arguments: Files.names(in: GoldenJournalTests.folder + "/scenarios").filter { $0.hasSuffix(".json") }.sorted())
  func scenarios(_ name: String) throws { try Self.run("\(GoldenJournalTests.folder)/scenarios/\(name)") }

  @Test(
    "Where device management and the service deliver values of odd forms",
    arguments: [
      "alice", "a@b@c", "for {{mail}}", "{{mail}} of {{userid}}", "{{Alice Smith}}", "{{a@b}}", " {{ userId }}",
      "{{{mail}}",
      "{{mail", "x{{mail}}@contoso.com",
    ])
  func oddValues(text: String) throws {
    let target = try TemporaryFolder()
    let scenario = """
      {"scenario": 1, "title": "Odd values", "start": "2026-10-05T09:00:00Z", "app": {"multiIdentity": true},
       "accounts": {"alice": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01", "upn": "alice@contoso.com"}},
       "policies": {"p": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "p"}}},
       "steps": [{"service": {"alice": {"policy": "p"}}}, {"launch": {}}, {"registerAndEnroll": "alice"}, {"wait": "PT2M"},
        {"restart": {}}, {"deviceConfiguration": {"IntuneMAMUPN": "\(text)", "desk": "\(text)"}}, {"wait": "PT1H"},
        {"configuration": {"account": "alice", "targeted": [{"server": "\(text)"}]}}, {"wait": "PT1H"}, {"exit": {}}]}
      """
    _ = try ScenarioRunner.run(try Scenario(Array(scenario.utf8), file: "odd.json"), into: target.path + "/journal")
    try Self.expectEqualFindings(try JournalReader(path: target.path + "/journal"), text)
  }

  @Test("In every published journal, and in a salvaged copy", arguments: GoldenJournalTests.names)
  func published(_ name: String) throws {
    let journal = "\(GoldenJournalTests.folder)/\(name)/journal"
    try Self.expectEqualFindings(try JournalReader(path: journal), name)
    let target = try TemporaryFolder()
    _ = try Salvage(of: [journal]).write(to: target.path + "/salvaged")
    try Self.expectEqualFindings(try JournalReader(path: target.path + "/salvaged"), "\(name), salvaged")
  }

  @Test("Wherever a bit is wrong, or a file or its end is missing", arguments: 1...8 as ClosedRange<UInt64>)
  func damaged(_ seed: UInt64) throws {
    var generator = MalformedScenarioTests.Generator(state: seed)
    for name in GoldenJournalTests.names {
      var files = Files.contents(of: "\(GoldenJournalTests.folder)/\(name)/journal").filter { !$0.bytes.isEmpty }
      let index = Int.random(in: files.indices, using: &generator)
      let place = Int.random(in: files[index].bytes.indices, using: &generator)
      let what = "\(name), seed \(seed): \(files[index].name) at \(place)"
      switch seed % 4 {
      case 0: files.remove(at: index)
      case 1: files[index].bytes.removeSubrange(place...)
      default: files[index].bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      }
      let memory = MemoryFiles()
      for (file, bytes) in files { memory.set("/journal/\(file)", bytes) }
      // What cannot be opened cannot be exported.
      guard let reader = try? JournalReader(path: "/journal", fileSystem: memory) else { continue }
      try Self.expectEqualFindings(reader, what)
    }
  }
}
