import Expectations
import AppProtection
import EventSourcing
import Forensics
import Journal
import JSON
import Testing
import WireFormat

@testable import CommandSupport
@testable import JournalCommands
@testable import ReplayTool
@testable import pj

/// Journals become tables: each row as published, none too few, and nothing personal in them.
@Suite("Tables")
struct TablesTests {
  static let key = "00112233445566778899aabbccddeeff"

  /// Writes tables of journals in a folder of its own, and gives their path to `body`.
  static func withTables<Result>(
    of journals: [String], _ options: [String] = ["--key", key], code: ExitCode = .done,
    _ body: (String, ToolRun) throws -> Result
  ) throws -> Result {
    try TestFiles.withTemporaryFolder { folder in
      let run = ToolRun(["tables"] + journals + ["-o", "\(folder)/tables"] + options)
      expectEqual(run.code, code, "\(run.notes)")
      return try body("\(folder)/tables", run)
    }
  }

  /// The text of a table.
  static func text(_ table: JournalTable, in folder: String) throws -> String {
    let plain = "\(folder)/\(table.rawValue).text"
    expectEqual(TestFiles.shell("cat \(folder)/\(table.rawValue)/*.gz | gzip -dc > \(plain)"), 0)
    return String(decoding: try TestFiles.read(plain), as: UTF8.self)
  }

  /// The rows of a table.
  static func rows(_ table: JournalTable, in folder: String) throws -> [JSONObject] {
    try text(table, in: folder).split(separator: "\n").map { line in
      try #require(try JSONDocument.parse(Array(line.utf8)).root.value.object)
    }
  }

  private static let golden = Repository.journals.map(Repository.journal)

  @Test("Every row has every column in its place, with a value that the published schema allows")
  func schema() throws {
    let domain = PolicyJournalTool.domain
    func expectRows(of journals: [String], _ options: [String], code: ExitCode) throws {
      try Self.withTables(of: journals, options, code: code) { folder, _ in
        for table in JournalTable.allCases {
          for row in try Self.rows(table, in: folder) {
            expectEqual(row.members.map(\.name), table.columns(in: domain).map(\.name))
            let schema = table.schema(in: domain)
            let problems = JSONSchemaValidator.problems(of: .object(row.members), in: schema, at: table.rawValue)
            expectEqual(problems, [])
          }
        }
      }
    }
    try expectRows(of: Self.golden + ["nowhere"], ["--key", Self.key], code: .unreadable)
    try expectRows(of: Self.golden, ["--reveal"], code: .partial)
    try OtherDomainTests.withBank { try expectRows(of: [$0], [], code: .done) }
    try TestFiles.withTemporaryFolder { folder in
      try expectRows(of: [try RetiredJournal.write(in: folder)], [], code: .done)
    }
  }

  @Test("Revealed rows are what pj log -j says of each event", arguments: Repository.journals)
  func likeTheLog(name: String) throws {
    let journal = Repository.journal(name)
    let log = ToolRun("log", journal, "-j", "--reveal").records.compactMap { $0?.object }
    let logged = log.filter { $0["kind"] == "event" }
    try Self.withTables(of: [journal], ["--reveal"], code: name == "damaged-frame" ? .partial : .done) { folder, _ in
      let events = try Self.rows(.events, in: folder)
      var changes = try Self.rows(.changes, in: folder)[...]
      expectEqual(events.count, logged.count)
      for (row, event) in zip(events, logged) {
        for column in [
          "seq", "time", "uptime", "type", "typeNumber", "version", "known", "accounts", "cause", "correlation",
          "process", "data",
        ] {
          expectEqual(row[column], event[column], "event \(event["seq"] ?? .null), \(column)")
        }
        let expected = event["changes"]?.array
        #expect(row["changes"] == expected.map { .number($0.count) } ?? .null)
        let found = changes.prefix(expected?.count ?? 0)
        changes = changes.dropFirst(found.count)
        #expect(found.allSatisfy { $0["seq"] == event["seq"] && $0["type"] == event["type"] })
        let shown = found.map { change in
          JSONValue.object(["path", "before", "after"].map { .init($0, change[$0] ?? .null) })
        }
        #expect(shown == expected ?? [])
      }
      #expect(changes.isEmpty)
    }
  }

  @Test("Redacted rows have the fields and changes of an export with the same key")
  func likeTheExport() throws {
    func expectSame(_ journal: String, code: ExitCode = .done) throws {
      try Self.withTables(of: [journal], code: code) { folder, _ in
        let file = "\(folder)/a.pjx"
        expectEqual(ToolRun("export", journal, "-o", file, "--key", Self.key).code, code)
        expectEqual(TestFiles.shell("gzip -dc < \(file) > \(folder)/lines"), 0)
        let lines = try TestFiles.read("\(folder)/lines").split(separator: UInt8(ascii: "\n"))
        let exported = try lines.compactMap { try JSONDocument.parse(Array($0)).root.value.object }
          .filter { $0["kind"] == "event" }
        let events = try Self.rows(.events, in: folder)
        expectEqual(events.map { $0["data"] }, exported.map { $0["fields"] }, "\(journal)")
        let changes = try Self.rows(.changes, in: folder).map { row in
          JSONValue.object(["path", "before", "after"].map { .init($0, row[$0] ?? .null) })
        }
        expectEqual(changes, exported.flatMap { $0["changes"]?.array ?? [] }, "\(journal)")
        expectEqual(events.map { $0["changes"] == .null }, exported.map { $0["changes"] == .null })
      }
    }
    for name in Repository.journals {
      try expectSame(Repository.journal(name), code: name == "damaged-frame" ? .partial : .done)
    }
    try OtherDomainTests.withBank { try expectSame($0) }
    try TestFiles.withTemporaryFolder { folder in
      try expectSame(try RetiredJournal.write(in: folder))
      expectEqual(ToolRun("fork", Repository.journal("framework-history"), "41", "\(folder)/fork").code, .done)
      try expectSame("\(folder)/fork")
    }
  }

  @Test(
    "The findings are those of pj diagnose, verify and log, with the versions at that time",
    arguments: Repository.journals)
  func findings(name: String) throws {
    let journal = Repository.journal(name)
    func records(_ words: String..., kind: String = "finding") -> [JSONObject] {
      ToolRun(words + ["-j"]).records.compactMap { $0?.object }.filter { $0["kind"]?.string == kind }
    }
    try Self.withTables(of: [journal], code: name == "damaged-frame" ? .partial : .done) { folder, _ in
      let rows = try Self.rows(.findings, in: folder)
      expectEqual(rows.map { $0["number"] }, rows.indices.map { .number($0 + 1) })
      func found(_ kind: String) -> [JSONObject] { rows.filter { $0["kind"]?.string == kind } }
      let problems = records("diagnose", journal)
      expectEqual(found("problem").map { $0["name"] }, problems.map { $0["family"] })
      for column in ["severity", "confidence", "subject", "sentence", "next", "page", "until"] {
        expectEqual(found("problem").map { $0[column] }, problems.map { $0[column] }, "\(column)")
      }
      for column in ["event", "text"] {
        func values(_ findings: [JSONObject]) -> [[JSONValue?]] {
          findings.map { ($0["evidence"]?.array ?? []).map { $0.object?[column] } }
        }
        expectEqual(values(found("problem")), values(problems), "\(column)")
      }
      let before = rows.count - problems.count
      expectEqual(
        found("problem").map { $0["explainedBy"]?.number?.text },
        problems.map { $0["explainedBy"]?.number.flatMap { Int($0.text) }.map { "\($0 + before + 1)" } })
      expectEqual(found("damage").map { $0["name"] }, records("verify", journal).map { $0["verdict"] })
      let mistakes = records("log", journal, kind: "event").flatMap { $0["findings"]?.array ?? [] }
      expectEqual(found("mistake").map { $0["name"] }, mistakes.map { $0.object?["rule"] })
      let versions = try Self.rows(.events, in: folder).reduce(into: [:]) { $0[$1["seq"]?.number?.text ?? ""] = $1 }
      for row in rows {
        guard let event = row["seq"]?.number.flatMap({ versions[$0.text] }) else { continue }
        for column in ["time", "app", "engine", "system", "model"] { expectEqual(row[column], event[column]) }
      }
    }
  }

  @Test("A journal that cannot be read, or not to its end, has a row that says so, and ends nothing")
  func broken() throws {
    let journals = [Repository.journal("damaged-frame"), "nowhere", Repository.journal("torn-tail")]
    try Self.withTables(of: journals, code: .unreadable) { folder, run in
      let rows = try Self.rows(.journals, in: folder)
      expectEqual(rows.map { $0["journal"]?.string }, journals)
      expectEqual(rows.map { $0["exit"] }, [3, 4, 0] as [JSONValue])
      expectEqual(rows.map { $0["events"] }, [18, 0, 12] as [JSONValue])
      expectEqual(rows.map { $0["lost"] }, [1, 0, 0] as [JSONValue])
      expectEqual(rows[0]["error"]?.string?.contains("damaged after event 11"), true)
      #expect(rows[1]["id"] == .null && rows[1]["error"]?.string?.contains("no journal directory") == true)
      #expect(run.notes.contains("pj salvage journals/damaged-frame/journal -o copy"))
      #expect(run.output.contains("journals") && run.output.contains("pseudonyms"))
    }
    try Self.withTables(of: journals, ["-j"], code: .unreadable) { _, run in
      let records = run.records.compactMap { $0?.object }
      expectEqual(records.map { $0["kind"]?.string }, ["start", "journal", "journal", "journal", "end"])
      #expect(records.last?["events"] == 30 && records.last?["journals"] == 3)
    }
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(ToolRun("export", journals[2], "-o", "\(folder)/a.pjx").code, .done)
      try TestFiles.write(try TestFiles.read("\(folder)/a.pjx").dropLast(40), to: "\(folder)/cut.pjx")
      try Self.withTables(of: ["\(folder)/cut.pjx"], code: .partial) { tables, _ in
        let row = try #require(try Self.rows(.journals, in: tables).first)
        #expect(row["exit"] == 3 && row["error"] != .null)
      }
    }
  }

  @Test("One key gives the same bytes each time, whose header has no time; exports give the rows of their journals")
  func deterministic() throws {
    try TestFiles.withTemporaryFolder { folder in
      for name in ["one", "two"] {
        expectEqual(ToolRun(["tables"] + Self.golden + ["-o", "\(folder)/\(name)", "--key", Self.key]).code, .partial)
      }
      expectEqual(TestFiles.shell("diff -r \(folder)/one \(folder)/two"), 0)
      let bytes = try TestFiles.read("\(folder)/one/events/00001.jsonl.gz")
      expectEqual(bytes.prefix(10), [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
      try expectEqual(TestFiles.names(in: "\(folder)/one"), JournalTable.allCases.map(\.rawValue).sorted())
      let journal = Repository.journal("interrupted-wipe")
      expectEqual(ToolRun("export", journal, "-o", "\(folder)/a.pjx", "--key", Self.key).code, .done)
      expectEqual(ToolRun("tables", "\(folder)/a.pjx", "-o", "\(folder)/packed", "--key", Self.key).code, .done)
      expectEqual(ToolRun("tables", journal, "-o", "\(folder)/plain", "--key", Self.key).code, .done)
      for table in [JournalTable.events, .changes] {
        let (packed, plain) = (
          try Self.text(table, in: "\(folder)/packed"), try Self.text(table, in: "\(folder)/plain")
        )
        expectEqual(packed.replacing("\(folder)/a.pjx", with: journal), plain)
      }
    }
  }

  @Test("A name with an address in it leaves as a pseudonym, in rows and in reasons")
  func namesOfFiles() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/alice@contoso.com"
      try TestFiles.copy(Repository.journal("damaged-frame"), to: path)
      for (options, isShown) in [([], false), (["--reveal"], true)] {
        try Self.withTables(of: [path], options, code: .partial) { tables, _ in
          for table in JournalTable.allCases {
            let text = try Self.text(table, in: tables)
            expectEqual(text.contains("contoso"), isShown, "\(table)")
          }
        }
      }
    }
  }

  @Test("Each journal of an archive has its rows, and what holds no journal is unreadable")
  func archives() throws {
    try TestFiles.withTemporaryFolder { folder in
      for (name, other) in [("interrupted-wipe", "one"), ("torn-tail", "two")] {
        try TestFiles.copy(Repository.journal(name), to: "\(folder)/\(other)")
      }
      let file = "\(folder)/field.tar"
      expectEqual(TestFiles.shell("cd \(folder) && echo x > x && tar -cf field.tar one two x && tar -cf no.tar x"), 0)
      try Self.withTables(of: [file]) { tables, run in
        let rows = try Self.rows(.journals, in: tables)
        expectEqual(rows.map { $0["journal"]?.string }, ["\(file)/one", "\(file)/two"])
        expectEqual(rows.map { $0["exit"] }, [0, 0] as [JSONValue])
        for (name, other) in [("interrupted-wipe", "one"), ("torn-tail", "two")] {
          let packed = try Self.rows(.events, in: tables).filter { $0["journal"]?.string == "\(file)/\(other)" }
          let events = ToolRun("log", Repository.journal(name), "-j").records.compactMap { $0?.object }
          expectEqual(packed.map { $0["seq"] }, events.filter { $0["kind"] == "event" }.map { $0["seq"] })
        }
        #expect(run.notes.contains("field.tar: 1 entry is no part of a journal and left out: x"), "\(run.notes)")
      }
      try Self.withTables(of: ["\(folder)/no.tar", "\(file)/three", "\(file)/two"], code: .unreadable) { tables, _ in
        let unread = try Self.rows(.journals, in: tables).map { $0["exit"] }
        expectEqual(unread, [4, 4, 0] as [JSONValue])
      }
      let twice = ToolRun("tables", file, "\(file)/two", "-o", "\(folder)/t")
      #expect(
        twice.code == .wrongUse
          && twice.notes.contains(
            "\(file)/two: this journal is one of \(file), and its rows would count twice. Next: pj help tables")
      )
      var environment = ToolEnvironment.withoutPauses
      let bytes = try TestFiles.read(file)
      environment.readStandardInput = { _ in .bytes(bytes) }
      expectEqual(ToolRun(["tables", "-", "-o", "\(folder)/piped"], environment: environment).code, .done)
      let piped = try Self.rows(.journals, in: "\(folder)/piped").map { $0["journal"]?.string }
      expectEqual(piped, ["-/one", "-/two"])
    }
  }

  @Test("Names in an archive leave as pseudonyms, in rows, in reasons and in the report")
  func namesInArchives() throws {
    try TestFiles.withTemporaryFolder { folder in
      for (name, person) in [("interrupted-wipe", "alice"), ("damaged-frame", "bob")] {
        try TestFiles.copy(Repository.journal(name), to: "\(folder)/\(person)@contoso.com")
      }
      expectEqual(
        TestFiles.shell(
          "cd \(folder) && ln -s x carol@contoso.com.seg && mkdir dave@contoso.com && ln -s x dave@contoso.com/JOURNAL"
            + " && tar -cf field.tar alice* bob* carol* dave* && tar -cf none.tar dave*"), 0)
      let files = ["\(folder)/field.tar", "\(folder)/none.tar"]
      for options in [[], ["-j"]] {
        try Self.withTables(of: files, options, code: .unreadable) { tables, run in
          for table in JournalTable.allCases {
            let text = try Self.text(table, in: tables)
            #expect(!text.contains("contoso"), "\(table)")
          }
          #expect(!"\(run)".contains("contoso"), "\(run)")
          #expect(run.notes.contains("the same command with --reveal, which shows the path"), "\(run.notes)")
          let exits = try Self.rows(.journals, in: tables).map { $0["exit"] }
          expectEqual(exits, [0, 3, 4] as [JSONValue])
        }
      }
      try Self.withTables(of: files, ["--reveal"], code: .unreadable) { tables, _ in
        let text = try Self.text(.journals, in: tables)
        for person in ["alice", "bob", "dave"] { #expect(text.contains("\(person)@contoso.com"), "\(person)") }
      }
    }
  }

  @Test(
    "An error that leaves has pseudonyms for its path's names, and is withheld where another address is left",
    arguments: [
      ("a/b: damaged", "a/b", "a/b: damaged"), ("a@b.c/d: no HEAD", "a@b.c/d", "P: no HEAD"),
      ("d of a@b.c: no HEAD", "a@b.c/d", "d of P: no HEAD"), ("x: holds e@f.g", "x", "(withheld)"),
      ("a@b.c: holds e@f.g", "a@b.c", "(withheld)"), ("aa@b.c/a@b.c: odd", "aa@b.c/a@b.c", "P: odd"),
    ])
  func errors(text: String, path: String, expected: String) throws {
    let pseudonyms = try #require(Pseudonyms(key: Array(Self.key.utf8)))
    let shown = pseudonyms.shown(error: text, of: path)
    let name = path.contains("@") ? pseudonyms.shown(path) : path
    let part = path.split(separator: "/").first { $0.contains("@") }.map { pseudonyms.shown(String($0)) } ?? ""
    #expect(
      shown.replacing(name, with: "P").replacing(part, with: "P") == expected.replacing(path, with: "P")
        || shown == expected)
    #expect(!shown.contains("b.c") && !shown.contains("f.g"))
    expectEqual(Redaction.revealing.shown(error: text, of: path), text)
    let redacted = Redaction.on.shown(error: text, of: path)
    #expect((redacted == text) == !text.contains("@") && !redacted.contains("b.c"))
  }

  @Test("A number that no column can hold is no number of an event")
  func largeNumbers() throws {
    try TestFiles.withTemporaryFolder { folder in
      let id = try #require(JournalID(bytes: [UInt8](repeating: 7, count: 16)))
      let journal = try JournalWriter.create(
        at: "\(folder)/journal", id: id, createdNanoseconds: 0, options: JournalOptions(of: AppProtectionEvent.self))
      var envelope = Envelope(type: 60_001, at: Moment(wallNanoseconds: 1))
      (envelope.cause, envelope.correlation, envelope.unknownReaders) = (.max, UInt64(Int64.max), .ignorable)
      var writer = WireWriter()
      envelope.encode(into: &writer)
      var batch = JournalBatch()
      try batch.append(payload: writer.bytes, label: 1)
      _ = try journal.append(&batch)
      try journal.close()
      try Self.withTables(of: ["\(folder)/journal"]) { tables, _ in
        let row = try #require(try Self.rows(.events, in: tables).first)
        #expect(row["cause"] == .null && row["correlation"] == .number(UInt64(Int64.max)) && row["data"] == .null)
        expectEqual(row["time"]?.string, "1970-01-01T00:00:00.000000001Z")
      }
    }
  }

  @Test("A table goes on in the next file where one is full, and no line is cut")
  func parts() throws {
    try TestFiles.withTemporaryFolder { folder in
      let file = TableFile(folder, PosixFileSystem(), partSize: 10)
      for line in ["12345678\n", "1\n", "123456789012345\n", "2\n"] { file.write(Array(line.utf8)) }
      file.finish()
      #expect(file.rows == 4 && file.failure == nil)
      expectEqual(file.paths.map { String($0.suffix(15)) }, (1...4).map { "/0000\($0).jsonl.gz" })
      expectEqual(TestFiles.shell("cat \(folder)/*.gz | gzip -dc > \(folder)/plain"), 0)
      let plain = try TestFiles.read("\(folder)/plain")
      expectEqual(plain, Array("12345678\n1\n123456789012345\n2\n".utf8))
    }
  }

  /// A disk that takes nothing, and says nothing of it.
  private final class SilentDisk: ForwardingFileSystem {
    let base: any FileSystem = PosixFileSystem()

    func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
      0
    }
  }

  @Test("A disk that takes nothing and says nothing of it ends a table with an error")
  func silentDisk() throws {
    try TestFiles.withTemporaryFolder { folder in
      let file = TableFile(folder, SilentDisk())
      file.write(Array("1\n".utf8))
      file.finish()
      expectEqual(file.failure?.operation, "write")
    }
  }

  /// A disk on which a call fails.
  private final class FailingDisk: ForwardingFileSystem {
    let base: any FileSystem = PauselessFileSystem()
    private let failing: Int
    private let calls = Lock(0)

    /// - Parameter failing: The call that fails, counted from 0.
    init(failing: Int) { self.failing = failing }

    var hasFailed: Bool { calls.withLock { $0 } > failing }

    private func count(_ operation: String) throws(FileSystemError) {
      let number = calls.withLock { calls in
        defer { calls += 1 }
        return calls
      }
      if number == failing { throw FileSystemError(28, during: operation) }
    }

    func write(
      _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
    ) throws(FileSystemError) -> Int {
      try count("write")
      // A short write is no failure.
      return try base.write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(1_000)), at: offset)
    }
    func createDirectory(_ path: String) throws(FileSystemError) {
      try count("create directory")
      try base.createDirectory(path)
    }
    func sync(_ file: OpenFile) throws(FileSystemError) {
      try count("sync")
      try base.sync(file)
    }
    func syncDirectory(_ path: String) throws(FileSystemError) {
      try count("sync")
      try base.syncDirectory(path)
    }
    func rename(_ path: String, to newPath: String) throws(FileSystemError) {
      try count("rename")
      try base.rename(path, to: newPath)
    }
  }

  @Test("A full disk leaves no table and no part of one, whichever call fails; what is there is whole")
  func fullDisk() throws {
    try TestFiles.withTemporaryFolder { folder in
      var failing = 0
      while true {
        let disk = FailingDisk(failing: failing)
        var environment = ToolEnvironment()
        environment.fileSystem = disk
        let run = ToolRun(
          ["tables", Repository.journal("torn-tail"), "-o", "\(folder)/t", "--key", Self.key], environment: environment)
        guard disk.hasFailed else {
          expectEqual(run.code, .done)
          break
        }
        #expect(run.code == .unreadable && run.notes.contains("No space left on device"), "\(run.notes)")
        let left = try TestFiles.names(in: folder)
        // The last one comes when the tables are in their place, and is to keep them there.
        if left == ["t"] {
          #expect(run.notes.contains("it is written, whole, but may not survive a power cut"), "\(run.notes)")
          expectEqual(TestFiles.shell("gzip -t \(folder)/t/*/*.gz && rm -r \(folder)/t"), 0)
        } else {
          #expect(left == [] && run.notes.contains("df "), "call \(failing): \(run.notes)")
        }
        failing += 1
      }
      #expect(failing > 15)
      let names = try TestFiles.names(in: folder)
      expectEqual(names, ["t"])
    }
  }

  @Test("A folder stands for the journals, exports and archives below it, in the order of their names")
  func folders() throws {
    try TestFiles.withTemporaryFolder { folder in
      let fleet = "\(folder)/fleet"
      expectEqual(TestFiles.shell("mkdir -p \(fleet)/2/deeper"), 0)
      expectEqual(TestFiles.shell("cp -r \(Repository.journal("torn-tail")) \(fleet)/2/deeper/field.pj"), 0)
      expectEqual(ToolRun("export", Repository.journal("interrupted-wipe"), "-o", "\(fleet)/1.pjx").code, .done)
      try TestFiles.write(Array("notes".utf8), to: "\(fleet)/readme.txt")
      let names = ["\(fleet)/1.pjx", "\(fleet)/2/deeper/field.pj"]
      try Self.withTables(of: [fleet]) { tables, _ in
        expectEqual(try Self.rows(.journals, in: tables).map { $0["journal"]?.string }, names)
        try Self.withTables(of: names) { others, _ in
          for table in JournalTable.allCases {
            expectEqual(try Self.text(table, in: tables), try Self.text(table, in: others))
          }
        }
      }
      let copies = ToolRun("tables", fleet, Repository.journal("torn-tail"), "-o", "\(folder)/copies")
      #expect(copies.notes.contains("torn-tail/journal: a journal before it has the same id"), "\(copies.notes)")
      expectEqual(TestFiles.shell("rm -r \(folder)/copies"), 0)
      let twice = ToolRun("tables", fleet, "\(fleet)/2", "-o", "\(folder)/t")
      #expect(twice.code == .wrongUse && twice.notes.contains("2/deeper/field.pj: this journal is named twice"))
      expectEqual(TestFiles.shell("mkdir \(folder)/empty"), 0)
      let empty = ToolRun("tables", "\(folder)/empty", "-o", "\(folder)/t")
      #expect(empty.code == .unreadable && empty.notes.contains("no journal, export or archive is there"))
      let unreadable = ToolRun("tables", "nowhere", "\(fleet)/readme.txt", "-o", "\(folder)/t")
      #expect(unreadable.code == .unreadable)
      #expect(unreadable.notes.contains("no journal could be read, so nothing is written"))
      expectEqual(try TestFiles.names(in: folder).sorted(), ["empty", "fleet"])
    }
  }

  @Test("Nothing is replaced, and no journal counts twice")
  func refusals() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("torn-tail")
      func expectRefused(_ words: [String], _ reason: String) {
        let run = ToolRun(["tables"] + words)
        #expect(run.code == .wrongUse && run.notes.contains(reason), "\(run.notes)")
      }
      expectRefused([journal], "--output is missing: it names the folder to write")
      expectRefused([journal, "-o", "-"], "--output is missing: it names the folder to write")
      expectRefused([journal, "-o", folder], "this exists and is not replaced; name a folder that does not exist yet")
      expectRefused(
        [journal, journal, "-o", "\(folder)/t"], ": this journal is named twice, and its rows would count twice")
      expectRefused(
        [journal, journal + "/", "-o", "\(folder)/t"], "/: this journal is named twice, and its rows would count twice")
      expectRefused([journal, "-o", "\(folder)/t", "--key", Self.key, "--reveal"], "--key makes pseudonyms")
      expectRefused(["-o", "\(folder)/t"], "JOURNAL")
      expectEqual(TestFiles.shell("mkdir \(folder)/t.part"), 0)
      expectRefused(
        [journal, "-o", "\(folder)/t/"],
        ": this exists: other tables are being written, or that ended before it was done; remove what is left of it")
      let names = try TestFiles.names(in: folder)
      expectEqual(names, ["t.part"])
      #expect(ToolRun("tables", journal, "-o", "\(folder)/none/t").notes.contains("mkdir -p \(folder)/none"))
      expectEqual(ToolRun("schema", "--tables", "spark", "-j").code, .wrongUse)
    }
  }

  @Test(
    "The published columns are those of the code: UPDATE_GOLDEN=1 writes them anew", arguments: TableSchema.allCases)
  func published(form: TableSchema) throws {
    let path = "\(Repository.root)/Sources/pj/pj.docc/tables/\(form.file)"
    let text = ToolRun("schema", "--tables", form.rawValue).output
    if Platform.variable("UPDATE_GOLDEN") == "1" { try TestFiles.write(Array(text.utf8), to: path) }
    expectEqual(String(decoding: try TestFiles.read(path), as: UTF8.self), text)
    for table in JournalTable.allCases {
      let columns = table.columns(in: PolicyJournalTool.domain)
      expectEqual(Set(columns.map(\.name)).count, columns.count)
      for column in columns { #expect(text.contains(column.name) && text.contains(column.meaning)) }
    }
  }
}
