import Expectations
import CommandLineInterface
import Forensics
import JSON
import Testing

@testable import CommandSupport
@testable import JournalCommands
@testable import ReplayTool
@testable import pj
@testable import PolicyCommands

@Suite("Output")
struct OutputTests {
  @Test("JSON Lines begin with their schema, are JSON throughout, and end with a record that says whether all is there")
  func jsonLines() throws {
    let commands = [
      ["log", "J/torn-tail"], ["log", "J/damaged-frame"], ["show", "J/torn-tail", "1"], ["state", "J/torn-tail"],
      ["stats", "J/torn-tail"], ["export", "J/torn-tail", "--preview"], ["diff", "J/torn-tail"],
      ["compare", "J/torn-tail", "J/torn-tail"],
      ["verify", "J/damaged-frame"], ["schema"], ["version"],
      ["retire", "J/framework-history", "2020-06", "--dry-run"],
      ["fork", "J/first-enrollment", "12", "x", "--dry-run"],
    ]
    for words in commands {
      let run = ToolRun(words.map(SnapshotTests.expanded) + ["-j"])
      let records = run.records.compactMap { $0?.object }
      expectEqual(records.count, run.lines.count, "\(words): a line is no JSON object")
      let first = try #require(records.first)
      expectEqual(first["kind"]?.string, "start")
      expectEqual(first["schema"]?.string, "pj.\(words[0])")
      expectEqual(first["version"]?.number?.integer(), 1)
      let last = try #require(records.last)
      expectEqual(last["kind"]?.string, "end")
      expectEqual(last["complete"]?.bool, run.code == .done || run.code == .different)
      expectEqual(last["exit"]?.number?.integer(Int32.self), run.code.rawValue)
    }
  }

  @Test("Control characters in a journal never reach the output, in any command")
  func controlCharacters() throws {
    try TestFiles.withTemporaryFolder { folder in
      let nasty = "\\u001b[31mred\\u001b]0;title\\u0007\\u202e\\u0085\\n"
      let scenario = """
        {"scenario": 1, "title": "t", "start": "2026-10-05T09:00:00Z",
         "accounts": {"alice": {"upn": "al\\u001b[2Jice@contoso.com"}},
         "policies": {"p": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection",
           "displayName": "\(nasty)", "description": "\(nasty)", "\(nasty)": "\(nasty)"}}},
         "steps": [{"service": {"alice": {"policy": "p"}}}, {"launch": {}}, {"registerAndEnroll": "alice"}]}
        """
      let path = "\(folder)/out"
      try TestFiles.write(Array(scenario.utf8), to: "\(folder)/s.json")
      expectEqual(ToolRun("simulate", "\(folder)/s.json", "-o", path).code, .done)
      let commands = [
        ["log", path], ["show", path, "policy.received"], ["show", path, "account.introduced"], ["state", path],
        ["state", path, "--flat"], ["diff", path, "--full"], ["compare", path, path], ["stats", path],
        ["log", path, "--type", "\u{1B}[31m"], ["log", path, "-g", "\u{1B}[31m"],
        ["state", path, "--path", "/\u{1B}[0m"],
      ]
      for words in commands + commands.map({ $0 + ["-j"] }) {
        let run = ToolRun(words + ["--reveal"])
        let hazards = (run.output + run.notes).unicodeScalars.filter {
          ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}"
        }
        #expect(hazards.isEmpty, "\(words): \(hazards.map(\.value))")
      }
    }
  }

  @Test("Colors are on a terminal only, unless asked for, and change nothing but escape sequences")
  func colors() {
    let path = Repository.journal("damaged-frame")
    var terminal = ToolEnvironment()
    terminal.outputIsTerminal = true
    var noColor = terminal
    noColor.noColor = true
    let plain = ToolRun("log", path).output
    let colored = ToolRun(["log", path], environment: terminal).output
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.contains("\u{1B}[31m"))
    expectEqual(colored.replacing(/\u{1B}\[[0-9;]*m/, with: ""), plain)
    expectEqual(ToolRun(["log", path], environment: noColor).output, plain)
    expectEqual(ToolRun("log", path, "--color", "always").output, colored)
    expectEqual(ToolRun(["log", path, "--color", "never"], environment: terminal).output, plain)
  }

  @Test("A reader that goes away ends the tool quietly")
  func brokenPipe() throws {
    Platform.ignoreBrokenPipes()
    let pipe = try TestFiles.brokenPipe()
    let output = TextOutput(descriptor: pipe, isTerminal: true)
    let notes = TextOutput()
    let code = PolicyJournalTool.shell.run(
      ["log", Repository.journal("framework-history")], output: output, notes: notes, environment: ToolEnvironment())
    #expect(output.isClosed)
    #expect(notes.text.isEmpty)
    expectEqual(code, .done)
  }

  @Test("A full device is an error")
  func fullDevice() throws {
    guard let device = TestFiles.fullDevice() else { return }
    let notes = TextOutput()
    let code = PolicyJournalTool.shell.run(
      ["version"], output: TextOutput(descriptor: device, isTerminal: false), notes: notes,
      environment: ToolEnvironment())
    expectEqual(code, .unreadable)
    expectEqual(notes.text, "pj: standard output: No space left on device. Next: make room or write elsewhere\n")
  }

  @Test("A log in reverse is the log read backwards, whatever fits into memory", arguments: [1, 2, 7, 100])
  func windows(capacity: Int) throws {
    let journal = try JournalInput(Repository.journal("multi-identity-day"), ToolEnvironment())
    let text = LogText(style: .plain, redaction: .on)
    let pass = LogPass(journal: journal, lower: 1, upper: nil, redaction: .on, context: 1)
    func rows(_ limit: Int?, isReversed: Bool) throws -> [String] {
      let output = TextOutput()
      let tail = LogTail(limit: limit, isReversed: isReversed, windowCapacity: capacity)
      _ = try tail.print(pass, EventFilter(), text, LogPrinter(output, text))
      return output.text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix(" seq") }
    }
    let all = try rows(nil, isReversed: false)
    expectEqual(all.count, 44)
    try expectEqual(rows(nil, isReversed: true), all.reversed())
    try expectEqual(rows(1000, isReversed: false), all)
    try expectEqual(rows(3, isReversed: true), Array(all.reversed().prefix(4)), "three matches and the row before them")
  }

  @Test("The last events are the same when they are printed before the rest is read", arguments: [true, false])
  func lastEvents(isReversed: Bool) throws {
    for name in ["multi-identity-day", "interrupted-wipe", "framework-history"] {
      let journal = try JournalInput(Repository.journal(name), ToolEnvironment())
      let text = LogText(style: .plain, redaction: .on)
      let pass = LogPass(journal: journal, lower: 1, upper: nil, redaction: .on, context: 0)
      func rows(_ limit: Int?) throws -> ([String], LogTotals) {
        let output = TextOutput()
        let tail = LogTail(limit: limit, isReversed: isReversed)
        let totals = try tail.print(pass, EventFilter(), text, LogPrinter(output, text))
        return (output.text.split(separator: "\n").map(String.init).filter { $0.contains(":") }, totals)
      }
      let (all, whole) = try rows(nil)
      for limit in [1, 2, 5, 20] where limit < all.count {
        let (some, totals) = try rows(limit)
        let isEvent = { (line: String) in !line.contains("!") }
        let wanted = all.filter(isEvent)
        expectEqual(
          some.filter(isEvent), isReversed ? Array(wanted.prefix(limit)) : wanted.suffix(limit), "\(name), \(limit)")
        #expect(totals.matched == whole.matched && totals.seen == whole.seen && totals.last == whole.last)
      }
    }
  }

  @Test("A page has every line of its text, with a line break at its end or without one", arguments: [nil, 20])
  func page(columns: Int?) {
    for text in ["", "a\n", "a\nb", "a\nb\n", "a\n\n", "\n"] {
      let output = TextOutput(columns: columns)
      output.page(text)
      #expect(output.text == text || output.text == text + "\n", "\(output.text)")
    }
  }

  @Test("Reading leaves every file as it was, and adds none")
  func readingNeverWrites() throws {
    let path = Repository.journal("interrupted-wipe")
    let before = try TestFiles.names(in: path).map { ($0, try TestFiles.read("\(path)/\($0)")) }
    for words in [["log"], ["state"], ["stats"], ["verify"], ["diff"]] { _ = ToolRun(words + [path]) }
    let after = try TestFiles.names(in: path).map { ($0, try TestFiles.read("\(path)/\($0)")) }
    expectEqual(before.map(\.0), after.map(\.0))
    expectEqual(before.map(\.1), after.map(\.1))
  }
}
