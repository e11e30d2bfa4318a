import Expectations
import AppProtection
import EventSourcing
import Journal
import Testing
import WireFormat

@testable import CommandSupport

/// What happens in a bank. Its numbers are those of app protection's types too.
private enum Transfer: EventList {
  case opened(account: UInt64 = 0, owner: String = "")
  case deposited(account: UInt64 = 0, cents: Int64 = 0)
  case closed(cents: Int64 = 0)

  static let types = EventTypes<Transfer>("bank.example", .opened(), .deposited(), .closed())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Transfer {
    switch self {
    case .opened(let account, let owner):
      try list.event(
        2, "account.opened",
        .opened(
          account: list.field(1, "number", account), owner: list.field(2, "owner", owner, privacy: .account)))
    case .deposited(let account, let cents):
      try list.event(
        43, "money.deposited",
        .deposited(account: list.field(1, "number", account), cents: list.field(2, "cents", cents)))
    case .closed(let cents): try list.event(122, "day.closed", .closed(cents: list.field(1, "cents", cents)))
    }
  }
}

private struct Bank: Aggregate {
  typealias Event = Transfer

  var cents: Int64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "cents", &cents) }

  mutating func apply(_ event: Transfer, _ context: EventContext) {
    if case .deposited(_, let amount) = event { cents &+= amount }
  }
}

@Suite("Journals of other domains")
struct OtherDomainTests {
  @Test("A command is run on events of any domain, because it needs no states")
  func bisected() throws {
    try Self.withBank { path in
      let run = ToolRun("bisect", path, "--run", "test $PJ_EVENT -lt 2")
      #expect(run.output.hasPrefix("event 2 is the first bad one"), "\(run.output)\(run.notes)")
      expectEqual(run.code, .done)
      expectEqual(ToolRun("bisect", path, "--where", "/cents > 2").code, .needsNewerTool)
    }
  }

  /// Writes a day of a bank.
  static func withBank(cents: Int64 = 2_500, _ body: (String) throws -> Void) throws {
    try TestFiles.withTemporaryFolder { folder in
      let id = try #require(JournalID(bytes: [UInt8](repeating: 3, count: 16)))
      let store = try EventStore<Bank>.create(at: "\(folder)/bank", journalID: id, createdNanoseconds: 1)
      for event in [
        Transfer.opened(account: 7, owner: "Ada Example"), .deposited(account: 7, cents: cents), .closed(cents: cents),
      ] {
        try store.append(event, at: Moment(wallNanoseconds: 1_600_000_000_000_000_000))
      }
      try store.close()
      try body("\(folder)/bank")
    }
  }

  private func bytes(of path: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try TestFiles.names(in: path) where name != "LOCK" {
      files[name] = try TestFiles.read("\(path)/\(name)")
    }
    return files
  }

  @Test("A bank's journal is shown by the catalogue inside it, and the owner's name only if it is asked for")
  func shown() throws {
    try Self.withBank { path in
      let log = ToolRun("log", path)
      expectEqual(log.code, .done, "\(log.notes)")
      for text in ["account.opened", "money.deposited", "day.closed", "cents: 2500"] {
        #expect(log.output.contains(text), "\(log.output)")
      }
      #expect(!log.output.contains("wipe.") && !log.output.contains("process."), "\(log.output)")
      #expect(!log.output.contains("Ada") && ToolRun("log", path, "--reveal").output.contains("Ada Example"))
      let json = ToolRun("log", path, "-j")
      #expect(json.code == .done && json.output.contains(#""type":"money.deposited""#), "\(json.output)")
      #expect(json.output.contains(#""cents":2500"#) && !json.output.contains("Ada"))
      let show = ToolRun("show", path, "2")
      #expect(
        show.code == .done && show.output.contains("bank.example") && show.output.contains("2500"), "\(show.output)")
      let stats = ToolRun("stats", path)
      #expect(stats.code == .done && stats.output.contains("money.deposited"), "\(stats.output) \(stats.notes)")
      #expect(stats.output.contains("domain bank.example"))
      #expect(ToolRun("stats", path, "-j").output.contains(#""findings":null"#))
      expectEqual(ToolRun("verify", path).code, .done)
      let copy = "\(path)-2"
      expectEqual(ToolRun("salvage", path, "-o", copy).code, .done)
      #expect(ToolRun("log", copy).output.contains("money.deposited"))
      let compare = ToolRun("compare", path, copy)
      #expect(compare.code == .done && compare.output.contains("bank.example"), "\(compare.output) \(compare.notes)")
      for journal in [Repository.journal("first-enrollment"), "Tests/pj/Journals1.0/first-enrollment"] {
        let other = ToolRun("compare", path, journal)
        #expect(other.code == .wrongUse && other.notes.contains("app-protection"), "\(journal): \(other.notes)")
        #expect(other.notes.contains("journals of different domains have nothing in common: \"bank.example\" and "))
      }
    }
  }

  /// The commands that ask about single values, events and rules of a state.
  private static func folding(_ path: String) -> [[String]] {
    [
      ["blame", path, "/cents"], ["blame", path, "/cents", "--writes"], ["bisect", path, "--where", "/cents > 2"],
      ["explain", path, "managed(a1)"], ["explain", path, "managed(a1)", "--when"], ["whatif", path, "--drop", "2"],
      ["whatif", path, "--drop", "money.deposited"],
    ]
  }

  @Test("Questions about a state that only another program knows end in 5 and name the domain")
  func states() throws {
    try Self.withBank { path in
      let filter = ToolRun("log", path, "--path", "/accounts")
      #expect(filter.notes.contains(": only the program of the domain \"bank.example\" knows the states"))
      for words in [
        ["state", path], ["fields", path], ["diff", path, "1", "2"], ["check", path],
        ["policy", "show", path, "--account", "a1"], ["diagnose", path], ["diagnose", path, "-j"],
        ["diagnose", Repository.journal("first-enrollment"), "--against", path], ["diff", path, "98", "99"],
        ["log", path, "--findings"], ["log", path, "--path", "/accounts"],
      ] + Self.folding(path) {
        let run = ToolRun(words)
        #expect(run.code == .needsNewerTool && run.notes.contains("bank.example"), "\(words): \(run.notes)")
        #expect(run.output.isEmpty || words.last == "-j", "\(words): \(run.output)")
        #expect(run.notes.hasSuffix("Next: pj help own-domain\n"), "\(words): \(run.notes)")
      }
    }
  }

  @Test("A bank's journal that begins later is refused by its domain too, and not by where it begins")
  func laterBeginning() throws {
    try Self.withBank { path in
      let id = try #require(JournalID(bytes: [UInt8](repeating: 7, count: 16)))
      let fork = "\(path)-fork"
      try JournalWriter.fork(from: JournalReader(path: path), at: 2, to: fork, id: id, createdNanoseconds: 1).close()
      for words in [
        ["diff", fork], ["state", fork, "--at", "start"], ["state", fork, "--at", "1"], ["diagnose", fork],
      ] {
        let run = ToolRun(words)
        #expect(run.code == .needsNewerTool && run.notes.contains("bank.example"), "\(words): \(run.notes)")
      }
    }
  }

  @Test("Where no event of an account matches, the next step is one that a bank's journal has")
  func noSuchAccount() throws {
    try Self.withBank { path in
      let run = ToolRun("log", path, "--account", "ada@example.com")
      #expect(run.notes.hasSuffix("Next: pj log \(path)\n"), "\(run.notes)")
    }
  }

  @Test("A catalogue that is refused is named with its reason beside the events that it would describe")
  func refusedCatalog() throws {
    try Self.withBank { path in
      let strange = "\(path)-strange"
      let id = try #require(JournalID(bytes: [UInt8](repeating: 8, count: 16)))
      var options = JournalOptions()
      options.domain = try JournalDomain(name: "bank.example", catalog: [0x0F])
      let journal = try JournalWriter.create(at: strange, id: id, createdNanoseconds: 1, options: options)
      var cursor = try JournalReader(path: path).cursor()
      guard case .event(let event)? = try cursor.next() else {
        Issue.record("no event")
        return
      }
      var batch = JournalBatch()
      try batch.append(payload: event.payload, label: 1)
      try journal.append(&batch)
      try journal.close()
      let reason = "the catalogue cannot be read: byte 0"
      for words in [["log", strange], ["show", strange, "1"]] {
        #expect(ToolRun(words).output.contains(reason), "\(ToolRun(words).output)")
      }
    }
  }

  @Test("A store of app protection refuses a bank's journal by name, and writes nothing")
  func refused() throws {
    try Self.withBank { path in
      let before = try bytes(of: path)
      let error = #expect(throws: HistoryError.self) { _ = try EventStore<AppProtectionMachine>.open(at: path) }
      expectEqual(error?.description.contains("bank.example"), true, "\(String(describing: error))")
      try expectEqual(bytes(of: path), before)
    }
  }

  @Test("A bank's journal in bytes of format 1.0 is refused by its first event, whatever is asked, and not changed")
  func format10() throws {
    try TestFiles.withTemporaryFolder { folder in
      _ = Repository.root
      let path = "\(folder)/bank"
      try TestFiles.copy("Tests/pj/Journals1.0/bank", to: path)
      let before = try TestFiles.stamps(of: path)
      for words in [
        ["log", path], ["log", "-j", path], ["show", path, "1"], ["stats", path], ["state", path], ["check", path],
        ["diff", path, "1", "2"], ["compare", path, path], ["fields", path],
      ] + Self.folding(path) {
        let run = ToolRun(words)
        #expect(run.code == .needsNewerTool && !run.output.contains("wipe."), "\(words): \(run.output)")
        #expect(
          run.notes.contains("event 1 is not: ") && run.notes.contains("Next: pj verify"), "\(words): \(run.notes)")
      }
      expectEqual(ToolRun("verify", path).code, .done)
      try expectEqual(TestFiles.stamps(of: path), before)
      // An event that may be left out does not fit either: nothing says whose it is.
      let plain = "\(folder)/plain"
      let id = try #require(JournalID(bytes: [UInt8](repeating: 6, count: 16)))
      let journal = try JournalWriter.create(at: plain, id: id, createdNanoseconds: 1)
      var envelope = Envelope(type: 9_999, at: Moment(wallNanoseconds: 1))
      envelope.unknownReaders = .ignorable
      var writer = WireWriter()
      envelope.encode(into: &writer)
      var batch = JournalBatch()
      try batch.append(payload: writer.bytes, label: 1)
      try journal.append(&batch)
      try journal.close()
      let run = ToolRun("log", plain)
      expectEqual(run.code, .needsNewerTool)
      #expect(
        run.notes.contains("event 1 is not: its type 9999 is unknown, and that it may be left out says nothing")
          && run.notes.contains("a newer version of this one"), "\(run.notes)")
    }
  }

  @Test("A bank's journal under app protection's name is refused by what contradicts, and still shown as its own")
  func contradicting() throws {
    try Self.withBank { path in
      let forged = "\(path)-forged"
      let id = try #require(JournalID(bytes: [UInt8](repeating: 5, count: 16)))
      var options = JournalOptions()
      options.domain = try JournalDomain(name: AppProtectionEvent.domain, catalog: Transfer.catalog.encode())
      let journal = try JournalWriter.create(at: forged, id: id, createdNanoseconds: 1, options: options)
      var cursor = try JournalReader(path: path).cursor()
      var batch = JournalBatch()
      while case .event(let event)? = try cursor.next() {
        try batch.append(payload: event.payload, label: 1)
        try journal.append(&batch)
      }
      try journal.close()
      let before = try bytes(of: forged)
      let error = #expect(throws: HistoryError.self) { _ = try EventStore<AppProtectionMachine>.open(at: forged) }
      #expect(
        error?.description.contains("contradicts this program's: event type 2 is \"account.opened\"") == true,
        "\(String(describing: error))")
      for words in [
        ["state", forged], ["check", forged], ["diff", forged, "1", "2"], ["log", forged, "--findings"],
      ] {
        expectEqual(ToolRun(words).code, .needsNewerTool, "\(words)")
      }
      let log = ToolRun("log", forged)
      #expect(log.code == .done && log.output.contains("money.deposited"), "\(log.output) \(log.notes)")
      #expect(!log.output.contains("wipe."))
      let own = ToolRun("compare", forged, Repository.journal("first-enrollment"))
      #expect(own.code == .wrongUse && own.notes.contains("nothing in common"), "\(own.output) \(own.notes)")
      try expectEqual(bytes(of: forged), before)
    }
  }

  @Test("A journal that names no domain is refused by the first event that does not fit, and nothing is written")
  func unnamed() throws {
    try Self.withBank { path in
      let plain = "\(path)-plain"
      let id = try #require(JournalID(bytes: [UInt8](repeating: 4, count: 16)))
      let journal = try JournalWriter.create(at: plain, id: id, createdNanoseconds: 1)
      var cursor = try JournalReader(path: path).cursor()
      var batch = JournalBatch()
      while case .event(let event)? = try cursor.next() {
        try batch.append(payload: event.payload, label: 1)
        try journal.append(&batch)
      }
      try journal.close()
      let before = try bytes(of: plain)
      let error = #expect(throws: HistoryError.self) { _ = try EventStore<AppProtectionMachine>.open(at: plain) }
      #expect(
        error?.description.contains("one of \"app-protection\", and event 1 is not: ") == true,
        "\(String(describing: error))")
      try expectEqual(bytes(of: plain), before)
      for words in [["log", plain], ["show", plain, "1"], ["state", plain], ["stats", plain]] {
        let run = ToolRun(words)
        #expect(run.code == .needsNewerTool && run.notes.contains("event 1 is not: "), "\(words): \(run.notes)")
      }
      expectEqual(ToolRun("verify", plain).code, .done)
      let own = try EventStore<Bank>.open(at: plain)
      expectEqual(own.state.cents, 2_500)
      try own.close()
    }
  }

  @Test("A journal without a domain whose first events are lost is still judged by the others")
  func damagedBeginning() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TestFiles.copy("\(Repository.root)/Tests/Journal/Format10/checkpoints", to: path)
      expectEqual(ToolRun("log", path).code, .needsNewerTool)
      try TestFiles.removeFile("\(path)/00000000000000000001.seg")
      let run = ToolRun("log", path)
      #expect(run.code == .needsNewerTool && run.output.isEmpty, "\(run.notes)")
    }
  }
}
