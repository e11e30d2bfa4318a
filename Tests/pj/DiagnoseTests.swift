import Expectations
import AppProtection
import AppProtectionInsight
import EventSourcing
import Forensics
import Testing

@testable import CommandSupport
@testable import JournalCommands
@testable import ReplayTool

@Suite("Diagnosing a journal")
struct DiagnoseTests {
  private static let journals = [
    "first-enrollment", "framework-history", "interrupted-wipe", "multi-identity-day", "remediation-queue", "torn-tail",
    "damaged-frame",
  ]

  @Test("Of some families, problems keep the causes that are left")
  func limited() {
    func problem(_ family: ProblemFamily, _ cause: Int? = nil) -> RankedProblem {
      let problem = Diagnosis(family, of: "a1", "it is so", evidence: DiagnosisEvidence(3, "it shows"), next: "wait")
      return RankedProblem(FoundProblem(problem), explainedBy: cause)
    }
    let ranked = [
      problem(.authRequired), problem(.offlineBlock, 0), problem(.unexpectedWipe, 0), problem(.policyDrift),
    ]
    let left = ranked.limited { ["auth-required", "unexpected-wipe"].contains($0.kind.id) }
    expectEqual(left.map(\.problem.kind.id), ["auth-required", "unexpected-wipe"])
    expectEqual(left.map(\.explainedBy), [nil, 0])
    expectEqual(ranked.limited { $0.kind.id == "unexpected-wipe" }.map(\.explainedBy), [nil])
  }

  @Test("A published journal that is not damaged shows nothing critical", arguments: journals)
  func published(name: String) {
    let run = ToolRun(["diagnose", Repository.journal(name), "-j"])
    let isDamaged = name == "damaged-frame"
    expectEqual(run.output.contains(#""severity":"critical""#), isDamaged)
    #expect((run.code == .partial) == isDamaged)
    #expect(run.code != .wrongUse && run.notes.isEmpty != isDamaged)
  }

  @Test(
    "At no event of a published journal is what is still awaited critical",
    arguments: ["first-enrollment", "remediation-queue", "interrupted-wipe", "framework-history"])
  func prefixes(name: String) throws {
    let history = try History<AppProtectionMachine>(at: Repository.journal(name))
    var (event, bad) = (UInt64(1), [String]())
    while true {
      let report = try HistoryDiagnosis(of: history, upTo: event)
      guard report.last == event else { break }
      for diagnosis in report.findings.map(\.diagnosis) {
        let worst = name == "first-enrollment" ? DiagnosisSeverity.note : .warning
        if diagnosis.severity > worst { bad.append("\(event): \(diagnosis.sentence)") }
        if name == "interrupted-wipe", event == 16 {
          #expect(!diagnosis.sentence.contains("the process ended"), "the process runs until event 17")
        }
      }
      // The long one is also that of the tour.
      event += name == "framework-history" && !TestFiles.triesEverything ? 5 : 1
    }
    #expect(event > 10 && bad == [])
  }

  @Test("The end of a history shows what lasts, and blames no event that is missing")
  func cutOff() throws {
    try TestFiles.withTemporaryFolder { folder in
      let fixture = "auth-required/password-changed@checkIn.failed#1.json"
      let scenario = "\(Repository.root)/Tests/Simulation/Diagnosis/\(fixture)"
      expectEqual(ToolRun("simulate", scenario, "-o", "\(folder)/j").code, .done)
      let whole = try HistoryDiagnosis(of: try History<AppProtectionMachine>(at: "\(folder)/j"))
      let next = (whole.findings.first?.diagnosis.decidingEvent ?? 0) + 1
      expectEqual(ToolRun("export", "\(folder)/j", "\(next)..", "-o", "\(folder)/end.pjx").code, .done)
      let run = ToolRun("diagnose", "\(folder)/end.pjx")
      #expect(next > 1 && run.code == .different)
      #expect(run.output.contains("CRITICAL  auth-required"))
      #expect(run.output.contains(", before event \(next)  ← decides"), "\(run.output)")
      #expect(!run.output.contains("event \(next - 1)"), "\(run.output)")
      // A fork without events has the state alone.
      expectEqual(ToolRun("fork", "\(folder)/j", "\(next - 1)", "\(folder)/fork").code, .done)
      let fork = ToolRun("diagnose", "\(folder)/fork")
      #expect(fork.code == .different && fork.output.contains("auth-required"), "\(fork.output)")
    }
  }

  @Test("A sentence begins with a capital, but a pseudonym keeps its case wherever it stands")
  func capitals() {
    for (sentence, shown) in [
      ("the wipe of a1 is unfinished", "The wipe of a1 is unfinished"), ("a1 is refused", "a1 is refused"),
      ("a12's policy is gone", "a12's policy is gone"), ("a check-in fails", "A check-in fails"),
      ("accounts are refused", "Accounts are refused"), ("a1b is a file", "A1b is a file"), ("", ""),
    ] {
      expectEqual(DiagnosisReport.capitalized(sentence), shown)
    }
  }

  @Test("No finding names a person, even with --reveal", arguments: journals)
  func persons(name: String) {
    for words in [["--reveal"], ["--reveal", "-j"], []] {
      let run = ToolRun(["diagnose", Repository.journal(name)] + words)
      #expect(!run.output.contains("@contoso") && !run.output.contains("-4a52-"))
    }
  }

  @Test("A range shows what held within it, and --at judges only what came before")
  func ranges() {
    let journal = Repository.journal("multi-identity-day")
    #expect(ToolRun(["diagnose", journal]).output.contains("clock-set-back"))
    #expect(!ToolRun(["diagnose", journal, "--at", "33"]).output.contains("clock-set-back"))
    #expect(!ToolRun(["diagnose", journal, "36.."]).output.contains("clock-set-back"))
    #expect(ToolRun(["diagnose", journal, "30..36"]).output.contains("clock-set-back"))
  }

  @Test("Only the families that are asked for are shown, and the exit code is about them")
  func families() {
    let journal = Repository.journal("multi-identity-day")
    let run = ToolRun(["diagnose", journal, "--family", "clock-set-back", "--family", "offline-block"])
    #expect(run.code == .different && !run.output.contains("policy-not-applied  ("))
    expectEqual(ToolRun(["diagnose", journal, "--family", "jailbreak"]).code, .done)
    expectEqual(ToolRun(["diagnose", journal, "--family", "jailbrake"]).code, .wrongUse)
  }

  @Test("A history does not differ from itself, and differences at a problem's evidence come first")
  func against() {
    let (one, other) = (Repository.journal("interrupted-wipe"), Repository.journal("first-enrollment"))
    #expect(!ToolRun(["diagnose", one, "--against", one, "-j"]).output.contains(#""kind":"difference""#))
    let lines = ToolRun(["diagnose", one, "--against", other, "-j"]).output.split(separator: "\n")
    let differences = lines.filter { $0.contains(#""kind":"difference""#) }
    expectEqual(differences.first?.contains(#""family":"unexpected-wipe""#), true)
    #expect(differences.contains { $0.contains(#""what":"transition""#) })
  }

  @Test("Wrong words are refused with the next step")
  func refusals() {
    let journal = Repository.journal("first-enrollment")
    for words in [[journal, "1..2", "3"], [journal, "1..2", "--at", "2"], [journal, "--at", "99999"]] {
      let run = ToolRun(["diagnose"] + words)
      #expect(run.code == .wrongUse && run.notes.contains("Next: "), "\(words)")
    }
  }
}
