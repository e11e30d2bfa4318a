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
@testable import PolicyCommands

/// A journal in which every personal field of every event type holds something that nothing may show.
@Suite("Planted secrets")
struct PlantedSecretTests {
  /// What is planted in texts, and sixteen bytes that are planted in GUIDs.
  private static let word = "plantedsecret"
  private static let guid = Array("PlantedSecretID!".utf8)

  /// An object id that is not planted.
  private static let otherID = "11111111-2222-4333-8444-555555555555"

  /// Everything by which a planted value would be recognised, in lower case.
  static let traces: [String] = {
    let digits = Digest.hex(guid)
    let cuts = [0, 8, 12, 16, 20, 32]
    let groups = zip(cuts, cuts.dropFirst()).map { digits.dropFirst($0).prefix($1 - $0) }
    return [word, digits, groups.joined(separator: "-")]
  }()

  /// The kind of a policy's setting; `nil` for every other field. A policy with a number or a date that is none cannot be
  /// read.
  static func setting(_ field: FieldDescriptor) -> PolicyProperty.Kind? {
    PolicyProperty.named(field.name).flatMap { $0.number == field.number ? $0.kind : nil }
  }

  static func number(_ field: FieldDescriptor) -> UInt64 {
    guard case .number(let range)? = setting(field), !range.contains(7) else { return 7 }
    return UInt64(clamping: range.lowerBound)
  }

  private static func text(_ field: FieldDescriptor, isPublic: Bool, planted: String? = nil) -> String {
    // A thread's label cannot hold an address.
    if field.name == "thread" { return "queue-7" }
    return switch setting(field) {
    case .date: "2020-09-13T12:26:40Z"
    case .duration: "PT7H"
    default: planted ?? (isPublic ? "ask \(word)@example.com" : "\(word) \(field.name)")
    }
  }

  /// The fields that name what stands beside them.
  private static let naming = ["key", "name"]

  /// What is planted in a journal.
  enum Planting {
    /// Something in every personal field, and addresses in the texts that are public.
    case everywhere
    /// Something in texts that the text beside them names as a secret, as values of app configurations are named.
    case named
  }

  /// A body with planted values.
  private static func body(
    _ message: MessageDescriptor, _ outer: Privacy, _ planting: Planting = .everywhere, _ depth: Int = 0
  ) -> [UInt8] {
    var writer = WireWriter()
    for field in message.fields {
      let privacy = field.privacy.rawValue > outer.rawValue ? field.privacy : outer
      let isPublic = privacy == .public
      let isNaming = planting == .named && naming.contains(field.name)
      let isPlain = planting == .named && (isPublic || !message.fields.contains { naming.contains($0.name) })
      switch field.type {
      case .string where isNaming: writer.write(field.number, string: "clientSecret")
      case .string where isPlain: writer.write(field.number, string: text(field, isPublic: true, planted: "x"))
      case .json where isPlain: writer.write(field.number, string: "1")
      case .bytes where planting == .named, .guid where planting == .named:
        writer.write(field.number, bytes: [UInt8](repeating: 1, count: 16))
      case .bool: writer.write(field.number, bool: true)
      case .unsigned: writer.write(field.number, unsigned: number(field))
      case .signed, .duration: writer.write(field.number, signed: 7)
      case .string: writer.write(field.number, string: text(field, isPublic: isPublic))
      case .json: writer.write(field.number, string: #"{"a":["\#(word)\#(isPublic ? "@example.com" : "")"]}"#)
      case .bytes, .guid: writer.write(field.number, bytes: isPublic ? [UInt8](repeating: 1, count: 16) : guid)
      case .time: writer.write(field.number, fixed: 1_600_000_000_000_000_000)
      case .reference, .sequence: writer.write(field.number, unsigned: 1)
      case .enumeration(let names): writer.write(field.number, unsigned: names.members.last?.number ?? 0)
      case .message(let inner):
        guard depth < 4 else { continue }
        writer.write(field.number, message: { $0.append(encoded: body(inner, privacy, planting, depth + 1)) })
      }
    }
    return writer.bytes
  }

  /// Writes an event of every type, each twice: the second with an unknown field.
  static func write(to path: String, _ planting: Planting = .everywhere) throws {
    let id = try #require(JournalID(bytes: [UInt8](repeating: 9, count: 16)))
    let journal = try JournalWriter.create(
      at: path, id: id, createdNanoseconds: 0, options: JournalOptions(of: AppProtectionEvent.self))
    var batch = JournalBatch()
    for (index, entry) in (AppProtectionEvent.catalog.entries + AppProtectionEvent.catalog.entries).enumerated() {
      var envelope = Envelope(
        type: entry.number, at: Moment(wallNanoseconds: 1_600_000_000_000_000_000 + Int64(index) * 1_000_000_000))
      envelope.version = entry.version
      envelope.unknownReaders = entry.unknownReaders
      envelope.process = 1
      let word = planting == .everywhere ? word : "plain"
      envelope.idempotencyKey = Array("\(word)-key-\(index)".utf8)
      envelope.commandFingerprint = Array(Digest.sha256(envelope.idempotencyKey).bytes.prefix(8))
      envelope.attributes = CommandAttributes(
        stream: "\(word)-stream", metadata: [MetadataEntry("key", "\(word)-value")])
      envelope.body = body(entry.body, .public, planting)
      if index >= AppProtectionEvent.catalog.entries.count {
        var writer = WireWriter()
        writer.append(encoded: envelope.body)
        writer.write(60_000, string: "\(word) in a field that is unknown")
        envelope.body = writer.bytes
      }
      var writer = WireWriter()
      envelope.encode(into: &writer)
      try batch.append(payload: writer.bytes, label: 1)
      _ = try journal.append(&batch)
    }
    var writer = WireWriter()
    var unknown = Envelope(type: 60_001, at: Moment(wallNanoseconds: 1_700_000_000_000_000_000))
    unknown.body = Array("\(word) of an unknown type".utf8)
    unknown.unknownReaders = .ignorable
    unknown.encode(into: &writer)
    try batch.append(payload: writer.bytes, label: 1)
    try batch.append(payload: Array("\(word) that is no envelope".utf8), label: 1)
    _ = try journal.append(&batch)
    try journal.close()
  }

  /// A name that a person gave to a folder above the journal, and to an archive: what is written does not hold it.
  private static let owner = "guest@planted.example"

  /// A scenario with planted names, of which one expectation is not met.
  static let scenario = """
    {"scenario": 1, "title": "planted", "app": {"multiIdentity": true},
     "accounts": {"alice": {"objectID": "\(traces[2])", "upn": "\(word)@example.com"}}, 
     "policies": {"std": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "p"}}},
     "start": "2026-10-05T09:00:00Z",
     "steps": [{"service": {"alice": {"policy": "std"}}}, {"launch": {}}, {"registerAndEnroll": "alice"}, {"wait": "PT2M"},
     {"expect": {"state": {"/accounts/alice/userPrincipalName": "b@c.de"}}}]}
    """

  /// The options with which a command line is tried: as text, and in JSON where the command has such a form.
  static func forms(of words: [String]) -> [[String]] {
    ["completions", "help"].contains(words[0]) || words.contains("--flat") || words.contains("-o")
      ? [[]] : [[], ["-j"]]
  }

  /// Command lines of every command in the table: those that are listed, and otherwise the command on the journal.
  ///
  /// - Parameter folder: Where files are written.
  static func commandLines(_ path: String, _ folder: String) -> [[String]] {
    let listed: [String: [[String]]] = [
      "log": [[path], [path, "-g", "."], [path, "-n", "3"]], "show": [[path, "1", "5", "20", "end"]],
      "state": [[path], [path, "--flat"], [path, "--at", "9"]], "diff": [[path, "3..40", "--full"]],
      "blame": [[path, "/**"], [path, "/accounts/**"]], "bisect": [[path, "--where", "/accounts"]],
      "explain": [[path, "managed(a1)"]], "compare": [[path, path], [path, "--accounts", "a1,a1"]],
      "salvage": [[path, "-o", "\(folder)/salvaged"]], "fork": [[path, "5", "\(folder)/fork", "--dry-run"]],
      "retire": [[path, "5", "--dry-run"]], "export": [[path, "--preview"], [path, "-o", "\(folder)/file.pjx"]],
      "tables": [[path, "-o", "\(folder)/tables"]], "import": [["\(folder)/file.pjx", "-o", "\(folder)/imported"]],
      "timeline": [
        [path, "-o", "\(folder)/page.html"], [path, "-o", "\(folder)/trace.json", "--format", "chrome-trace"],
      ],
      "whatif": [
        [path, "--drop", "9"], [path, "--drop", "9", "--diff"], [path, "--drop", "9", "-o", "\(folder)/imagined"],
      ],
      "policy": [["show", path, "--account", "a1"], ["lint", path, "--account", "a1"]],
      "simulate": [["\(folder)/scenario.json", "-o", "\(folder)/simulated"]],
      "settings": [["show", "\(Repository.root)/Tests/pj/PropertyLists/Good.plist"]],
      "completions": [["bash"]], "help": [[]], "schema": [[]], "version": [[]],
    ]
    return PolicyJournalTool.table.commands.flatMap { command in
      (listed[command.name] ?? [[path]]).map { [command.name] + $0 }
    }
  }

  static func expectNothing(in text: String, _ what: @autoclosure () -> String) {
    let text = text.lowercased()
    for trace in traces { #expect(!TestFiles.isFound(trace, in: text), "\(what()): \(trace)") }
  }

  @Test("Every event with planted values can be read, so that what is said of it is tested")
  func readable() throws {
    for entry in AppProtectionEvent.catalog.entries {
      let event = try WireReader.decode(Self.body(entry.body, .public)) { (reader) throws(WireError) in
        try AppProtectionEvent.decode(type: entry.number, version: entry.version, body: &reader)
      }
      #expect(event != nil, "\(entry.name)")
    }
  }

  /// Writes the journal, and what the command lines name besides it, in a folder for what they write.
  static func withJournal(_ planting: Planting, _ body: (_ path: String, _ written: String) throws -> Void)
    throws
  {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(TestFiles.shell("mkdir '\(folder)/\(owner)' \(folder)/written"), 0)
      try write(to: "\(folder)/\(owner)/journal", planting)
      try TestFiles.write(Array(scenario.utf8), to: "\(folder)/written/scenario.json")
      try body("\(folder)/\(owner)/journal", "\(folder)/written")
    }
  }

  @Test("No command shows one, in text or JSON, of the journal or of its redacted export, nor writes it into a file")
  func commands() throws {
    try Self.withJournal(.everywhere) { path, folder in
      for words in Self.commandLines(path, folder) {
        for options in Self.forms(of: words) {
          let run = ToolRun(words + options)
          #expect(run.code != .wrongUse, "\(words + options): \(run.notes)")
          Self.expectNothing(in: run.output + run.notes, "\(words + options)")
        }
      }
      // Journals hold what their events say; the rest of what is written does not.
      for name in ["page.html", "trace.json", "file.pjx", "tables"] {
        expectEqual(TestFiles.shell("find \(folder)/\(name) -type f | sort | xargs gzip -dcf > \(folder)/text"), 0)
        let text = String(decoding: try TestFiles.read("\(folder)/text"), as: UTF8.self)
        #expect(text.utf8.count > 10_000, "\(name)")
        Self.expectNothing(in: text, name)
        #expect(!text.contains("planted.example"), "\(name)")
      }
      for name in ["salvaged", "imagined", "imported", "simulated"] {
        for file in try TestFiles.names(in: "\(folder)/\(name)") {
          let bytes = try TestFiles.read("\(folder)/\(name)/\(file)")
          #expect(bytes.firstRange(of: Array("planted.example".utf8)) == nil, "\(name)/\(file)")
        }
        for words in [["log"], ["state", "--flat"], ["show", "end", "-j"]] {
          let run = ToolRun([words[0], "\(folder)/\(name)"] + words.dropFirst())
          Self.expectNothing(in: run.output + run.notes, "\(words) of \(name)")
        }
      }
      for words in [["log", "-j"], ["state", "--flat"], ["show", "5"], ["stats"], ["verify"]] {
        let run = ToolRun([words[0], "\(folder)/file.pjx"] + words.dropFirst())
        Self.expectNothing(in: run.output + run.notes, "\(words) of the export")
        // Its pseudonyms are all that revealing shows.
        let revealed = ToolRun([words[0], "\(folder)/file.pjx", "--reveal"] + words.dropFirst())
        Self.expectNothing(in: revealed.output + revealed.notes, "\(words) of the export, revealed")
      }
    }
  }

  @Test("No command shows or writes the name of a folder in an archive that has an address in it")
  func archived() throws {
    try Self.withJournal(.everywhere) { path, folder in
      expectEqual(
        TestFiles.shell(
          "cd '\(path)/../..' && mv '\(Self.owner)' \(Self.word)@example.com && tar -cf '\(folder)/\(Self.owner).tar' *.com"
        ), 0)
      let archive = "\(folder)/\(Self.owner).tar"
      // What a folder is needed for refuses an archive.
      for words in Self.commandLines(archive, folder)
      where !["retire", "import", "simulate", "settings"].contains(words[0]) {
        for options in Self.forms(of: words) {
          let run = ToolRun(words + options)
          #expect(run.code != .wrongUse, "\(words + options): \(run.notes)")
          Self.expectNothing(in: run.output + run.notes, "\(words + options)")
        }
      }
      for name in ["page.html", "trace.json", "file.pjx", "tables"] {
        expectEqual(TestFiles.shell("find \(folder)/\(name) -type f | sort | xargs gzip -dcf > \(folder)/text"), 0)
        let text = String(decoding: try TestFiles.read("\(folder)/text"), as: UTF8.self)
        Self.expectNothing(in: text, name)
        #expect(!text.contains("planted.example"), "\(name)")
      }
    }
  }

  @Test("No command shows what is a secret by its name, revealed or not")
  func named() throws {
    try Self.withJournal(.named) { path, folder in
      // The names of its accounts are no secrets.
      let scenario = Self.scenario.replacing(Self.word, with: "alice").replacing(Self.traces[2], with: Self.otherID)
      try TestFiles.write(Array(scenario.utf8), to: "\(folder)/scenario.json")
      for words in Self.commandLines(path, folder) {
        let writesExport = words[0] == "export" && words.contains("-o")
        for options in Self.forms(of: words).map({ $0 + ["--reveal"] }) + (words.contains("-o") ? [] : [[]]) {
          let run = ToolRun(words + options + (writesExport ? ["--secrets"] : []))
          #expect(run.code != .wrongUse, "\(words + options): \(run.notes)")
          Self.expectNothing(in: run.output + run.notes, "\(words + options)")
        }
      }
      // What a command shows of the files that others wrote.
      for name in ["file.pjx", "imported", "simulated"] {
        for words in [["log"], ["log", "-j"], ["state", "--flat"], ["show", "end"], ["stats"]] {
          let run = ToolRun([words[0], "\(folder)/\(name)", "--reveal"] + words.dropFirst())
          #expect(run.code != .wrongUse, "\(words) of \(name): \(run.notes)")
          Self.expectNothing(in: run.output + run.notes, "\(words) of \(name)")
        }
      }
      let state = ToolRun("state", path, "--reveal", "--flat").output
      #expect(state.contains("(secret)"))
      let event = ToolRun("log", path, "--type", "configuration.received", "-j", "--reveal").output
      #expect(event.contains(#""key":"clientSecret""#) && event.contains(#"{"redacted":"secret"}"#), "\(event)")
    }
  }

  @Test(
    "A redacted export holds none, neither in its lines nor in the bytes of its events, and no journal made of it does")
  func exported() throws {
    try TestFiles.withTemporaryFolder { folder in
      try Self.write(to: "\(folder)/journal")
      let export = ToolRun("export", "\(folder)/journal", "-o", "\(folder)/file.pjx")
      expectEqual(export.code, .done, "\(export.notes)")
      expectEqual(TestFiles.shell("gzip -dc < \(folder)/file.pjx > \(folder)/plain"), 0)
      let plain = try TestFiles.read("\(folder)/plain")
      Self.expectNothing(in: String(decoding: plain, as: UTF8.self), "the lines")
      let payloads = try ExportReader.read(plain).payloads
      expectEqual(payloads.count, 2 * AppProtectionEvent.catalog.entries.count + 2)
      for payload in payloads {
        Self.expectNothing(in: String(decoding: payload, as: UTF8.self), "an event")
        #expect(payload.firstRange(of: Self.guid) == nil)
      }
      expectEqual(ToolRun("import", "\(folder)/file.pjx", "-o", "\(folder)/imported").code, .done)
      for name in try TestFiles.names(in: "\(folder)/imported") {
        let bytes = try TestFiles.read("\(folder)/imported/\(name)")
        Self.expectNothing(in: String(decoding: bytes.map { $0 < 0x80 && $0 > 0 ? $0 : 0x2E }, as: UTF8.self), name)
        #expect(bytes.firstRange(of: Self.guid) == nil, "\(name)")
      }
      expectEqual(ToolRun("export", "\(folder)/imported", "-o", "\(folder)/again.pjx").code, .done)
      try expectEqual(TestFiles.read("\(folder)/again.pjx"), TestFiles.read("\(folder)/file.pjx"))
    }
  }

  @Test("No table holds one, redacted; what is secret is in none")
  func tables() throws {
    try TestFiles.withTemporaryFolder { folder in
      try Self.write(to: "\(folder)/journal")
      try TablesTests.withTables(of: ["\(folder)/journal"], code: .partial) { tables, run in
        Self.expectNothing(in: run.output + run.notes, "the report")
        for table in JournalTable.allCases {
          let text = try TablesTests.text(table, in: tables)
          Self.expectNothing(in: text, table.rawValue)
        }
        try expectEqual(TablesTests.rows(.events, in: tables).count, 2 * AppProtectionEvent.catalog.entries.count + 2)
      }
    }
  }

  @Test("The state that stands for retired events leaves with pseudonyms, and the journal made of it is whole")
  func retired() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = try RetiredJournal.write(in: folder)
      for options in [[], ["--reveal"]] {
        let file = "\(folder)/file\(options.count)"
        let export = ToolRun(["export", path, "-o", file] + options)
        #expect(export.code == .done && export.notes.isEmpty, "\(export.notes)")
        let state = ToolRun("state", file, "--flat")
        expectEqual(state.code, .done, "\(state.notes)")
        #expect(options.isEmpty || state.output == ToolRun("state", path, "--flat").output)
        expectEqual(ToolRun("import", file, "-o", "\(folder)/imported\(options.count)").code, .done)
        expectEqual(ToolRun("verify", "\(folder)/imported\(options.count)").code, .done)
        expectEqual(
          ToolRun(["export", "\(folder)/imported\(options.count)", "-o", "\(file).again"] + options).code, .done)
        try expectEqual(TestFiles.read(file), TestFiles.read("\(file).again"))
      }
      let names = try TestFiles.names(in: "\(folder)/imported0").filter { $0.hasSuffix(".ckpt") }
      #expect(!names.isEmpty)
      for name in names {
        let bytes = try TestFiles.read("\(folder)/imported0/\(name)")
        #expect(bytes.firstRange(of: Array("contoso".utf8)) == nil, "\(name)")
      }
    }
  }
}
