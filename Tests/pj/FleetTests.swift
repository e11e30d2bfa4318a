import Expectations
import EventSourcing
import Forensics
import Journal
import JSON
import Testing

@testable import JournalCommands
@testable import ReplayTool

/// Many journals at once: the same answers as one at a time, and nothing that is left out.
@Suite("pj fleet")
struct FleetTests {
  private static func journals(_ run: ToolRun) -> [JSONObject] {
    run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "journal" }
  }

  private static func row(_ run: ToolRun, _ path: String) throws -> JSONObject {
    try #require(journals(run).first { $0["path"]?.string == path }, "\(path): \(run.output)")
  }

  @Test("A row says what verify, check and diagnose say of the journal alone", arguments: Repository.journals)
  func agrees(name: String) throws {
    let path = Repository.journal(name)
    let row = try Self.row(ToolRun("fleet", path, "-j"), ".")
    let verify = ToolRun("verify", path, "-j")
    #expect((row["bytes"]?.string == "sound") == (verify.code == .done))
    let check = ToolRun("check", path, "-j")
    #expect((row["states"]?.string == "agree") == (check.code == .done))
    #expect((row["states"]?.string == "differ") == (check.code == .different))
    let diagnose = ToolRun("diagnose", path, "-j").records.compactMap { $0?.object }
    let problems = diagnose.filter { $0["kind"]?.string == "finding" }
    let findings = try #require(row["findings"]?.array).compactMap(\.object)
    expectEqual(findings.count, problems.count)
    for (finding, problem) in zip(findings, problems) {
      for member in ["family", "severity", "subject", "sentence", "confidence", "until", "explainedBy"] {
        let (one, other) = (try #require(finding[member]), try #require(problem[member]))
        #expect(one.isEquivalent(to: other), "\(member)")
      }
      let event = try #require(problem["evidence"]?.array?.first?.object?["event"])
      #expect(try #require(finding["event"]).isEquivalent(to: event))
    }
    let totals = try #require(
      ToolRun("stats", path, "-j").records.compactMap { $0?.object }.first {
        $0["totals"] != nil || $0["kind"]?.string == "totals"
      })
    for (member, total) in [("events", "events"), ("firstEvent", "first"), ("lastEvent", "last")] {
      #expect(try #require(row[member]).isEquivalent(to: try #require(totals[total])), "\(member)")
    }
  }

  @Test("The output is the same on any number of threads, and in part from an earlier run")
  func deterministic() throws {
    try TestFiles.withTemporaryFolder { folder in
      _ = Repository.root
      let once = ToolRun("fleet", "journals", "-j").output
      for threads in ["1", "2", "9"] {
        expectEqual(ToolRun("fleet", "journals", "-j", "--threads", threads).output, once)
      }
      // What was changed within two seconds is not relied upon.
      let state = "\(folder)/state"
      let first = ToolRun("fleet", "journals", "-j", "--resume", state)
      #expect(first.output == once && first.notes.hasSuffix("pj fleet: 0 unchanged since the last run\n"))
      let second = ToolRun("fleet", "journals", "-j", "--resume", state)
      expectEqual(second.output, once, "\(second.notes)")
      #expect(second.notes.hasSuffix("pj fleet: 7 unchanged since the last run\n"), "\(second.notes)")
      let kept = try TestFiles.names(in: folder).filter { !$0.hasPrefix(".") }
      expectEqual(kept, ["state"])
    }
  }

  @Test("Files that cannot be read are rows, and the rest is examined")
  func broken() throws {
    try TestFiles.withTemporaryFolder { folder in
      let root = "\(folder)/all"
      expectEqual(TestFiles.shell("mkdir -p \(root)/b/c \(root)/hollow"), 0)
      try TestFiles.copy(Repository.journal("first-enrollment"), to: "\(root)/b/c/good")
      try TestFiles.write([1, 2, 3], to: "\(root)/a.zip")
      try TestFiles.write([], to: "\(root)/empty.pjx")
      try TestFiles.create(.pipe, "\(root)/pipe.pjx")
      try TestFiles.create(.pipe, "\(root)/pipe")
      try TestFiles.write(Array("hello".utf8), to: "\(root)/notes.txt")
      try TestFiles.write([], to: "\(root)/hollow/00000000000000000001.seg")
      expectEqual(ToolRun("export", "\(root)/b/c/good", "-o", "\(root)/whole.pjx").code, .done)
      let whole = try TestFiles.read("\(root)/whole.pjx")
      try TestFiles.write(Array(whole.prefix(whole.count - 40)), to: "\(root)/cut.pjx")
      let packing = "cd \(root)/b/c && cp -r good other && zip -qr ../../two.zip good other && rm -r other"
      expectEqual(TestFiles.shell(packing), 0)
      expectEqual(TestFiles.shell("ln -s . \(root)/loop; ln -s nothing \(root)/nothing"), 0)
      let run = ToolRun("fleet", root, "-j")
      expectEqual(run.code, .unreadable)
      let outcomes = Self.journals(run).map { "\($0["path"]?.string ?? "") \($0["outcome"]?.string ?? "")" }
      expectEqual(
        outcomes,
        [
          "a.zip unreadable", "b/c/good clean", "cut.pjx damaged", "empty.pjx unreadable", "hollow damaged",
          "pipe.pjx unreadable", "two.zip/good clean", "two.zip/other clean", "whole.pjx clean",
        ], "\(run.output)")
      expectEqual(run.notes, "pj fleet: 1 link to folders is not followed\n")
      for path in ["a.zip", "cut.pjx", "empty.pjx", "hollow", "pipe.pjx"] {
        try expectEqual(Self.row(run, path)["error"]?.string?.isEmpty, false, "\(path)")
      }
      let text = ToolRun("fleet", root)
      expectEqual(text.lines.first, "9 journals: 4 clean, 2 damaged or incomplete, 3 unreadable", "\(text.output)")
      let missing = ToolRun("fleet", "\(root)/nowhere", "-j")
      #expect(missing.code == .unreadable && missing.output.contains("nowhere"), "\(missing.output)")
      try expectEqual(Self.row(ToolRun("fleet", "\(root)/notes.txt", "-j"), ".")["outcome"]?.string, "unreadable")
    }
  }

  @Test("Names of people in paths are withheld, and a table holds neither formulas nor control characters")
  func paths() throws {
    try TestFiles.withTemporaryFolder { folder in
      let root = "\(folder)/all"
      expectEqual(TestFiles.shell("mkdir -p '\(root)/alice@contoso.com'"), 0)
      try TestFiles.write([1, 2, 3], to: "\(root)/alice@contoso.com/bob@contoso.com.zip")
      try TestFiles.write([1, 2, 3], to: "\(root)/=cmd.zip")
      try TestFiles.write([1, 2, 3], to: "\(root)/\u{1B}x.zip")
      for options in [[], ["-j"], ["--csv"]] {
        let run = ToolRun(["fleet", root] + options)
        #expect(!"\(run)".contains("contoso") && run.output.contains("(withheld)/(withheld)"), "\(run)")
        #expect(!run.output.contains("\u{1B}"))
        #expect(
          ToolRun(["fleet", root, "--reveal"] + options).output.contains("alice@contoso.com/bob@contoso.com.zip"))
      }
      #expect(ToolRun("fleet", root, "--csv").output.contains(",\"'=cmd.zip\","))
      try TestFiles.copy(Repository.journal("first-enrollment"), to: "\(root)/alice@contoso.com/good")
      let run = ToolRun("fleet", "\(root)/alice@contoso.com")
      #expect(!run.output.contains("alice"), "\(run)")
    }
  }

  @Test("--list names what is examined, in the same order, and examines nothing")
  func list() throws {
    try TestFiles.withTemporaryFolder { folder in
      let root = "\(folder)/all"
      expectEqual(TestFiles.shell("mkdir -p '\(root)/b@c/d'; ln -s . \(root)/loop"), 0)
      try TestFiles.copy(Repository.journal("first-enrollment"), to: "\(root)/b@c/d/good")
      try TestFiles.write([1, 2, 3], to: "\(root)/a.zip")
      try TestFiles.write([1, 2, 3], to: "\(root)/notes.txt")
      let words = [root, "\(root)/notes.txt", "\(root)/nowhere"]
      let run = ToolRun(["fleet", "--list"] + words)
      #expect(
        run.lines == ["\(root)/a.zip", "\(root)/(withheld)/d/good", "\(root)/notes.txt", "\(root)/nowhere"]
          && run.code == .done,
        "\(run)")
      expectEqual(run.notes, "pj fleet: 1 link to folders is not followed\n")
      expectEqual(ToolRun(["fleet", "--list", "--reveal"] + words).lines[1], "\(root)/b@c/d/good")
      let records = ToolRun(["fleet", "--list", "-j"] + words)
      expectEqual(OutputSchemaTests.problems(of: records.output), [])
      let units = records.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "unit" }
      let rows = Self.journals(ToolRun(["fleet", "-j"] + words))
      expectEqual(units.count, 4)
      for (unit, row) in zip(units, rows) {
        #expect(unit["folder"]?.string == row["folder"]?.string && unit["path"]?.string == row["path"]?.string)
      }
      expectEqual(TestFiles.shell("mkdir \(folder)/empty"), 0)
      let nothing = ToolRun("fleet", "--list", "\(folder)/empty")
      #expect(nothing.code == .unreadable && nothing.notes.contains("no journal, export or archive is there"))
      let both = ToolRun("fleet", "--list", "--csv", root)
      #expect(both.code == .wrongUse && both.notes.contains("--list and --csv exclude each other"))
    }
  }

  @Test("A link is not replaced by what is kept")
  func linkedLedger() throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("ln -s real \(folder)/link"), 0)
      let run = ToolRun("fleet", Repository.journal("torn-tail"), "--resume", "\(folder)/link")
      expectEqual(run.code, .wrongUse)
      expectEqual(
        run.notes,
        "pj fleet: --resume \(folder)/link: this is a link, which is not followed; name the file itself. Next: readlink -f \(folder)/link\n"
      )
      let names = try TestFiles.names(in: folder)
      expectEqual(names, ["link"])
    }
  }

  @Test("A fleet needs a path")
  func nothing() {
    let run = ToolRun("fleet")
    #expect(run.code == .wrongUse && run.notes.contains("PATH is missing"), "\(run)")
  }

  @Test("A folder that is too deep is a row")
  func deep() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = (["\(folder)/top"] + [String](repeating: "d", count: 70)).joined(separator: "/")
      expectEqual(TestFiles.shell("mkdir -p \(path)"), 0)
      let run = ToolRun("fleet", "\(folder)/top", "-j")
      #expect(run.output.contains("this is more than 64 folders deep"), "\(run.output)")
    }
  }

  @Test("A stamp is of every file of a journal, and does not count while they are new")
  func stamps() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("torn-tail"), to: journal)
      let stamp = FleetStamp(of: journal)
      expectEqual(FleetStamp(of: journal), stamp)
      #expect(!stamp.isSettled(at: stamp.newest + 2_000_000_000))
      #expect(stamp.isSettled(at: stamp.newest + 2_000_000_001))
      try TestFiles.write([], to: "\(journal)/LOCK")
      expectEqual(FleetStamp(of: journal), stamp)
      try TestFiles.append([0], to: "\(journal)/HEAD")
      let changed = FleetStamp(of: journal)
      #expect(changed.text != stamp.text)
      try TestFiles.write([], to: "\(journal)/other")
      #expect(FleetStamp(of: journal).text != changed.text)
      expectEqual(FleetStamp(of: "\(folder)/nowhere").isSettled(at: .max), false)
      // A copy that was just made is examined at each run.
      for _ in 0..<2 {
        let run = ToolRun("fleet", journal, "--resume", "\(folder)/state")
        #expect(run.notes.hasSuffix("pj fleet: 0 unchanged since the last run\n"), "\(run.notes)")
      }
    }
  }

  @Test("What is kept is of this program, these folders and this place")
  func ledger() throws {
    try TestFiles.withTemporaryFolder { folder in
      _ = Repository.root
      let state = "\(folder)/state"
      expectEqual(ToolRun("fleet", "journals", "--resume", state).code, .partial)
      let other = ToolRun("fleet", Repository.journal("torn-tail"), "--resume", state)
      expectEqual(other.code, .wrongUse)
      expectEqual(
        other.notes,
        "pj fleet: --resume \(state): this file is about journals; name another file. Next: pj help fleet\n")
      expectEqual(ToolRun("fleet", "journals", "--resume", "\(folder)/no/state").code, .unreadable)
      var bytes = try TestFiles.read(state)
      bytes[30] ^= 4
      try TestFiles.write(bytes, to: state)
      let damaged = ToolRun("fleet", "journals", "--resume", state)
      expectEqual(damaged.code, .partial)
      #expect(
        damaged.notes.contains("pj fleet: the first line of what was kept is damaged: everything is examined again\n"),
        "\(damaged.notes)")
      #expect(!ToolRun("fleet", "journals", "--resume", state).notes.contains("damaged"))
    }
  }
}
