import Expectations
import Testing

@testable import CommandSupport

/// Every error is one line that names the place, the reason and the next command.
@Suite("Errors")
struct ErrorTests {
  private static let wipe = "journals/interrupted-wipe/journal"
  private static let damaged = "journals/damaged-frame/journal"

  @Test("The folder above a journal is answered with the same command on the journal")
  func folderAbove() {
    _ = Repository.root
    let rows: [([String], String)] = [
      (["log", "journals/interrupted-wipe", "-n", "3"], "pj log \(Self.wipe) -n 3"),
      (["verify", "journals/interrupted-wipe/"], "pj verify \(Self.wipe)"),
      (["state", "journals/interrupted-wipe@14"], "pj state \(Self.wipe)@14"),
      (["diff", "journals/interrupted-wipe", "3", "4"], "pj diff \(Self.wipe) 3 4"),
      (["log", "journals/interrupted-wipe", "-g", "it's"], "pj log \(Self.wipe) -g 'it'\\''s'"),
    ]
    for (words, next) in rows {
      let run = ToolRun(words)
      expectEqual(run.code, .unreadable, "\(words)")
      #expect(run.notes.hasSuffix(": this is the folder above a journal. Next: \(next)\n"), "\(run.notes)")
    }
  }

  @Test(
    "In the folder above a journal, the next step is the command that was typed", arguments: ["verify", "log", "stats"])
  func folderAboveIsCurrent(command: String) {
    var failure = Failure(.unreadable, ".: this is the folder above a journal", next: "pj log field.pj")
    failure.below = Failure.Below(folder: ".", journal: "field.pj")
    let next = "pj \(command): .: this is the folder above a journal. Next: pj \(command) field.pj"
    expectEqual(failure.line(of: command, [command]), next)
    expectEqual(failure.line(of: command, [command, "-j"]), next + " -j")
    expectEqual(failure.line(of: command, [command, ".", "-j"]), next + " -j")
    #expect(failure.line(of: command, ["--reveal", command]).hasSuffix("Next: pj --reveal \(command) field.pj"))
  }

  @Test("A document in the place of a journal leads to the command that reads it, and a broken archive is called that")
  func documents() throws {
    try TestFiles.withTemporaryFolder { folder in
      let (json, plist, zip) = ("\(folder)/a.json", "\(folder)/Info.plist", "\(folder)/case.zip")
      try TestFiles.write(Array("\u{FEFF} {\"a\": 1}".utf8), to: json)
      try TestFiles.write(Array("<?xml version=\"1.0\"?><plist/>".utf8), to: plist)
      try TestFiles.write(Array("no archive".utf8), to: zip)
      let cases = [
        (["diff", json, json], "pj policy diff \(json) \(json)"), (["check", json], "pj policy lint \(json)"),
        (["log", json, "-j"], "pj policy show \(json)"), (["verify", plist], "pj settings lint \(plist)"),
        (["compare", plist, plist], "pj settings show \(plist) \(plist)"), (["log", zip], "ls -l \(zip)"),
      ]
      for (words, next) in cases {
        let run = ToolRun(words)
        expectEqual(run.code, .unreadable)
        #expect(run.notes.hasSuffix("Next: \(next)\n"), "\(run.notes)")
      }
      #expect(
        ToolRun("log", zip).notes.contains(": the archive is broken: it does not begin as one; ask for it again."))
      #expect(ToolRun("log", plist).notes.contains(": this is a property list, and a journal is a folder."))
    }
  }

  @Test("A pattern that is too long is refused")
  func longPattern() {
    let run = ToolRun("log", Repository.journal("interrupted-wipe"), "--type", String(repeating: "a", count: 4097))
    expectEqual(run.code, .wrongUse)
    expectEqual(run.notes, "pj log: --type has more than 4096 bytes; write a shorter one. Next: pj help filters\n")
    let path = String(repeating: "[7]", count: 2_000)
    for (words, what) in [
      (["state", Self.wipe, "--path", path], "--path"), (["diff", Self.wipe, "--path", path], "--path"),
      (["fields", Self.wipe, path], "the path"), (["blame", Self.wipe, path], "the path"),
    ] {
      let run = ToolRun(words)
      expectEqual(
        run.notes,
        "pj \(words[0]): \(what) has more than 4096 bytes; write a shorter one. Next: pj help filters\n")
    }
  }

  @Test(
    "An empty log says which filter kept everything out, and what to type",
    arguments: [
      (
        ["--account", "a7"], "--account a7 matches no event; accounts here: a1. Next: pj state \(wipe) --path /accounts"
      ),
      (
        ["--path", "nonsense"],
        "--path nonsense: no event changed it; no path here is near. Next: pj state \(wipe) --flat"
      ),
      (["--type", "zzz"], "--type zzz matches no event type here; no type here is near. Next: pj stats \(wipe)"),
      (["-g", "zzz"], "-g: the expression matches none of 22 events. Next: pj help filters"),
      (
        ["--type", "policy.*", "--path", "/wipes"],
        "no event passes all filters; individually they admit: --type 1, --path 4. Next: pj help filters"
      ),
    ])
  func emptyLog(options: [String], line: String) {
    _ = Repository.root
    let run = ToolRun(["log", Self.wipe] + options)
    #expect(run.code == .done && run.output.isEmpty)
    expectEqual(run.notes, "pj log: \(Self.wipe): \(line)\n")
  }

  @Test("Forms that other tools have are understood")
  func otherForms() {
    _ = Repository.root
    expectEqual(ToolRun("state", Self.wipe, "14").output, ToolRun("state", Self.wipe, "--at", "14").output)
    expectEqual(ToolRun("log", Self.wipe, "-5").output, ToolRun("log", Self.wipe, "-n", "5").output)
    expectEqual(ToolRun("log", "-5", Self.wipe, "3..9").output, ToolRun("log", Self.wipe, "3..9", "-n", "5").output)
    let other = "journals/first-enrollment/journal"
    expectEqual(ToolRun("diff", Self.wipe, other).output, ToolRun("diff", "\(Self.wipe)@end", "\(other)@end").output)
    let alone = ToolRun()
    #expect(alone.code == .done && alone.output == ToolRun("help").output && alone.notes == "")
    expectEqual(ToolRun("--reveal").code, .wrongUse, "an option alone asks for nothing")
  }

  @Test(
    "Wrong use ends in 2 and one line that says what to type",
    arguments: [
      (
        [wipe, "log", "-n", "3"],
        "pj: unknown command '\(wipe)'. Next: pj log \(wipe) -n 3"
      ),
      ([wipe], "pj: unknown command '\(wipe)'. Next: pj log \(wipe)"),
      (
        ["show", wipe, "-5"],
        "pj show: \"-5\" is not a time before the last event; write end~5 to count events from the end; for a time write a number and one of s, m, h, d, w, such as -2h. Next: pj help positions"
      ),
      (
        ["state", wipe, "14", "--at", "15"],
        "pj state: the position is given twice: after the journal, after @ or with --at. Next: pj help state"
      ),
      (["lgo"], "pj: unknown command 'lgo'; nearest: log. Next: pj help"),
      (["ls", wipe], "pj: unknown command 'ls'; nearest: log, policy list. Next: pj log \(wipe)"),
      (["merge", "a", "b c"], "pj: unknown command 'merge'; nearest: policy combine. Next: pj policy combine a 'b c'"),
      (
        ["lint", "App/Info.plist"],
        "pj: unknown command 'lint'; nearest: policy lint, settings lint. Next: pj settings lint App/Info.plist"
      ),
      (
        ["log", wipe, "3..9", "--since", "5"],
        "pj log: 3..9 and --since name the same end: leave one out. Next: pj help log"
      ),
      (
        ["bisect", wipe, "--run", "true", "-n", "2"],
        "pj bisect: -n counts flips of a condition, and --run finds one event. Next: pj help bisect"
      ),
      (
        ["schema", "wipe.*", "--proto"],
        "pj schema: --proto prints a whole schema, so nothing else can be asked for with it. Next: pj help schema"
      ),
      (
        ["help", "offline-blok"],
        "pj help: nothing is named offline-blok; nearest: offline-block. Next: pj help offline-block"
      ),
      (
        ["help", "policy", "ls"],
        "pj help: no command or topic is named 'policy ls'; nearest: list. Next: pj help policy"
      ),
      (["help", "t39", "x"], "pj help: t39 has no action, so 'x' is too much. Next: pj help t39"),
      (["help", "222", "x"], "pj help: 222 has no action, so 'x' is too much. Next: pj help 222"),
      (
        ["-o", "json"], "pj: the option '-o' belongs to a command and must follow it; nearest: --json. Next: pj help"
      ),
      (["--ndjson", "on", "log"], "pj: unknown option '--ndjson'; nearest: --json. Next: pj help"),
      (["log", "-o", "json"], "pj log: unknown option '-o'; nearest: --json. Next: pj help log"),
      (["-V"], "pj: unknown option '-V'; nearest: --version. Next: pj help"),
      (
        ["policy", "validate", "a.json"],
        "pj policy: ACTION is one of list, show, diff, combine, convert, effective, ask, due, lint, level, not 'validate'; nearest: lint. Next: pj help policy"
      ),
      (
        ["policy", "show", "a.json", "--require", "2"],
        "pj policy: --require applies to level only. Next: pj help policy"
      ),
      (["log", "--tpye", "a"], "pj log: unknown option '--tpye'; nearest: --type. Next: pj help log"),
      (
        ["log", wipe, "99"],
        "pj log: \(wipe): event 99 does not exist: the last one is 22; write 22 or end. Next: pj help positions"
      ),
      (["log", wipe, "9..3"], "pj log: \(wipe): 9..3 ends before it begins; write 3..9. Next: pj help positions"),
      (
        ["log", wipe, "--since", "soon"],
        "pj log: \"soon\" is not a position; write one like 42, end~3, 2026-10-05T10:00Z, 10:30, -2h or policy.received. Next: pj help positions"
      ),
      (
        ["log", wipe, "-w", "type ="],
        "pj log: -w: column 7: expected a value, found the end; write a word or text in quotes. Next: pj help filters"
      ),
      (
        ["log", wipe, "-g", "("],
        "pj log: -g: \"(\" is not a regular expression; put \\ before characters meant literally. Next: pj help filters"
      ),
      (
        ["log", wipe, "--highlight", "["],
        "pj log: --highlight: \"[\" is not a regular expression; put \\ before characters meant literally. Next: pj help filters"
      ),
      (["log", wipe, "-n", "0"], "pj log: -n is a whole number from 1 to 1000000, not '0'. Next: pj help log"),
      (
        ["log", wipe, "--caused-by", "wipe.requestd"],
        "pj log: \(wipe): the journal has no event of type wipe.requestd; nearest: wipe.requested (1). Next: pj help positions"
      ),
      (
        ["show", wipe, "start"],
        "pj show: \(wipe): start lies before the first event; write 1. Next: pj help positions"
      ),
      (
        ["show", wipe, "1..5"],
        "pj show: \"1..5\" is a range; this needs a single position; write one end of it. Next: pj help positions"
      ),
      (
        ["log", wipe, "5..6..7"],
        "pj log: \"6..7\" is a range; this needs a single position; write one end of it. Next: pj help positions"
      ),
      (
        ["log", wipe, "--since", "2021"],
        "pj log: \(wipe): event 2021 does not exist: the last one is 22; write 22 or end; to mean a year, add a month: 2021-01. Next: pj help positions"
      ),
      (
        ["log", wipe, "9999-12-31"],
        "pj log: \"9999-12-31\" is outside 1678–2261; write start, end or a year between. Next: pj help positions"
      ),
      (["log", ""], "pj log: the journal's name is empty. Next: pj help commands"),
      (
        ["log", wipe, "-g", "(a)\\1"],
        "pj log: -g: \"(a)\\1\" contains a back-reference, which is not supported; write the repeated part out. Next: pj help filters"
      ),
      (
        ["settings", "lnit", "x"],
        "pj settings: ACTION is one of lint, check, show, keys, fix, not 'lnit'; nearest: lint. Next: pj help settings"
      ),
      (["settings", "lint"], "pj settings: a property list is missing, such as Info.plist. Next: pj help settings"),
      (
        ["settings", "keys", "MultIdentity"],
        "pj settings: setting MultIdentity does not exist; nearest: MultiIdentity. Next: pj settings keys"
      ),
      (["schema", "wip.*"], "pj schema: no event type matches wip.*; nearest: wipe.*. Next: pj schema"),
      (["show", wipe], "pj show: a position is missing: it names the event to show. Next: pj help positions"),
      (
        ["show", wipe, "wipe.requested#2"],
        "pj show: \(wipe): wipe.requested#2 does not exist: the journal has 1; write wipe.requested#1. Next: pj help positions"
      ),
      (
        ["state", wipe, "--path", "/account/a1"],
        "pj state: \(wipe): nothing exists at /account/a1 after event 22; nearest: /accounts/a1. Next: pj state \(wipe) --flat"
      ),
      (
        ["state", "\(wipe)@3", "--at", "4"],
        "pj state: the position is given twice: after the journal, after @ or with --at. Next: pj help state"
      ),
      (["diff", wipe, "1", "2", "3"], "pj diff: unexpected word '3'. Next: pj help diff"),
      (
        ["diff", wipe, "1..2", "--path", "/polices"],
        "pj diff: nothing exists at /polices in either state; nearest: /policies. Next: pj state \(wipe) --flat"
      ),
      (["diff", "\(wipe)@3"], "pj diff: a second position is missing. Next: pj help diff"),
      (["compare", wipe], "pj compare: two journals are needed, but 1 is named. Next: pj help compare"),
      (
        ["compare", wipe, "--accounts", "a1"],
        "pj compare: --accounts takes two accounts separated by a comma, such as a2,a3. Next: pj help compare"
      ),
      (
        ["compare", wipe, "--accounts", "a1,a7"],
        "pj compare: \(wipe): account a7 does not exist; accounts here: a1. Next: pj state \(wipe) --path /accounts"
      ),
      (
        ["compare", wipe, wipe, "--accounts", "a1,a1"],
        "pj compare: --accounts takes one journal, but 2 are named. Next: pj help compare"
      ),
      (
        ["schema", "wipe.requestd"],
        "pj schema: no event type matches wipe.requestd; nearest: wipe.requested. Next: pj schema"
      ),
      (
        ["simulate", "x.json"],
        "pj simulate: --output is missing: it names the journal to write. Next: pj help simulate"
      ),
      (
        ["completions", "tcsh"],
        "pj completions: SHELL is one of bash, zsh, fish, not 'tcsh'. Next: pj help completions"
      ),
    ])
  func wrongUse(words: [String], line: String) {
    _ = Repository.root
    let run = ToolRun(words)
    expectEqual(run.notes, line + "\n")
    #expect(run.output.isEmpty)
    expectEqual(run.code, .wrongUse)
  }

  @Test("A position after damage is an error that says up to where the state is known")
  func behindDamage() {
    _ = Repository.root
    let run = ToolRun("state", Self.damaged, "--at", "13")
    expectEqual(
      run.notes,
      "pj state: \(Self.damaged): the journal is damaged after event 11. Next: pj salvage \(Self.damaged) -o copy\n")
    expectEqual(run.code, .partial)
  }

  @Test("Of a time before the first event no state is told, from there on a difference is; after the last is nothing")
  func timesOutside() {
    _ = Repository.root
    for time in ["1900-01", "-1d"] {
      let before = ToolRun("state", Self.wipe, "--at", time)
      #expect(before.code == .wrongUse && before.output.isEmpty)
      expectEqual(
        before.notes,
        "pj state: \(Self.wipe): no event happened at or before that time; the first event is 1: write 1. "
          + "Next: pj help positions\n")
    }
    expectEqual(ToolRun("policy", "show", "\(Self.wipe)@1900-01", "--account", "a1").code, .wrongUse)
    expectEqual(ToolRun("state", Self.wipe, "--at", "start").code, .done)
    let diff = ToolRun("diff", "\(Self.wipe)@1900-01", "\(Self.wipe)@end")
    expectEqual(diff.code, .different)
    expectEqual(diff.notes, "pj diff: \(Self.wipe): that time is before the first event; this is the state before it\n")
    let behind = ToolRun("log", Self.wipe, "2130-01")
    #expect(behind.notes.hasPrefix("pj log: \(Self.wipe): this range contains no event; the first event is of 20"))
  }

  @Test(
    "With -j there is a first and a last record however wrong the command line is",
    arguments: [
      (["log", "--nonsense", "-j"], "log"), (["log", "a", "b", "c", "-j"], "log"), (["nonsense", "-j"], "error"),
      (["state", "/nowhere", "-j"], "state"), (["policy", "diff", "-j"], "policy"),
      (["help", "log", "-j"], "help"),
    ])
  func usageAsRecords(words: [String], schema: String) {
    _ = Repository.root
    let run = ToolRun(words)
    let records = run.records.map { $0?.object }
    #expect(records.count == 2 && records[0]?["schema"]?.string == "pj.\(schema)", "\(run.output)")
    #expect(records.last??["kind"]?.string == "end" && records.last??["complete"]?.bool == false)
    #expect(run.code != .done && records.last??["error"]?.string?.isEmpty == false)
  }

  @Test("With -j a failure ends the records, and where -j changes nothing it is refused")
  func failuresAsRecords() {
    _ = Repository.root
    expectEqual(
      ToolRun("log", Self.wipe, "99", "-j").output,
      "{\"kind\":\"start\",\"schema\":\"pj.log\",\"version\":1,\"tool\":\"pj 0.1.0\"}\n{\"kind\":\"end\",\"complete\":false,\"exit\":2,\"error\":\"\(Self.wipe): event 99 does not exist: the last one is 22; write 22 or end\"}\n"
    )
    for words in [["help", "log"], ["completions", "bash"], ["schema", "--proto"], ["state", Self.wipe, "--flat"]] {
      let run = ToolRun(words + ["-j"])
      expectEqual(run.code, .wrongUse)
      #expect(run.notes.contains("-j does not apply to"))
    }
  }

  @Test("A comparison ends at damage, says which side has it, and ends in 3", arguments: [false, true])
  func comparedWithDamage(isFirst: Bool) throws {
    try TestFiles.withTemporaryFolder { folder in
      let whole = "journals/framework-history/journal"
      let damaged = "\(folder)/damaged.pj"
      try TestFiles.copy("\(Repository.root)/\(whole)", to: damaged)
      try TestFiles.write([], to: "\(damaged)/00000000000000000334.seg")
      let run = ToolRun("compare", isFirst ? damaged : whole, isFirst ? whole : damaged)
      expectEqual(run.code, .partial)
      #expect(run.output.contains("same until  event 333 (333 events, found with "))
      #expect(run.output.contains("unknown: \(damaged) cannot be read further, and nothing differs before that"))
      #expect(run.notes.hasPrefix("pj compare: \(damaged): the journal is damaged after event 333; "))
      #expect(!run.notes.contains(whole))
      let ends = isFirst ? "333 and 378" : "378 and 333"
      #expect(run.output.contains(" values differ between the last known states (after events \(ends))\n"))
      let same = ToolRun("compare", damaged, damaged)
      expectEqual(same.code, .partial)
      #expect(same.output.contains("\nat the end  the last known states (after event 333) are the same\n"))
    }
  }

  @Test("Without HEAD nobody claims that no event is lost")
  func withoutHead() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/headless.pj"
      try TestFiles.copy("\(Repository.root)/\(Self.wipe)", to: path)
      try TestFiles.write([], to: "\(path)/HEAD")
      let run = ToolRun("verify", path)
      expectEqual(run.code, .different)
      #expect(run.output.contains("No event up to 22 is lost; whether later ones existed is unknown."))
      #expect(run.output.contains("without HEAD nothing says whether there were later events"))
    }
  }

  @Test("What cannot be read ends in 4", arguments: ["log", "state", "stats", "verify", "diff", "show"])
  func unreadable(command: String) throws {
    try TestFiles.withTemporaryFolder { folder in
      let words = [command, "\(folder)/none"] + (command == "show" ? ["1"] : [])
      let missing = ToolRun(words)
      expectEqual(missing.code, .unreadable)
      #expect(missing.notes.hasPrefix("pj \(command): \(folder)/none: there is no journal directory; "))
      #expect(missing.notes.contains("Next: "))
      try TestFiles.write([1, 2, 3], to: "\(folder)/none")
      expectEqual(ToolRun(words).code, .unreadable)
      guard !TestFiles.isSuperuser else { return }
      try TestFiles.copy(Self.wipe, to: "\(folder)/locked")
      TestFiles.setReadable("\(folder)/locked", false)
      expectEqual(ToolRun([command, "\(folder)/locked"] + words.dropFirst(2)).code, .unreadable)
      TestFiles.setReadable("\(folder)/locked", true)
    }
  }

  @Test("A format that is too new ends in 5, and is no damage")
  func tooNew() throws {
    _ = Repository.root
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/new.pj"
      try TestFiles.copy(Self.wipe, to: path)
      var bytes = try TestFiles.read("\(path)/JOURNAL")
      // The major version stands after the magic; the checksum is at the end and covers everything before it.
      bytes[8] = 9
      try TestFiles.write(FixedRecordSeal.sealed(bytes), to: "\(path)/JOURNAL")
      for words in [["log", path], ["verify", path], ["state", path]] {
        let run = ToolRun(words)
        expectEqual(run.code, .needsNewerTool, "\(words): \(run.notes)\(run.output)")
        #expect(run.notes.hasSuffix("Next: pj version\n"))
      }
    }
  }

  @Test("A scenario that cannot be run says where, and nothing is overwritten")
  func scenarios() throws {
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array("{\"scenario\": 1,\n \"stepps\": []}".utf8), to: "\(folder)/bad.json")
      let bad = ToolRun("simulate", "\(folder)/bad.json", "-o", "\(folder)/out")
      expectEqual(bad.code, .wrongUse)
      #expect(bad.notes.hasPrefix("pj simulate: \(folder)/bad.json: line 2, column 2: "))
      let empty = "{\"scenario\": 1, \"title\": \"t\", \"start\": \"2026-10-05T09:00:00Z\", \"steps\": []}"
      try TestFiles.write(Array(empty.utf8), to: "\(folder)/empty.json")
      let nothing = ToolRun("simulate", "\(folder)/empty.json", "-o", "\(folder)/out")
      expectEqual(nothing.code, .wrongUse)
      #expect(nothing.notes.contains("no step launches the app, so no journal is written"))
      expectEqual(ToolRun("simulate", "\(folder)/empty.json", "-o", "").code, .wrongUse)
      expectEqual(ToolRun("simulate", "\(folder)/empty.json", "-o", "-").code, .wrongUse)
      let missing = ToolRun("simulate", "\(folder)/none.json", "-o", "\(folder)/out")
      expectEqual(missing.code, .unreadable)
      let there = ToolRun("simulate", "\(Repository.root)/journals/first-enrollment/scenario.json", "-o", folder)
      expectEqual(there.code, .wrongUse)
      #expect(there.notes.contains("existing files are never overwritten"))
    }
  }

  @Test("An unmet expectation is printed with what was found and who set it, and ends in 1")
  func unmet() throws {
    try TestFiles.withTemporaryFolder { folder in
      let scenario = """
        {"scenario": 1, "title": "t", "start": "2026-10-05T09:00:00Z",
         "accounts": {"alice": {"upn": "alice@contoso.com"}},
         "steps": [{"service": {"alice": "noPolicy"}}, {"launch": {}}, {"registerAndEnroll": "alice"},
                   {"expect": {"state": {"/accounts/alice/enrollment/status": "removed"}}}]}
        """
      try TestFiles.write(Array(scenario.utf8), to: "\(folder)/s.json")
      let run = ToolRun("simulate", "\(folder)/s.json", "-o", "\(folder)/out")
      expectEqual(run.code, .different)
      #expect(run.output.contains("expected  \"removed\""))
      #expect(run.output.contains("set by    5 enrollment.succeeded"))
      #expect(run.output.hasSuffix("6 events in \(folder)/out; 1 expectation not met\n"))
      expectEqual(ToolRun("verify", "\(folder)/out").code, .done)
    }
  }
}
