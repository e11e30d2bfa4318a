import Expectations
import CommandLineInterface
import Testing

@testable import CommandSupport

/// What only a terminal shows, on a real one.
@Suite("On a terminal")
struct TerminalTests {
  private static let wipe = "journals/interrupted-wipe/journal"
  private static let commands: [[String]] = [
    ["log", wipe], ["show", wipe, "15"], ["show", wipe, "7"],
    ["show", "journals/framework-history/journal", "355"], ["state", wipe], ["diff", wipe], ["stats", wipe],
    ["verify", "journals/damaged-frame/journal"], ["check", wipe],
    ["compare", wipe, "journals/first-enrollment/journal"],
    ["schema"], ["schema", "policy.received"], ["settings", "keys"], ["help"], ["help", "positions"], ["help", "log"],
    ["help", "scenario"], ["policy", "show", "Tests/pj/Policies/Small.json"],
    ["policy", "lint", "Tests/pj/Policies/Faulty.json"], ["log", "journals/damaged-frame/journal"],
    ["settings", "lint", "Tests/pj/PropertyLists/Faulty.plist"], ["log", wipe, "99"],
    ["log", "journals/interrupted-wipe"],
  ]

  @Test("No line is wider than the terminal, and no word is broken", arguments: [80, 120])
  func width(columns: Int) throws {
    _ = Repository.root
    for words in Self.commands {
      let run = try Terminal(columns: columns, words, environment: ["PAGER": "cat"])
      let plain = ToolRun(words)
      // What is longer than a line by itself cannot be helped.
      let longest = max(columns, Self.words(plain.output + plain.notes).map { TerminalText.width(of: $0) }.max() ?? 0)
      for line in run.lines { #expect(TerminalText.width(of: line) <= longest, "\(words): \(line)") }
      expectEqual(run.code, plain.code.rawValue, "\(words)")
      // A log is cut to fit; everything else is there, word by word.
      guard words.first != "log" || plain.output.isEmpty, words.first != "help" else { continue }
      expectEqual(
        Self.words(run.lines.joined(separator: "\n")).sorted(), Self.words(plain.output + plain.notes).sorted(),
        "\(words)")
    }
  }

  /// The words of a text, without bars, which are as wide as there is room.
  private static func words(_ text: String) -> [String] {
    text.split { $0 == " " || $0.isNewline }.filter { !$0.allSatisfy { "#█".contains($0) } }.map(String.init)
  }

  @Test("A log has one line an event whatever the width, and keeps the end of a path")
  func log() throws {
    _ = Repository.root
    let narrow = try Terminal(columns: 80, ["log", Self.wipe], environment: ["PAGER": "cat"]).lines
    #expect(narrow.count == 26 && narrow.first == " seq  UTC       event                   acct   change")
    #expect(narrow.contains("  19  09:25:00  wipe.completed          a1     data, policy and registratio…  +2"))
    // Asked for a part of the state, a log names its path.
    let asked = ["log", Self.wipe, "--path", "/accounts/*/enrollment/status"]
    let short = try Terminal(columns: 80, asked, environment: ["PAGER": "cat"]).lines
    #expect(short.contains("  19  09:25:00  wipe.completed          a1     …/status: wiping → removed  +7"))
    let wide = try Terminal(columns: 120, asked, environment: ["PAGER": "cat"]).lines
    #expect(
      wide.contains { $0.hasPrefix("  19  07 Oct 09:25:00  wipe.completed             a1       /accounts/a1/enr") })
  }

  @Test("Wide and combining characters do not break columns")
  func wideCharacters() throws {
    try TestFiles.withTemporaryFolder { folder in
      let name = "政策 de\u{301}fense 👩‍💻 " + String(repeating: "保護 ", count: 20)
      let policy = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(name)"}"##
      try TestFiles.write(Array(policy.utf8), to: "\(folder)/p.json")
      let run = try Terminal(columns: 80, ["policy", "show", "\(folder)/p.json"], environment: ["PAGER": "cat"])
      let lines = run.lines.drop { !$0.hasPrefix("  Name") }.prefix { $0.contains("保護") || $0.hasPrefix("  Name") }
      #expect(lines.count > 1 && lines.allSatisfy { TerminalText.width(of: $0) <= 80 }, "\(run.screen)")
      #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("        保護") }, "\(run.screen)")
    }
  }

  @Test("Where output goes to a file it is as it always was, and complete")
  func file() throws {
    _ = Repository.root
    try TestFiles.withTemporaryFolder { folder in
      for words in Self.commands {
        let run = try Terminal(columns: 60, words, output: "\(folder)/out")
        expectEqual(
          String(decoding: try TestFiles.read("\(folder)/out"), as: UTF8.self), ToolRun(words).output, "\(words)")
        #expect(!run.screen.contains("seq  "))
      }
    }
  }

  @Test("Long output goes through the pager, short output and what asks for none does not")
  func pager() throws {
    _ = Repository.root
    let words = ["log", Self.wipe]
    func isPaged(_ words: [String], rows: Int = 10, _ environment: [String: String?]) throws -> Bool {
      try Terminal(columns: 80, rows: rows, words, environment: environment).screen.contains("[paged]")
    }
    let pager = "sed s/^/[paged]/"
    #expect(try isPaged(words, ["PAGER": pager]))
    #expect(try !isPaged(words, rows: 60, ["PAGER": pager]), "it fits")
    #expect(try !isPaged(words + ["--no-pager"], ["PAGER": pager]))
    #expect(try isPaged(["help", "log"], ["PAGER": pager]) && isPaged(["log", "--help"], ["PAGER": pager]))
    for none in ["", " ", "cat"] { #expect(try !isPaged(words, ["PAGER": none])) }
    let whole = try Terminal(columns: 80, rows: 10, words, environment: ["PAGER": "cat"])
    let paged = try Terminal(columns: 80, rows: 10, words, environment: ["PAGER": "cat -"])
    #expect(paged.screen == whole.screen && paged.code == 0)
  }

  @Test("A pager that is left early, or is not there, is no trouble, and the exit code stays")
  func pagerEnds() throws {
    _ = Repository.root
    let damaged = ["log", "journals/damaged-frame/journal"]
    let left = try Terminal(columns: 80, rows: 5, damaged, environment: ["PAGER": "head -2"])
    expectEqual(left.code, ExitCode.partial.rawValue)
    #expect(left.lines.prefix(2).joined().contains("seq") && left.screen.contains("Next: pj salvage"))
    let missing = try Terminal(columns: 80, rows: 5, damaged, environment: ["PAGER": "/no/such/pager"])
    expectEqual(missing.code, ExitCode.unreadable.rawValue)
    #expect(missing.screen.contains("the pager '/no/such/pager' cannot be run."), "\(missing.screen)")
    #expect(missing.screen.contains("Next: pj --no-pager, or another PAGER"))
  }

  @Test("The pager is the one that is named, or less where there is one and the terminal can show it")
  func choice() {
    func pager(_ variables: [String: String], hasLess: Bool = true) -> Bool {
      Pager.chosen(rows: 24, { variables[$0] }, finds: { _ in hasLess }) != nil
    }
    #expect(pager(["TERM": "xterm"]) && pager(["TERM": "dumb", "PAGER": "more"]))
    #expect(!pager(["TERM": "dumb"]) && !pager([:]) && !pager(["TERM": "xterm"], hasLess: false))
    #expect(!pager(["TERM": "xterm", "PAGER": ""]) && !pager(["TERM": "xterm", "PAGER": " cat "]))
  }
}
