import Expectations
import JSON
import Journal
import Testing

@testable import CommandSupport
@testable import pj

/// Journals as clouds, browsers, archives and other file systems leave them: what `verify` says can be rebuilt is what `state`,
/// `log` and `salvage` then do, and all name the same next step.
@Suite("Journals as clouds and tools leave them")
struct RenamedFilesTests {
  /// A journal that something happened to.
  struct Kind: CustomTestStringConvertible {
    var what: String
    /// What happened to it, as a command line in its folder: `$S` is the number of its second segment, that of event 76.
    var change: String
    /// The event up to which the state is known; `nil` where none is.
    var known: UInt64?
    /// How many events can be read.
    var events: Int
    /// How many more a salvage finds.
    var salvaged = 0
    /// The next step, with `J` for the journal; `nil` where nothing is wrong.
    var next: String?

    var testDescription: String { what }
  }

  private static let whole = 378
  private static let kinds = [
    Kind(what: "another case", change: "mv $S.seg $S.SEG", known: 378, events: whole, next: "mv J/$S.SEG J/$S.seg"),
    Kind(
      what: "another case, of all files", change: "for f in *.seg; do mv $f ${f%.seg}.SEG; done", known: 378,
      events: whole,
      next: "mv J/00000000000000000001.SEG J/00000000000000000001.seg"),
    Kind(
      what: "a browser's copy", change: "mv $S.seg \"$S (1).seg\"", known: 378, events: whole,
      next: "mv 'J/$S (1).seg' J/$S.seg"),
    Kind(
      what: "a file manager's copy", change: "mv $S.seg \"$S - Copy.seg\"", known: 378, events: whole,
      next: "mv 'J/$S - Copy.seg' J/$S.seg"),
    Kind(
      what: "Dropbox's conflicted copy", change: "mv $S.seg \"$S (Ann's conflicted copy 2031-07-01).seg\"", known: 378,
      events: whole, next: "mv 'J/$S (Ann'\\''s conflicted copy 2031-07-01).seg' J/$S.seg"),
    Kind(
      what: "OneDrive's copy", change: "mv $S.seg $S-PC-4.seg", known: 378, events: whole,
      next: "mv J/$S-PC-4.seg J/$S.seg"),
    Kind(
      what: "an added ending", change: "mv $S.seg $S.seg.txt", known: 378, events: whole,
      next: "mv J/$S.seg.txt J/$S.seg"),
    Kind(
      what: "a download that is not done", change: "mv $S.seg $S.seg.part", known: 378, events: whole,
      next: "ls -l J/$S.seg.part"),
    Kind(
      what: "iCloud's placeholder", change: "printf bplist00 > .$S.seg.icloud && rm $S.seg", known: 75, events: 265,
      next: "brctl download J/$S.seg"),
    Kind(
      what: "iCloud's placeholder of the first", stateless: "printf bplist00 > .$F.seg.icloud && rm $F.seg",
      events: 303,
      next: "brctl download J/$F.seg"),
    Kind(
      what: "Nextcloud's placeholder", change: "printf 0 > $S.seg.nextcloud && rm $S.seg", known: 75, events: 265,
      next: "ls -l J/$S.seg.nextcloud"),
    Kind(
      what: "a copy beside the file", change: "cp $S.seg \"$S (1).seg\"", known: 378, events: whole,
      next: "pj salvage J -o copy"),
    Kind(
      what: "what macOS adds",
      change: "mkdir __MACOSX && for f in *; do printf 0 > ._$f; printf 0 > __MACOSX/._$f; done",
      known: 378, events: whole, next: nil),
    Kind(what: "an empty file", change: ": > $S.seg", known: 75, events: 265, next: "pj salvage J -o copy"),
    Kind(what: "no JOURNAL", change: "rm JOURNAL", known: 378, events: whole, next: "pj salvage J -o copy"),
    Kind(what: "no HEAD", change: "rm HEAD", known: 378, events: whole, next: "pj salvage J -o copy"),
    Kind(what: "no segment", stateless: "rm *.seg", events: 0, next: "ask for the whole folder again"),
    Kind(
      what: "empty files alone", stateless: "for f in *.seg; do : > $f; done", events: 0,
      next: "ask for the whole folder again"),
    // It may be a journal that was never written to.
    Kind(
      what: "JOURNAL alone", change: "rm *.seg HEAD", known: 0, events: 0, next: "ask for the whole folder again"),
    Kind(
      what: "segments under free names", change: "for f in *.seg; do mv $f x$f.data; done", known: nil, events: 0,
      salvaged: whole, next: "pj salvage J -o copy"),
  ]

  /// The event up to which `verify` says that the state is known.
  private static func promise(_ output: String) -> UInt64? {
    let last = output.split(separator: "\n").last ?? ""
    for beginning in ["The state can be rebuilt up to event ", "No event up to "] where last.hasPrefix(beginning) {
      return UInt64(last.dropFirst(beginning.count).prefix { $0.isNumber || $0 == "," }.filter { $0 != "," })
    }
    if last.hasPrefix("Whether any event existed is unknown.") { return 0 }
    return last.hasPrefix("No event is lost.") || last.hasPrefix("Sound: ") ? UInt64(whole) : nil
  }

  private static func next(_ text: String) -> String? {
    text.firstRange(of: "Next: ").map { String(text[$0.upperBound...].prefix { $0 != "\n" }) }
  }

  @Test("What verify says is what state, log and salvage do, and each names the same step", arguments: kinds)
  func agreement(kind: Kind) throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/J"
      let change = "S=00000000000000000076; F=00000000000000000001; \(kind.change)"
      let copy = "cp -r \(Repository.root)/\(Repository.journal("framework-history")) \(journal)"
      expectEqual(TestFiles.shell("\(copy) && chmod -R u+w \(journal) && cd \(journal) && { \(change); }"), 0)
      let step = kind.next?.replacing("$S", with: "00000000000000000076").replacing("$F", with: "00000000000000000001")
        .replacing("J/", with: "\(journal)/").replacing("salvage J", with: "salvage \(journal)")

      let verify = ToolRun("verify", journal)
      expectEqual(Self.promise(verify.output), kind.known, "\(verify.output)")
      expectEqual(Self.next(verify.output), step)

      let state = ToolRun("state", journal, "-j")
      let after = state.records.compactMap { $0?.object?["after"]?.number.flatMap { UInt64($0.text) } }.first
      expectEqual(after, kind.known, "\(state.notes)")
      expectEqual(Self.next(ToolRun("state", journal).notes), step)

      let log = ToolRun("log", journal, "-j")
      expectEqual(log.records.count { $0?.object?["kind"]?.string == "event" }, kind.events, "\(log.notes)")
      expectEqual(Self.next(log.notes), step)

      // A line of text for the user, and the command itself.
      let diagnosis = ToolRun("diagnose", journal, "-j", "--family", "damaged-journal")
      let commands = diagnosis.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "finding" }
      expectEqual(commands.count, step == nil ? 0 : 1, "\(diagnosis.output)")
      expectEqual(
        commands.first?["command"]?.string, step == FindingNotes.askAgain ? nil : step, "\(diagnosis.output)")

      let salvage = ToolRun("salvage", journal, "-o", "\(folder)/out", "-j")
      let salvaged = salvage.records.compactMap { $0?.object?["salvaged"]?.number.flatMap { Int($0.text) } }.first
      expectEqual(salvaged ?? 0, kind.events + kind.salvaged, "\(salvage.notes)")
      expectEqual(salvage.code == .unreadable, salvaged == nil)
    }
  }

  @Test("A journal further down is named with the same command on it")
  func furtherDown() throws {
    try TestFiles.withTemporaryFolder { folder in
      let source = "\(Repository.root)/\(Repository.journal("torn-tail"))"
      let below = "\(folder)/Downloads/Archive 2/device"
      expectEqual(
        TestFiles.shell("mkdir -p '\(below)' \(folder)/Downloads/__MACOSX && cp -r \(source) '\(below)/journal'"), 0)
      for (path, depth) in [(folder, 4), ("\(folder)/Downloads", 3), ("\(folder)/Downloads/Archive 2", 2)] {
        for command in ["verify", "state", "log", "diagnose"] {
          expectEqual(
            ToolRun(command, path).notes,
            "pj \(command): \(path): a journal is \(depth) folders further down. Next: pj \(command) '\(below)/journal'\n"
          )
        }
      }
      // Without its JOURNAL it is one as well.
      try TestFiles.removeFile("\(below)/journal/JOURNAL")
      #expect(ToolRun("log", folder).notes.contains("a journal is 4 folders further down"))
    }
  }

  @Test("What is left of a journal without any event is named as that, and so is an empty folder")
  func remains() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/J"
      expectEqual(
        TestFiles.shell(
          "cp -r \(Repository.root)/\(Repository.journal("torn-tail")) \(journal) && chmod -R u+w \(journal)"), 0)
      for (change, message) in [
        (
          "for f in *; do printf 0 > .$f.icloud; rm $f; done",
          "a cloud keeps 00000000000000000001.seg elsewhere, and only its placeholder is here. "
            + "Next: brctl download \(journal)/00000000000000000001.seg"
        ),
        (
          "rm .*.icloud; printf 0 > LOCK; printf 0 > HEAD",
          Self.left("HEAD and 1 other file of a journal are here", journal)
        ),
        ("rm LOCK", Self.left("HEAD of a journal is here", journal)),
        ("mv HEAD 00000000000000000057.ckpt", Self.left("00000000000000000057.ckpt of a journal is here", journal)),
        ("rm *", "the folder is empty; ask for the whole folder again. Next: ls -la \(journal)"),
      ] {
        expectEqual(TestFiles.shell("cd \(journal) && { \(change); }"), 0)
        for command in ["verify", "state", "log", "diagnose"] {
          let run = ToolRun(command, journal)
          expectEqual(run.notes, "pj \(command): \(journal): \(message)\n")
          expectEqual(run.code, .unreadable)
        }
      }
    }
  }

  private static func left(_ what: String, _ journal: String) -> String {
    "\(what), but no segment (NAME.seg) with its events; ask for the whole folder again. Next: ls -la \(journal)"
  }

  @Test("A fleet has a row for a journal of which only placeholders are here")
  func fleet() throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(
        TestFiles.shell("mkdir -p \(folder)/a/b && printf 0 > \(folder)/a/b/.00000000000000000001.seg.icloud"), 0)
      let run = ToolRun("fleet", folder)
      #expect(run.code == .unreadable && run.output.contains("its placeholder is here"), "\(run.output) \(run.notes)")
    }
  }

  /// A file system that does not let this user read one file.
  private struct RefusingFileSystem: ForwardingFileSystem {
    let base: any FileSystem = PosixFileSystem()
    let name: String

    func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
      if path.hasSuffix("/" + name) { throw FileSystemError(13, during: "open") }
      return try base.open(path, mode)
    }
  }

  @Test(
    "A file that this user may not read is named, with the command that shows who may",
    arguments: [
      "00000000000000000001.seg", "00000000000000000189.seg", "HEAD", "JOURNAL",
    ])
  func permission(name: String) throws {
    let journal = Repository.journal("framework-history")
    var environment = ToolEnvironment()
    environment.fileSystem = RefusingFileSystem(name: name)
    try TestFiles.withTemporaryFolder { folder in
      for words in [["verify"], ["state"], ["log"], ["diagnose"]] {
        let run = ToolRun(words + [journal], environment: environment)
        #expect(run.notes.contains("\(name): the system refused the call (open: permission denied)"), "\(run.notes)")
        #expect(run.notes.hasSuffix("Next: ls -l \(journal)/\(name)\n"), "\(words): \(run.notes)")
        expectEqual(run.code, .unreadable)
      }
      let salvage = ToolRun(["salvage", journal, "-o", "\(folder)/out"], environment: environment)
      #expect((salvage.output + salvage.notes).contains(name), "\(salvage.output)")
    }
  }
}

extension RenamedFilesTests.Kind {
  /// A journal without a known state.
  fileprivate init(what: String, stateless change: String, events: Int, next: String) {
    self.init(what: what, change: change, known: nil, events: events, next: next)
  }
}
