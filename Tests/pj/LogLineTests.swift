import Expectations
import AppProtection
import EventSourcing
import Forensics
import Journal
import Testing

@testable import CommandSupport
@testable import pj
@testable import PolicyCommands

/// What `pj log` prints other than its table.
@Suite("Lines of a log in other forms")
struct LogLineTests {
  private static let wipe = Repository.journal("interrupted-wipe")

  @Test("--oneline has a line for each event and no other, with what the event means")
  func oneline() {
    let run = ToolRun("log", Repository.journal("damaged-frame"), "--oneline")
    expectEqual(run.code, .partial)
    #expect(run.lines.allSatisfy { $0.first?.isNumber ?? false }, "\(run.output)")
    #expect(run.notes.contains("damaged; what is shown is sound"))
    let last = ToolRun("log", Self.wipe, "--oneline", "--type", "wipe.*")
    expectEqual(
      last.lines,
      [
        "15 wipe.requested a1 by service: 1 administrator, enrolledWithPolicy → wiping",
        "16 wipe.delegateAnswered a1 the app leaves its files to the engine",
        "18 wipe.filesRemoved a1 12 files removed",
        "19 wipe.completed a1 data, policy and registration are gone, wiping → removed  +2",
      ])
    #expect(last.notes.isEmpty && last.code == .done)
    let newest = ToolRun("log", Self.wipe, "--oneline", "-n", "2", "-r")
    expectEqual(newest.lines.map { $0.prefix(2) }, ["22", "21"])
  }

  @Test("On a terminal a line of --oneline is cut at its width")
  func narrow() {
    let output = TextOutput(columns: 40)
    _ = PolicyJournalTool.shell.run(
      ["log", Self.wipe, "--oneline"], output: output, notes: TextOutput(), environment: .withoutPauses)
    expectEqual(output.text.split(separator: "\n").count, 22)
    #expect(output.text.split(separator: "\n").allSatisfy { $0.count <= 40 })
  }

  @Test(
    "A template names fields and paths, and braces, tabs and line ends by escapes",
    arguments: [
      ("{seq} {type}", "15 wipe.requested"), ("{{{seq}}}", "{15}"), ("a\\tb\\nc", "a\tb\nc"),
      ("{time}|{account}|{cause}|{correlation}|{process}|{version}", "2026-10-07T09:20:00Z|a1|14|14|10|1"),
      ("{/accounts/a1/enrollment/status}", "wiping"), ("{/accounts/a1/lastCode}", "unset"),
      (
        "{/wipes/a1}",
        "status: requested, reason: administrator, origin: service, precedesUnenrollment: false, requestedBy: 15, filesRemoved: 0"
      ),
      ("{headline}", "by service: 1 administrator, enrolledWithPolicy → wiping"),
      ("{/accounts/a1/objectID}", "(withheld)"), ("{findings}{conditions}", ""), ("{uptime}", "PT20M1S"),
    ])
  func template(template: String, line: String) {
    let run = ToolRun("log", Self.wipe, "15..15", "--template", template)
    #expect(run.output == line + "\n" && run.code == .done, "\(run.output)\(run.notes)")
  }

  @Test(
    "A template that cannot be used says why, with the nearest field",
    arguments: [
      ("{tpye}", "no field is called {tpye}; nearest: {type}"), ("{seq", "{seq has no closing brace"),
      ("seq}", "a closing brace has no opening one; }} stands for a brace"),
      ("{/accounts/*}", "{/accounts/*} names several values; write one path for each"),
      ("{}", "no field is called {}"),
    ])
  func misspelt(template: String, reason: String) {
    let run = ToolRun("log", Self.wipe, "--template", template)
    #expect(run.code == .wrongUse && run.output.isEmpty)
    expectEqual(run.notes, "pj log: --template: \(reason). Next: pj help templates\n")
  }

  @Test("Where the state is not known, a path has no value")
  func unknownState() {
    let run = ToolRun("log", Repository.journal("damaged-frame"), "end", "--template", "{seq} {/process/launch}")
    expectEqual(run.lines.last?.hasSuffix(" unknown"), true, "\(run.output)")
  }

  @Test(
    "What does not go together is refused",
    arguments: [
      (["--oneline", "--template", "{seq}"], "--oneline and --template exclude each other"),
      (["--oneline", "-j"], "-j does not apply to --oneline"),
      (["--template", "{seq}", "-j"], "-j does not apply to --template"),
      (["--local", "-j"], "-j does not apply to --local"),
      (["--oneline", "--highlight", "a"], "--highlight does not apply to --oneline"),
      (["--exit-on", "type = a"], "--exit-on ends a log that is followed, with -f"),
    ])
  func refused(words: [String], reason: String) {
    let run = ToolRun(["log", Self.wipe] + words)
    #expect(run.code == .wrongUse && run.notes == "pj log: \(reason). Next: pj help log\n")
  }

  @Test("Local times have the offset of their event, and times before the first known one are in UTC and say so")
  func local() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/travels.pj"
      let store = try EventStore<AppProtectionMachine>.create(
        at: path, journalID: try #require(JournalID(bytes: [UInt8](repeating: 7, count: 16))), createdNanoseconds: 0)
      let hour: Int64 = 3_600_000_000_000
      try store.append(.startProcess(ProcessStart()), at: Moment(wallNanoseconds: 0))
      var start = ProcessStart()
      start.utcOffset = -hour * 7 / 2
      try store.append(.startProcess(start), at: Moment(wallNanoseconds: hour))
      try store.append(.noteUTCOffset(2 * hour), at: Moment(wallNanoseconds: 23 * hour))
      try store.close()
      let table = ToolRun("log", path, "--local")
      expectEqual(table.lines.first?.hasPrefix(" seq  time (local) 1970"), true, "\(table.output)")
      let times = table.lines.filter { $0.prefix(4).contains { $0.isNumber } && !$0.contains("–") }
      expectEqual(
        times.map { $0.dropFirst(6).prefix(22) }.prefix(3).map(String.init),
        [
          "01 Jan 00:00:00 UTC   ", "31 Dec 21:30:00 -03:30", "02 Jan 01:00:00 +02:00",
        ], "\(table.output)")
      let lines = ToolRun("log", path, "--local", "--template", "{time}").lines
      expectEqual(
        lines, ["1970-01-01T00:00:00Z", "1969-12-31T21:30:00-03:30", "1970-01-02T01:00:00+02:00"], "\(lines)")
      expectEqual(ToolRun("log", path, "--oneline", "--type", "clock.*").lines, ["3 clock.offsetChanged  UTC+02:00"])
    }
  }

  @Test("Control characters of a journal are escaped in a template, and those of the template are not")
  func controlCharacters() throws {
    try TestFiles.withTemporaryFolder { folder in
      let scenario = """
        {"scenario": 1, "title": "t", "start": "2026-10-05T09:00:00Z", "accounts": {"alice": {"upn": "a@contoso.com"}},
         "policies": {"p": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection",
           "displayName": "a\\u001b[31mb"}}},
         "steps": [{"service": {"alice": {"policy": "p"}}}, {"launch": {}}, {"registerAndEnroll": "alice"}]}
        """
      try TestFiles.write(Array(scenario.utf8), to: "\(folder)/s.json")
      expectEqual(ToolRun("simulate", "\(folder)/s.json", "-o", "\(folder)/out").code, .done)
      let run = ToolRun(
        "log", "\(folder)/out", "--type", "policy.received", "--template", "{seq}\\t{/policies/a1/displayName}")
      #expect(run.output.contains("\t") && !run.output.contains("\u{1B}") && run.output.contains("[31mb"))
    }
  }

  @Test("The day of the last event is today, and the day before it yesterday")
  func days() throws {
    let journal = Repository.journal("framework-history")
    expectEqual(ToolRun("log", journal, "today", "--oneline").lines.count, 14)
    let yesterday = ToolRun("log", journal, "yesterday", "--template", "{time}").lines
    #expect(yesterday.count == 14 && yesterday.allSatisfy { $0.hasPrefix("2021-09-30T") }, "\(yesterday)")
    expectEqual(ToolRun("log", journal, "yesterday..today", "--oneline").lines.count, 28)
    expectEqual(
      ToolRun("state", journal, "yesterday", "--path", "/process/launch").output,
      ToolRun(
        "state", journal, "2021-09-30", "--path", "/process/launch"
      ).output)
  }
}
