import Expectations
import Journal
import Synchronization
import Testing
import WireFormat

@testable import EventSourcing

/// A lent book. Numbers of keys that begin with one letter are the same, so that rows share their places.
private struct Lent: KeyedRow, FieldTree {
  /// How many rows were encoded.
  static let encodedCount = Atomic<Int>(0)

  var key = ""
  var days: UInt64 = 0

  static var blank: Self { Self() }

  static func number(of key: String) -> UInt64 { UInt64(key.utf8.first ?? 0) }

  static func visit<V: FieldVisitor>(_ lent: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "isbn", &lent.key, required: true, shown: false)
    try field(2, "days", &lent.days)
  }
}

/// A reader, whose GUID has a number of its own.
private struct Reader: KeyedRow, FieldTree {
  static let encodedCount = Atomic<Int>(0)

  var key = GUID(0)
  var books: UInt64 = 0

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ reader: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "id", &reader.key, required: true, shown: false)
    try field(2, "books", &reader.books)
  }

  func encode(into writer: inout WireWriter) {
    Self.encodedCount.add(1, ordering: .relaxed)
    var copy = self
    Self.visit(&copy, &writer)
  }
}

private enum LoanState: Int, WireEnumeration { case here, lent, lost }

private struct Borrower: FieldTree {
  var name = ""
  var age: UInt64?

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ person: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "name", &person.name, required: true, privacy: .account)
    try field(2, "age", &person.age)
  }
}

/// A row of which several fields can be personal, and a key that comes from some of them.
private struct Loan<Rule: LoanRule>: KeyedRow, FieldTree {
  var id = GUID.zero
  var state = LoanState.here
  var reader: Borrower?
  var marks: [String: Int] = [:]
  var code: [UInt8] = []
  var day: CivilDate?

  var key: String { Rule.key(of: self) }
  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ loan: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "id", &loan.id)
    try field(2, "state", &loan.state)
    try field(3, "reader", &loan.reader)
    try field(4, "marks", &loan.marks, privacy: .account)
    try field(5, "code", &loan.code, privacy: .secret)
    try field(6, "day", &loan.day, privacy: .account)
  }
}

private protocol LoanRule: Sendable {
  static func key(of loan: Loan<Self>) -> String
}

private enum ByID: LoanRule { static func key(of loan: Loan<Self>) -> String { "\(loan.id)" } }
private enum ByState: LoanRule {
  static func key(of loan: Loan<Self>) -> String { "\(loan.id)-\(loan.state)-\(loan.reader?.age ?? 0)" }
}
private enum ByReader: LoanRule {
  static func key(of loan: Loan<Self>) -> String { loan.reader?.name ?? "\(loan.id)" }
}
private enum ByReaderIfLent: LoanRule {
  static func key(of loan: Loan<Self>) -> String { loan.state == .lent ? loan.reader?.name ?? "" : "\(loan.id)" }
}
private enum ByMarks: LoanRule { static func key(of loan: Loan<Self>) -> String { "\(loan.id)-\(loan.marks.keys)" } }
private enum ByDay: LoanRule { static func key(of loan: Loan<Self>) -> String { "\(loan.id)-\(loan.day != nil)" } }
private enum ByCode: LoanRule { static func key(of loan: Loan<Self>) -> String { "\(loan.id)-\(loan.code.count)" } }

private enum Desk: EventList {
  case lent(isbn: String = "", reader: GUID? = nil)
  case returned(isbn: String = "")

  static let types = EventTypes<Desk>("library", .lent(), .returned())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Desk {
    switch self {
    case .lent(let isbn, let reader):
      try list.event(1, "book.lent", .lent(isbn: list.field(1, "isbn", isbn), reader: list.field(2, "reader", reader)))
    case .returned(let isbn): try list.event(2, "book.returned", .returned(isbn: list.field(1, "isbn", isbn)))
    }
  }
}

private struct Library: Aggregate {
  var lent = KeyedTable<Lent>()
  var readers = KeyedTable<Reader>()

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "lent", &lent, "what is lent by its ISBN")
    try field(2, "readers", &readers, "who reads")
  }

  mutating func apply(_ event: Desk, _ context: EventContext) {
    switch event {
    case .lent(let isbn, let reader):
      lent.set(Lent(key: isbn, days: 28))
      guard let reader else { return }
      readers.set(Reader(key: reader, books: (readers[reader]?.books ?? 0) + 1))
    case .returned(let isbn): lent.remove(isbn)
    }
  }

  var digest: Digest { StateDigest(of: self).combined }
}

@Suite("Tables whose keys are texts and GUIDs")
struct KeyedTableTests {
  /// Keys with one number and many, with one letter spelt in two ways, and what no path has.
  private static let keys =
    [
      "", "a", "ab", "abc", "b", "b/c", "b%", "%", "é", "e\u{301}", "z\n", "ä", "a*", "A", "\u{1F3FB}x", "x\u{FF9E}",
      "\u{AD}",
    ] + (0..<40).map { "\($0 % 10)-\($0)" }

  @Test(
    "A table agrees with a dictionary after any changes, however its rows came",
    arguments: 1...12 as ClosedRange<UInt64>)
  func model(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var library = Library()
    // By the bytes, as Swift takes both spellings of a letter for one.
    var model: [[UInt8]: UInt64] = [:]
    let kept = StateDiffer()
    for step in 0..<200 {
      let before = library
      // Of the digests, those of both, of one version or of none are known.
      if step % 3 > 0 { _ = before.digest }
      for _ in 0...(step % 4) {
        let key = try #require(Self.keys.randomElement(using: &random))
        let days = UInt64.random(in: 0..<100, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<3:
          library.lent.set(Lent(key: key, days: days))
          model[Array(key.utf8)] = days
        case 3..<5:
          library.lent.remove(key)
          model[Array(key.utf8)] = nil
        default:
          library.lent.update(key) { $0.days = days }
          if model[Array(key.utf8)] != nil { model[Array(key.utf8)] = days }
        }
      }
      if step % 3 > 1 { _ = library.digest }
      let changes = before.changes(to: library)
      // A differ that knows the places of earlier steps names each as a new one does, and so does one whose states share nothing.
      expectEqual(kept.changes(from: before, to: library), changes, "seed \(seed), step \(step)")
      expectEqual(try before.changes(to: Self.copy(of: library)), changes, "seed \(seed), step \(step)")
      let whole = StateDiff(from: before.tree(), to: library.tree())
      expectEqual(Self.sorted(changes.changes), Self.sorted(whole.changes), "seed \(seed), step \(step)")
      expectEqual(Set(changes.appeared), Set(whole.appeared))
      expectEqual(Set(changes.disappeared), Set(whole.disappeared))
      guard step % 20 == 0 else { continue }
      let sorted = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      expectEqual(library.lent.inOrder.map { Array($0.key.utf8) }, sorted.map(\.key))
      expectEqual(library.lent.inOrder.map(\.days), sorted.map(\.value))
      expectEqual(library.lent.count, model.count)
      #expect(library.lent.isEmpty == model.isEmpty && Array(library.lent).count == model.count)
      for key in Self.keys {
        expectEqual(library.lent[key]?.days, model[Array(key.utf8)], "\(key)")
        let path = "/lent/\(StatePath.name(of: key))/days"
        expectEqual(library.tree()[path: path], library.part(at: StateTree.components(of: path)[...]), "\(path)")
        expectEqual(library.tree()[path: path] != nil, model[Array(key.utf8)] != nil, "\(path)")
      }
      var other = Library()
      for (key, days) in model { other.lent.set(Lent(key: String(decoding: key, as: UTF8.self), days: days)) }
      #expect(other == library && other.digest == library.digest)
      let read = try Self.copy(of: library)
      #expect(read == library && read.digest == library.digest)
    }
  }

  private static func sorted(_ changes: [StateChange]) -> [StateChange] {
    changes.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private static func copy(of library: Library) throws -> Library {
    var writer = WireWriter()
    library.encode(into: &writer)
    return try WireReader.decode(writer.bytes) { (reader) throws(WireError) in try Library(from: &reader) }
  }

  @Test("What is below a path is found by its bytes")
  func below() {
    var library = Library()
    for key in ["a?", "ab", "\u{1F3FB}x"] { library.lent.set(Lent(key: key, days: 1)) }
    let changes = Library().changes(to: library)
    expectEqual(changes.changes(under: "/lent").count, 3)
    expectEqual(changes.changes(under: "/lent/a%3F").map(\.path), ["/lent/a%3F/days"])
  }

  @Test("A name in a path stands for one key, and no other spelling of it does")
  func names() {
    var names: [String] = []
    // Two spellings of the first letter, of a unit and of a syllable.
    for key in Self.keys + [
      "\u{212B}", "\u{C5}", "A\u{30A}", "\u{2126}", "\u{3A9}", "\u{AC00}", "\u{1100}\u{1161}", "\u{6771}\u{4EAC}",
    ] {
      let name = StatePath.name(of: key)
      #expect(!name.isEmpty && !name.contains("/") && !names.contains(name), "\(name)")
      names.append(name)
      expectEqual(StatePath.text(named: name[...]).map { Array($0.utf8) }, Array(key.utf8), "\(key)")
    }
    expectEqual(
      ["b/c", "%", "", "z\n", "e\u{301}", "\u{6771}"].map(StatePath.name),
      ["b%2Fc", "%25", "%", "z%0A", "e%CC%81", "\u{6771}"])
    for name in ["", "%2", "%41", "%2f", "b%", "%zz", "%FF"] as [Substring] {
      expectEqual(StatePath.text(named: name), nil, "\(name)")
    }
  }

  @Test("Rows out of order, with another number or none are refused")
  func refused() throws {
    func slot(_ keys: String...) -> [UInt8] {
      var writer = WireWriter()
      writer.write(1) { slot in
        for key in keys { slot.write(1) { Lent(key: key).encode(into: &$0) } }
      }
      return writer.bytes
    }
    func read(_ bytes: [UInt8]) throws -> [String] {
      try WireReader.decode(bytes) { (reader) throws(WireError) in try Library(from: &reader) }.lent.map(\.key)
    }
    expectEqual(try read(slot("a", "ab") + slot("b")), ["a", "ab", "b"])
    for wrong in [
      slot("b", "a"), slot("a", "b"), slot("a", "a"), slot("ab", "a"), slot("b") + slot("a"), slot("a") + slot("ab"),
      slot(),
    ] {
      #expect(throws: WireError.self, "\(wrong)") { try read(wrong) }
    }
  }

  @Test("A key is for those who may see each field that it comes from, alone or with another")
  func privacy() {
    func privacy<Rule: LoanRule>(_ rule: Rule.Type) -> Privacy { KeyOrigin<Loan<Rule>>(Loan<Rule>.descriptor).privacy }
    expectEqual([privacy(ByID.self), privacy(ByState.self)], [.public, .public])
    expectEqual([privacy(ByReader.self), privacy(ByReaderIfLent.self)], [.account, .account])
    expectEqual([privacy(ByMarks.self), privacy(ByDay.self), privacy(ByCode.self)], [.account, .account, .secret])
    expectEqual(KeyOrigin<Lent>(Lent.descriptor).privacy, .public)
  }

  @Test("The number of a key is from the SHA-256 of its field")
  func numbers() {
    let id = GUID(7)
    let hash = Digest.sha256([0x0A, 16] + id.bytes).bytes.prefix(8)
    expectEqual(Reader.number(of: id), hash.reduce(0) { $0 << 8 | UInt64($1) })
  }

  @Test("A journal of such tables is checked, taken up from a checkpoint, compared and blamed")
  func journal() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Library.self)
    func lend(_ isbn: String, _ reader: UInt8) throws {
      try store.append(.lent(isbn: isbn, reader: GUID(reader)), at: .seconds(Int64(store.lastSequence) + 1))
    }
    for number in 0..<60 { try lend("978/\(number)", UInt8(number % 7)) }
    try store.checkpoint()
    try lend("979", 3)
    try store.append(.returned(isbn: "978/4"), at: .seconds(100))
    try store.close()
    let history = try journal.history(Library.self)
    #expect(try history.check().isSound)
    expectEqual(try journal.open(Library.self).state.lent.count, 60)
    expectEqual(
      try history.state(at: .sequence(60)).state.changes(to: history.state(at: .sequence(62)).state).changes.map(
        \.path),
      ["/lent/978%2F4/days", "/lent/979/days", "/readers/\(GUID(3))/books"])
    expectEqual(try history.lastWrites(to: "/readers/\(GUID(3))/books", limit: 2).map(\.record.sequence), [61, 60])
    expectEqual(try history.lastWrites(to: "/lent/978%2F4/days").map(\.record.sequence), [62, 5])
    expectEqual(try history.lastWrites(to: "/lent/978/4/days").count, 0)
  }

  @Test("An append encodes as few rows among many as among few")
  func cost() throws {
    func rows(among count: Int) throws -> Int {
      let journal = try TemporaryJournal()
      let store = try journal.create(Library.self)
      for number in 0..<count {
        var bytes = [UInt8](repeating: 0, count: 16)
        (bytes[0], bytes[1], bytes[15]) = (UInt8(number & 255), UInt8(number >> 8), 1)
        try store.append(.lent(isbn: "a", reader: GUID(bytes: bytes)), at: .seconds(Int64(number) + 1))
      }
      let before = Reader.encodedCount.load(ordering: .relaxed)
      try store.append(.lent(isbn: "a", reader: GUID(255)), at: .seconds(Int64(count) + 1))
      defer { try? store.close() }
      return Reader.encodedCount.load(ordering: .relaxed) - before
    }
    let few = try rows(among: 17)
    let many = try rows(among: 3_000)
    #expect(many <= few + 1 && many > 0, "\(few), \(many)")
  }

  @Test("The catalogue of a state names the rows")
  func described() {
    expectEqual(KeyedSlot<Reader>.descriptor.name, "ReaderSlot")
    expectEqual(KeyedSlot<Reader>.descriptor.fields.map(\.name), ["rows"])
  }
}
