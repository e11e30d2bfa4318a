import Expectations
import CommandLineInterface
import EventSourcing
import Forensics
import Journal
import JSON
import PlainText
import Testing
import WireFormat

@testable import CommandSupport
@testable import PolicyCommands

/// Texts that would leave their place in a page, if a page let them.
private enum Note: EventList {
  case taken(text: String = ""), dropped(text: String = "")
  static let types = EventTypes<Note>("notes", .taken(), .dropped())
  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Note {
    switch self {
    case .taken(let text): try list.event(1, "note.taken", .taken(text: list.field(1, "text", text)))
    case .dropped(let text): try list.event(2, "note.dropped", .dropped(text: list.field(1, "text", text)))
    }
  }
}

private struct Notes: Aggregate {
  typealias Event = Note

  var last = ""
  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "last", &last) }
  mutating func apply(_ note: Note, _ context: EventContext) {
    if case .taken(let text) = note { last = text }
  }
}

@Suite("Timelines")
struct TimelineTests {
  private static func write(_ notes: [Note], to path: String) throws {
    let id = try #require(JournalID(bytes: [UInt8](repeating: 5, count: 16)))
    let store = try EventStore<Notes>.create(at: path, journalID: id, createdNanoseconds: 1)
    for (index, note) in notes.enumerated() {
      try store.append(note, at: Moment(wallNanoseconds: 1_600_000_000_000_000_000 + Int64(index) * 1_000_000_123))
    }
    try store.close()
  }

  /// Writes one event so many times, as fast as a journal takes it.
  private static func writeLong(_ count: Int, to path: String) throws {
    try write([.dropped()], to: path)
    let journal = try JournalWriter.open(at: path, options: JournalOptions(of: Note.self))
    var cursor = try History<Notes>(at: path).events()
    guard case .event(let step)? = try cursor.next() else { throw TestFiles.Failed("no event") }
    var writer = WireWriter()
    step.record.envelope.encode(into: &writer)
    var batch = JournalBatch()
    for number in 2...count {
      try batch.append(payload: writer.bytes, label: step.record.envelope.moment.wallNanoseconds)
      if number % 1_000 == 0 || number == count { try journal.append(&batch) }
    }
    try journal.close()
  }

  @Test("A page contains the events of the log, with their times, fields and changes", arguments: Repository.journals)
  func events(journal: String) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = Repository.journal(journal)
      let page = try TimelineFile(path, in: folder)
      let log = ToolRun("log", path, "-j").records.compactMap { $0?.object }.filter { $0["kind"]?.string == "event" }
      expectEqual(page.run.code, journal == "damaged-frame" ? .partial : .done, "\(page.run.notes)")
      expectEqual(page.sequences, log.map { $0["seq"]?.int ?? -1 })
      expectEqual(page.types, log.map { $0["type"]?.string ?? "" })
      expectEqual(page.details.count, log.count)
      let texts = page.list("texts").map { $0.string ?? "" }
      for (index, event) in log.enumerated() {
        let accounts = (event["accounts"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
        expectEqual(texts[page.numbers("accounts")[index]], accounts)
        let time = CivilTime(nanoseconds: Int64(page.times[index]) * 1000).text
        expectEqual(time, event["time"]?.string)
        let changes = page.rows("changes", of: index)
        guard let logged = event["changes"]?.array else {
          expectEqual(changes.first?.first, "unknown")
          continue
        }
        // Parts that vanished are one row each.
        let paths = Set(logged.compactMap { $0.object?["path"]?.string })
        for row in changes where row[2] != "unset" { #expect(paths.contains(row[0]), "\(row)") }
        #expect(changes.isEmpty == paths.isEmpty && changes.count <= paths.count)
      }
    }
  }

  @Test("A state's values are spans, from the event that set each to the one that changed it")
  func spans() throws {
    try TestFiles.withTemporaryFolder { folder in
      let page = try TimelineFile(Repository.journal("interrupted-wipe"), in: folder)
      expectEqual(
        page.spans(on: "Accounts / a1"),
        [
          "unknown idle 3..4", "registered idle 4..5", "enrolling pending 5..6", "enrolledWithPolicy good 6..15",
          "wiping bad 15..19", "removed plain 19..–",
        ])
      expectEqual(
        page.spans(on: "Wipes / a1"),
        [
          "requested bad 15..16", "removingFiles bad 16..19", "completed plain 19..–",
        ])
      expectEqual(
        page.spans(on: "Process and clock / process").prefix(2),
        [
          "process of event 2, without an end warning 2..9", "process of event 10, without an end warning 10..16",
        ])
    }
  }

  @Test("A history that is too long for one page is answered with a range that fits")
  func tooLong() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/notes"
      try Self.writeLong(Timeline.maximumEvents + 1, to: path)
      let run = ToolRun("timeline", path, "-o", "\(folder)/page.html")
      expectEqual(run.code, .wrongUse)
      let note = "a timeline holds at most 200,000 events; draw a part of the history. Next: pj timeline "
      #expect(run.notes.contains(note) && run.notes.hasSuffix(" 1..200000 -o FILE\n"), "\(run.notes)")
      #expect(try !TestFiles.names(in: folder).contains("page.html"))
    }
  }

  @Test("A range begins with the values that held before it")
  func range() throws {
    try TestFiles.withTemporaryFolder { folder in
      let page = try TimelineFile(Repository.journal("interrupted-wipe"), ["14..17"], in: folder)
      expectEqual(page.sequences, [14, 15, 16, 17])
      expectEqual(page.spans(on: "Accounts / a1"), ["enrolledWithPolicy good –..15", "wiping bad 15..–"])
    }
  }

  @Test("A decision is explained beside the event that it follows, with the event that set each value")
  func explanations() throws {
    try TestFiles.withTemporaryFolder { folder in
      let page = try TimelineFile(Repository.journal("interrupted-wipe"), in: folder)
      let index = try #require(page.sequences.firstIndex(of: 19))
      let places: [Int] = (page.details[index][1].array ?? []).compactMap { $0.int }
      let heads = places.map { (page.answers[$0].array?.first?.array ?? []).map(page.text) }
      #expect(heads.contains { $0.prefix(2) == ["managed(a1)", "false"] }, "\(heads)")
      for head in heads {
        let explained = ToolRun("explain", Repository.journal("interrupted-wipe"), head[0], "--at", "19").unfolded
        #expect(explained.hasPrefix("\(head[1]) \(head[2])"), "\(head): \(explained)")
      }
    }
  }

  @Test("Damage, jumps of the clock and mistakes in the app are marks, and the damage ends with 3")
  func marks() throws {
    try TestFiles.withTemporaryFolder { folder in
      let damaged = try TimelineFile(Repository.journal("damaged-frame"), in: folder)
      #expect(damaged.run.code == .partial && damaged.run.notes.contains("pj salvage"))
      #expect(damaged.marks.contains("damage bad state unknown @13"), "\(damaged.marks)")
      #expect(damaged.marks.contains { $0.hasPrefix("damage bad damaged @13") }, "\(damaged.marks)")
      expectEqual(damaged.list("notes").count, 1)
      // After the damage no value is known to hold.
      expectEqual(damaged.spans(on: "Accounts / a1").last, "enrolledWithPolicy good 6..11")
      let clock = try TimelineFile(Repository.journal("multi-identity-day"), in: folder)
      #expect(clock.marks.contains("clock warning clock changed @34"), "\(clock.marks)")
      #expect(clock.numbers("axis").allSatisfy { $0 >= 0 })
    }
  }

  @Test("Accounts are pseudonyms in a page, unless names are asked for", arguments: ["html", "chrome-trace"])
  func redaction(format: String) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = Repository.journal("first-enrollment")
      _ = ToolRun("timeline", path, "-o", "\(folder)/redacted", "--format", format)
      _ = ToolRun("timeline", path, "-o", "\(folder)/revealed", "--format", format, "--reveal")
      let redacted = String(decoding: try TestFiles.read("\(folder)/redacted"), as: UTF8.self)
      let revealed = String(decoding: try TestFiles.read("\(folder)/revealed"), as: UTF8.self)
      let scenario = try TestFiles.read("\(Repository.root)/journals/first-enrollment/scenario.json")
      for account in try JSONDocument.parse(scenario).root.required("accounts").members() {
        for name in try account.node.members().map({ try $0.node.string() }) {
          let name = name.lowercased()
          #expect(!redacted.lowercased().contains(name) && revealed.lowercased().contains(name))
        }
      }
    }
  }

  @Test("No text of a journal leaves its place in a page")
  func hostile() throws {
    let texts = [
      "</script><script>alert(1)</script>", "<!--<script>", "\u{2028}\u{2029}", "\u{202E}gnirts\u{202C}",
      "\u{0}\u{1B}[31m\u{7}\r\n", "\"'`${alert(1)}\\", "]]></style><img src=x onerror=alert(1)>", "&lt;b&gt;",
      String(repeating: "long ", count: 20_000), "ع\u{200F}رب\u{200E}ي", "\u{FEFF}\u{200B}",
    ]
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/<b>\u{202E}&\"'"
      try Self.write(texts.flatMap { [Note.taken(text: $0), .dropped(text: $0)] }, to: path)
      let page = try TimelineFile(path, in: folder)
      expectEqual(page.run.code, .done, "\(page.run.notes)")
      // The elements are those of any page: data, answers, the script and what the page is made of.
      let plain = try TimelineFile(Repository.journal("first-enrollment"), in: folder)
      for tag in ["<script", "</script", "<style", "</style", "<img", "<b>", "<!--", "<title"] {
        expectEqual(page.html.ranges(of: tag).count, plain.html.ranges(of: tag).count, "\(tag)")
      }
      #expect(page.html.unicodeScalars.allSatisfy { $0 == "\n" || TerminalText.visible(String($0)) == String($0) })
      // They are shown all the same, spelled out, and not without end.
      let shown = page.details.indices.compactMap { page.rows("fields", of: $0).first?.last }
      #expect(shown.contains { $0.contains("</script><script>alert(1)</script>") }, "\(shown.prefix(3))")
      #expect(shown.contains { $0.contains("\\u{202E}gnirts") })
      #expect(shown.contains { $0.hasSuffix("more characters)") })
      #expect(page.size < 400_000)
      expectEqual(page.overview.object?["title"]?.string, "<b>\\u{202E}&\"'")
      // A trace holds the same texts.
      expectEqual(ToolRun("timeline", path, "-o", "\(folder)/trace", "--format", "chrome-trace").code, .done)
      #expect((try? JSONDocument.parse(try TestFiles.read("\(folder)/trace"))) != nil)
    }
  }

  @Test("The page of a journal of another domain has a lane for each type, and no states")
  func otherDomain() throws {
    try OtherDomainTests.withBank { path in
      try TestFiles.withTemporaryFolder { folder in
        let page = try TimelineFile(path, in: folder)
        expectEqual(page.run.code, .done, "\(page.run.notes)")
        expectEqual(page.types, ["account.opened", "money.deposited", "day.closed"])
        expectEqual(
          page.lanes,
          [
            "Events of bank.example / account.opened", "Events of bank.example / money.deposited",
            "Events of bank.example / day.closed",
          ])
        #expect(page.numbers("spans").isEmpty && !page.html.contains("Ada"))
        let unknown = "only the program of the domain bank.example knows the state"
        expectEqual(page.rows("changes", of: 0), [["unknown", unknown]])
      }
    }
  }

  @Test("A page runs its own script alone, uses its own style alone, and loads nothing")
  func policy() throws {
    try TestFiles.withTemporaryFolder { folder in
      let html = try TimelineFile(Repository.journal("torn-tail"), in: folder).html
      #expect(html.contains("content=\"default-src 'none'; style-src 'sha256-"))
      #expect(!html.contains("unsafe-") && !html.contains("http://") && !html.contains("https://"))
      for attribute in ["src=", "href=", "style=", "onclick=", "onload="] {
        #expect(!html.contains(" \(attribute)"), "\(attribute)")
      }
    }
  }

  @Test("An existing file is not replaced, and what cannot be written is said to be")
  func writing() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = Repository.journal("torn-tail")
      try TestFiles.write([1, 2, 3], to: "\(folder)/old")
      let refused = ToolRun("timeline", path, "-o", "\(folder)/old")
      #expect(refused.code == .wrongUse && refused.notes.contains("exists"), "\(refused.notes)")
      try expectEqual(TestFiles.read("\(folder)/old"), [1, 2, 3])
      let missing = ToolRun("timeline", path, "-o", "\(folder)/none/page.html")
      #expect(missing.code == .unreadable && missing.notes.contains("mkdir -p"), "\(missing.notes)")
      #expect(ToolRun("timeline", path).notes.contains("--output is missing"))
      expectEqual(ToolRun("timeline", path, "1..3", "4", "-o", "\(folder)/new").code, .wrongUse)
      expectEqual(ToolRun("timeline", path, "-o", "\(folder)/new", "--format", "svg").code, .wrongUse)
      expectEqual(ToolRun("timeline", path, "2030..", "-o", "\(folder)/new").code, .wrongUse)
      let records = ToolRun("timeline", path, "-o", "\(folder)/new", "-j").records
      #expect(records.count == 3 && records[1]?.object?["events"]?.int == 12, "\(records)")
    }
  }

  @Test(
    "A trace has balanced spans, times that never decrease, and a name for each lane", arguments: Repository.journals)
  func trace(journal: String) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = Repository.journal(journal)
      _ = ToolRun("timeline", path, "-o", "\(folder)/trace.json", "--format", "chrome-trace")
      let root = try JSONDocument.parse(try TestFiles.read("\(folder)/trace.json")).root.value
      let events = (root.object?["traceEvents"]?.array ?? []).compactMap(\.object)
      var open: [Int: [String]] = [:]
      var named: Set<Int> = []
      var last = 0
      var instants = 0
      for event in events {
        let phase = event["ph"]?.string ?? ""
        let name = try #require(event["name"]?.string)
        let process: Int = try #require(event["pid"]?.int)
        #expect(process > 0)
        guard phase != "M" else {
          #expect(["process_name", "process_sort_index", "thread_name", "thread_sort_index"].contains(name))
          #expect(event["args"]?.object?[name.hasSuffix("name") ? "name" : "sort_index"] != nil && event["ts"] == nil)
          if name == "thread_name" { named.insert(try #require(event["tid"]?.int)) }
          continue
        }
        let thread: Int = try #require(event["tid"]?.int)
        let time: Int = try #require(event["ts"]?.int)
        #expect(time >= last && named.contains(thread))
        last = time
        switch phase {
        case "B": open[thread, default: []].append(name)
        case "E": expectEqual(open[thread, default: []].popLast(), name)
        case "i":
          instants += 1
          #expect(["t", "p", "g"].contains(event["s"]?.string))
        default: Issue.record("phase \(phase)")
        }
      }
      let isBalanced = open.values.allSatisfy { $0.isEmpty }
      #expect(isBalanced, "\(open)")
      let page = try TimelineFile(path, in: folder)
      expectEqual(instants, page.types.count + page.marks.count)
    }
  }

  @Test("The versions of the app, the SDK, the system and the policy have lanes, and a mistake's mark has a next step")
  func versions() throws {
    try TestFiles.withTemporaryFolder { folder in
      try DiagnosisFactsTests.simulate(
        [#"{"exit": {}}, {"update": {"app": "3.1", "os": "17.2"}}, {"launch": {}}, {"wait": "PT1M"}"#],
        into: "\(folder)/j")
      let page = try TimelineFile("\(folder)/j", in: folder)
      let app = page.spans(on: "Policies and versions / app")
      #expect(app.count == 2 && app[0].hasPrefix("app 3.0 distinct ") && app[1].hasPrefix("app 3.1 "), "\(app)")
      expectEqual(page.spans(on: "Policies and versions / operating system").count, 2)
      expectEqual(page.spans(on: "Policies and versions / SDK").count, 1)
      #expect(page.spans(on: "Policies and versions / a1").first?.hasPrefix("policy version 1 ") ?? false)
      for name in ["interrupted-wipe", "multi-identity-day", "damaged-frame"] {
        for mark in try TimelineFile(Repository.journal(name), in: folder).list("marks").compactMap(\.array) {
          let (kind, next) = (mark[0].string, mark[4].string ?? "")
          #expect(!next.isEmpty || !["finding", "problem"].contains(kind), "\(mark)")
        }
      }
    }
  }
}
