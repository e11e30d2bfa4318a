import Expectations
import AppProtection
import AppProtectionInsight
import EventSourcing
import JSON
import Testing

@testable import CommandSupport
@testable import JournalCommands
@testable import ReplayTool

/// Questions to a diagnosis in the words of users: a complaint, and a day.
@Suite("Complaints and days")
struct ComplaintTests {
  private static func records(_ words: [String], _ kind: String) -> [JSONObject] {
    ToolRun(["diagnose"] + words + ["-j"]).records.compactMap { $0?.object }.filter { $0["kind"]?.string == kind }
  }

  /// A device that is jailbroken on three days, and each time restored on the next one.
  private static let threeDays =
    [#"{"wait": "PT1H"}, {"exit": {}}, {"wait": "P2D"}"#]
    + [String](
      repeating: #"{"wait": "P2D"}, {"launch": {}}, {"reportDevice": {"isJailbroken": true}}, {"setUI": "dora"}, "#
        + #"{"wait": "PT20M"}, {"exit": {}}, {"wait": "PT20H"}, {"launch": {}}, "#
        + #"{"reportDevice": {"isJailbroken": false}}, {"setUI": "dora"}, {"wait": "PT1H"}, {"exit": {}}"#, count: 3)
    + [#"{"wait": "P6D"}, {"launch": {}}, {"setUI": "dora"}, {"wait": "PT1H"}, {"exit": {}}"#]

  @Test("A complaint shows the families that lead to it, and the first event at which an answer became a reason for it")
  func blocked() throws {
    try TestFiles.withTemporaryFolder { folder in
      try DiagnosisFactsTests.simulate(Self.threeDays, into: "\(folder)/j")
      let journal = "\(folder)/j"
      let run = ToolRun("diagnose", journal, "--complaint", "blocked")
      #expect(run.output.contains("jailbreak"), "\(run.output)")
      #expect(run.code == .different && run.lines.allSatisfy { $0.count <= 80 })
      let launch = try #require(
        Self.records([journal, "--complaint", "blocked"], "question").first { $0["question"]?.string == "launch(a1)" })
      expectEqual(launch["answer"]?.string, "allowed")
      expectEqual(launch["isUsual"]?.bool, true)
      let change = try #require(launch["change"]?.object)
      expectEqual(change["answer"]?.string, "block")
      expectEqual(change["type"]?.string, "device.reported")
      let event = try #require(change["event"]?.int)
      #expect(run.unfolded.contains("≠ launch(a1) allowed since event"), "\(run.unfolded)")
      #expect(run.unfolded.contains("; first block at event \(event) device.reported, 2026-03-0"), "\(run.unfolded)")
    }
  }

  @Test("Where nothing leads to a complaint, what was asked and what held is said, and the exit code is 0")
  func nothing() throws {
    try TestFiles.withTemporaryFolder { folder in
      try DiagnosisFactsTests.simulate([#"{"wait": "PT1H"}, {"exit": {}}"#], into: "\(folder)/j")
      let run = ToolRun("diagnose", "\(folder)/j", "--complaint", "closes")
      expectEqual(run.code, .done)
      let words = run.unfolded
      #expect(words.hasPrefix("nothing was found of the families crash-loop, restart-pending, "), "\(words)")
      #expect(words.contains("= launch(a1) allowed throughout; now because "), "\(words)")
      #expect(words.hasSuffix("No answer became a reason for this complaint."), "\(words)")
      let complaint = Self.records(["\(folder)/j", "--complaint", "closes"], "complaint").first
      expectEqual(complaint?["families"]?.array?.first?.string, "crash-loop")
    }
  }

  @Test("What only blocked is no answer to a complaint about data that is gone")
  func kept() throws {
    try TestFiles.withTemporaryFolder { folder in
      try DiagnosisFactsTests.simulate(Self.threeDays, into: "\(folder)/j")
      let run = ToolRun("diagnose", "\(folder)/j", "--complaint", "wiped")
      #expect(run.code == .done && !run.output.contains("jailbreak  ("), "\(run.output)")
    }
  }

  @Test("An answer that stays for another reason than before has that reason now, and not throughout")
  func reasons() throws {
    try TestFiles.withTemporaryFolder { folder in
      try DiagnosisFactsTests.simulate(
        [#"{"wait": "PT1H"}, {"service": {"dora": "wipe"}}, {"checkIn": "dora"}, {"exit": {}}"#],
        into: "\(folder)/j")
      let words = ToolRun("diagnose", "\(folder)/j", "--complaint", "unprotected").unfolded
      #expect(words.contains("= pin(a1) notRequired throughout; now because no policy "), "\(words)")
    }
  }

  @Test("A complaint about the configuration asks where each delivered key comes from")
  func configuration() throws {
    try TestFiles.withTemporaryFolder { folder in
      try DiagnosisFactsTests.simulate(
        [
          #"{"configuration": {"account": "dora", "targeted": [{"homepage": "start"}]}}, {"wait": "PT1H"}"#,
          #"{"configuration": {"account": "dora", "targeted": [{"homepage": "start"}, {"homepage": "end"}]}}"#,
          #"{"wait": "PT1H"}"#,
        ], into: "\(folder)/j")
      let questions = Self.records(["\(folder)/j", "--complaint", "configuration"], "question")
      let homepage = try #require(questions.first { $0["question"]?.string == "config(homepage, a1)" }, "\(questions)")
      expectEqual(homepage["answer"]?.string, "conflict")
      expectEqual(homepage["change"]?.object?["type"]?.string, "configuration.received")
    }
  }

  @Test("Every complaint has families, and questions that can be asked of an account", arguments: Complaint.allCases)
  func askable(complaint: Complaint) throws {
    #expect(!complaint.families.isEmpty && !complaint.meaning.isEmpty)
    let inquiries = complaint.inquiries(about: .first, keys: ["a key"])
    #expect(!inquiries.isEmpty)
    for inquiry in inquiries {
      let form = try #require(AppProtectionMachine.questions.first { $0.name == inquiry.name })
      #expect(
        form.make(inquiry.values + form.parameters.dropFirst(inquiry.values.count).map { $0.standard ?? "" }) != nil)
      #expect(inquiry.usual.isSubset(of: form.answers.names), "\(inquiry)")
      #expect(!inquiry.usual.isEmpty && inquiry.usual.count < form.answers.names.count, "\(inquiry)")
    }
  }

  @Test("A day shows what touches it, judged with all that came later, and --at what was known then")
  func day() throws {
    try TestFiles.withTemporaryFolder { folder in
      try DiagnosisFactsTests.simulate(Self.threeDays, into: "\(folder)/j")
      let journal = "\(folder)/j"
      let run = ToolRun("diagnose", journal, "--about", "2026-03-06", "--family", "jailbreak")
      #expect(run.code == .different && run.unfolded.contains("over since event"), "\(run.output)")
      #expect(run.unfolded.contains(" episode "), "\(run.output)")
      let before = ToolRun("diagnose", journal, "--about", "2026-03-04", "--family", "jailbreak")
      expectEqual(before.code, .done)
      let nothing = "nothing was found about 2026-03-04 (UTC), of the family jailbreak, up to event "
      #expect(before.unfolded.hasPrefix(nothing), "\(before.output)")
      expectEqual(ToolRun("diagnose", journal, "--about", "2026-03-16", "--family", "jailbreak").code, .done)
      // The same day by one of its events, and judged by what was known then.
      let event = ToolRun("diagnose", journal, "--about", "device.reported#1", "--family", "jailbreak")
      expectEqual(event.output, run.output)
      let then = ToolRun("diagnose", journal, "--at", "2026-03-06", "--family", "jailbreak")
      #expect(!then.output.contains("over since event"), "\(then.output)")
    }
  }

  @Test("A day outside of the history is refused with its first and its last day")
  func outside() throws {
    try TestFiles.withTemporaryFolder { folder in
      try DiagnosisFactsTests.simulate(Self.threeDays, into: "\(folder)/j")
      for day in ["2026-02-27", "2027-01"] {
        let run = ToolRun("diagnose", "\(folder)/j", "--about", day)
        expectEqual(run.code, .wrongUse)
        #expect(
          run.notes.contains("is outside of the history, whose first day is 2026-03-02 and whose last is 2026-03-1"),
          "\(run.notes)")
      }
      for words in [
        ["--about", "today", "--at", "5"], ["3..9", "--about", "today"],
        ["--complaint", "wiped", "--family", "jailbreak"],
      ] {
        let run = ToolRun(["diagnose", "\(folder)/j"] + words)
        #expect(run.code == .wrongUse && run.notes.contains("exclude each other"), "\(words): \(run.notes)")
      }
      expectEqual(ToolRun("fork", "\(folder)/j", "5", "\(folder)/fork").code, .done)
      let empty = ToolRun("diagnose", "\(folder)/fork", "--about", "today")
      #expect(empty.code == .wrongUse && empty.notes.contains("fork: without events, there is no day to ask about"))
      let word = ToolRun("diagnose", "\(folder)/j", "--complaint", "wipped")
      #expect(word.code == .wrongUse && word.notes.contains("wiped"), "\(word.notes)")
    }
  }
}
