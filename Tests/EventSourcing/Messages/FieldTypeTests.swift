import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

/// One field of each type.
private struct Volume: FieldTree, Equatable {
  struct Chapter: FieldTree {
    var title = ""
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ chapter: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "title", &chapter.title)
    }
  }

  var pages = 0
  var weight = 0.0
  var cover: [UInt8] = []
  var published = CivilDate.zero
  var tags: Set<String> = []
  var copies: [String: Int] = [:]
  var prices: [CivilDate: Double] = [:]
  var chapters: [Int: Chapter] = [:]
  var reviews: [[UInt8]] = []
  var returned: CivilDate?

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ volume: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "pages", &volume.pages)
    try field(2, "weight", &volume.weight)
    try field(3, "cover", &volume.cover)
    try field(5, "published", &volume.published)
    try field(7, "tags", &volume.tags)
    try field(8, "copies", &volume.copies)
    try field(9, "prices", &volume.prices)
    try field(10, "chapters", &volume.chapters)
    try field(11, "reviews", &volume.reviews)
    try field(12, "returned", &volume.returned)
  }

  static func sample() throws -> Volume {
    Volume(
      pages: -3, weight: 1.5, cover: [0, 255], published: try #require(CivilDate("2026-10-05")), tags: ["b", "ä", "a"],
      copies: ["north": 2, "east": 1], prices: [try #require(CivilDate("1969-12-31")): 0.25],
      chapters: [2: Chapter(title: "Two"), -1: Chapter(title: "Before")], reviews: [[], [7]],
      returned: CivilDate("0001-01-01"))
  }

  var bytes: [UInt8] {
    var writer = WireWriter()
    encode(into: &writer)
    return writer.bytes
  }
}

/// What identifies a book, and what one chooses of it.
private struct Edition: FieldTree, Equatable {
  enum Cover: Int, WireEnumeration { case paper, cloth, leather = 700, none = -1 }

  var id: GUID?
  var cover = Cover.paper
  var language = Shown.Language(rawValue: 0)
  var holders: [GUID: Cover] = [:]

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ edition: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "id", &edition.id)
    try field(2, "cover", &edition.cover)
    try field(3, "language", &edition.language)
    try field(4, "holders", &edition.holders)
  }

  var bytes: [UInt8] {
    var writer = WireWriter()
    encode(into: &writer)
    return writer.bytes
  }
}

/// The choices of a page.
private enum Shown {
  enum Cover: Int, WireEnumeration { case paper, cloth, leather }

  struct Language: OpenEnumeration, Hashable {
    var rawValue: UInt32
    static let english = Language(rawValue: 1)
    static let descriptor = EnumerationDescriptor("Language", [(0, "unknown"), (1, "english")])
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

private func read<Value: Message>(_ bytes: [UInt8]) throws -> Value {
  try WireReader.decode(bytes) { (reader) throws(WireError) in try Value(from: &reader) }
}

private enum Addition: EventList {
  case added(weight: Double = 0, copies: [String: Int] = [:])
  case surveyed(answers: String = "")

  static let types = EventTypes<Addition>("shelf", .added(), .surveyed())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Addition {
    switch self {
    case .added(let weight, let copies):
      try list.event(
        1, "volume.added",
        .added(weight: list.field(1, "weight", weight), copies: list.field(2, "copies", copies, privacy: .account)))
    case .surveyed(let answers):
      try list.event(7, "reader.surveyed", .surveyed(answers: list.field(1, "answers", answers, as: .json)))
    }
  }
}

private struct Shelf: Aggregate {
  var copies: [String: Int] = [:]

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "copies", &copies) }

  mutating func apply(_ addition: Addition, _ context: EventContext) {
    if case .added(_, let more) = addition { copies.merge(more) { $0 + $1 } }
  }
}

@Suite("Field types")
struct FieldTypeTests {
  @Test("A value of each type reads as it was written, and has these bytes")
  func bytes() throws {
    let volume = try Volume.sample()
    try expectEqual(read(volume.bytes), volume)
    expectEqual(
      hexadecimal(volume.bytes),
      [
        "0805", "11000000000000f83f", "1a0200ff", "28f6c302", "3a0a0a01610a01620a02c3a4",
        "42150a080a046561737410020a090a056e6f7274681004",
        "4a0d0a0b080111000000000000d03f", "52190a0c080112080a064265666f72650a09080412050a0354776f",
        "5a00", "5a0107", "60f3e457",
      ].joined())
    // What absence means is not written; no day is meant by it.
    expectEqual(hexadecimal(Volume().bytes), "2800")
  }

  @Test(
    "GUIDs and choices read as they were written; an open choice keeps what it does not know, a closed one refuses it")
  func choices() throws {
    let id = try #require(GUID("00010203-0405-0607-0809-0A0B0C0D0E0F"))
    let edition = Edition(
      id: id, cover: .leather, language: .english,
      holders: [id: .cloth, try #require(GUID(bytes: repeatElement(0, count: 16))): .paper])
    try expectEqual(read(edition.bytes), edition)
    let digits = "000102030405060708090a0b0c0d0e0f"
    let zeros = String(repeating: "0", count: 32)
    expectEqual(
      hexadecimal(edition.bytes),
      "0a10\(digits)" + "10bc05" + "1801" + "222c" + "0a14" + "0a10\(zeros)" + "1000" + "0a14"
        + "0a10\(digits)" + "1001")
    var unknown = Edition()
    unknown.language = .init(rawValue: 700)
    try expectEqual(read(unknown.bytes) as Edition, unknown)
    expectEqual(Shown.Language.english.shown, .name("english"))
    expectEqual(Shown.Cover.descriptor.members.map(\.name), ["paper", "cloth", "leather"])
    expectEqual(unknown.language.shown, .integer(700))
    var bare = Edition()
    bare.cover = .none
    try expectEqual(read(bare.bytes), bare)
    // A cover that no member is, and a GUID that is too short.
    for bytes in [[0x10, 3], [0x0a, 1, 0]] as [[UInt8]] {
      #expect(throws: WireError.self) { try read(bytes) as Edition }
    }
  }

  @Test("Equal sets, dictionaries and numbers have equal bytes, however they came about")
  func order() throws {
    var one = Volume()
    var other = Volume()
    let words = (0..<100).map { "w\($0)" }
    for word in words {
      one.tags.insert(word)
      one.copies[word] = 1
    }
    for word in words.reversed() {
      other.tags.insert(word)
      other.copies[word] = 1
    }
    (one.weight, other.weight) = (0, -0.0)
    expectEqual(one, other)
    expectEqual(one.bytes, other.bytes)
    one.weight = .nan
    other.weight = Double(bitPattern: 0xFFF8_0000_0000_1234)
    expectEqual(one.bytes, other.bytes)
  }

  @Test(
    "What no writer writes is refused",
    arguments: [
      // A set out of order, and one with an element twice.
      "3a060a01620a0161", "3a060a01610a0161",
      // Dictionaries out of order, without a key, and without a value.
      "420e0a050a016210020a050a01611002", "42040a021002", "42050a030a0161",
      // The same text in two forms of Unicode.
      "3a090a0365cc810a02c3a9",
      // A day in the year 0, and one after 9999.
      "28f5e457", "28c282e602",
    ])
  func refused(digits: String) throws {
    #expect(throws: WireError.self) { try read(EventSourcingTests.bytes(digits)) as Volume }
  }

  @Test("An event is read back as it was written, even a number that is none")
  func readingBack() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Shelf.self)
    for weight in [Double.nan, -0.0, 1e300] {
      try store.append(.added(weight: weight, copies: ["north": 1]), at: .seconds(1))
    }
    try store.append(.surveyed(answers: #"{"liked": true}"#), at: .seconds(2))
    expectEqual(store.state.copies, ["north": 3])
    try store.close()
    try expectEqual(journal.open(Shelf.self).state.copies, ["north": 3])
    #expect(try journal.history(Shelf.self).check().isSound)
  }

  @Test("Dates are those of the calendar")
  func dates() throws {
    for (text, days) in [
      ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("0001-01-01", -719_162),
      ("9999-12-31", 2_932_896),
    ] as [(String, Int64)] {
      let date = try #require(CivilDate(text))
      expectEqual(date.daysSince1970, days)
      expectEqual(date.description, text)
    }
    for text in ["1900-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "10000-01-01", "0000-01-01", "2026-04-31", "x"] {
      expectEqual(CivilDate(text), nil)
    }
    for days in stride(from: Int64(-719_162), through: 2_932_896, by: 997) {
      let date = try #require(CivilDate(daysSince1970: days))
      let (year, month, day) = date.components
      expectEqual(CivilDate(year: year, month: month, day: day), date)
    }
    expectEqual(CivilDate(daysSince1970: -719_163), nil)
    expectEqual(CivilDate(daysSince1970: 2_932_897), nil)
  }

  @Test("Trees name the values of a dictionary by its keys, whatever else it has")
  func trees() throws {
    var volume = try Volume.sample()
    expectEqual(volume.tree()[names: ["copies", "north"]], .value(.integer(2)))
    expectEqual(volume.part(at: ["chapters", "-1", "title"]), .value(.text("Before")))
    expectEqual(volume.tree()[names: ["tags"]], .value(.list([.text("a"), .text("b"), .text("ä")])))
    expectEqual(volume.tree()[names: ["weight"]], .value(.name("1.5")))
    expectEqual(volume.tree()[names: ["published"]], .value(.name("2026-10-05")))
    expectEqual(volume.tree()[names: ["cover"]], .value(.name("00ff")))
    volume.copies = ["a/b": 1, "x": 2]
    expectEqual(volume.tree()[names: ["copies", "x"]], .value(.integer(2)))
    expectEqual(volume.tree()[names: ["copies", "a%2Fb"]], .value(.integer(1)))
    // Another entry changes no path.
    volume.copies["a b"] = 3
    expectEqual(volume.tree()[names: ["copies", "x"]], .value(.integer(2)))
    expectEqual(Volume().tree()[names: ["copies"]], .value(.unset))
  }

  @Test("A catalogue has a refinement beside the type of the same wire form; programs without it see that type")
  func refinements() throws {
    let catalog = EventCatalog([EventDescriptor(1, "volume.added", body: Volume.descriptor, meaning: "")])
    let read = try EventCatalog(decoding: catalog.encode())
    let fields = try #require(read[1]).body
    expectEqual(fields.field(numbered: 2)?.refinement, .double)
    expectEqual(fields.field(numbered: 2)?.type.name, "time")
    expectEqual(fields.field(numbered: 5)?.refinement, .date)
    expectEqual(fields.field(numbered: 5)?.type.name, "signed")
    expectEqual(fields.field(numbered: 1)?.refinement, nil)
    expectEqual(read.contradiction(to: catalog), nil)
    #expect(read.fingerprint() == catalog.fingerprint())

    // A date is not the number that it is written as.
    let older = EventCatalog([
      EventDescriptor(
        1, "volume.added",
        body: MessageDescriptor("Volume", [FieldDescriptor(5, "published", .signed, .single, "the day")]), meaning: "")
    ])
    expectEqual(catalog.contradiction(to: older), "in volume.added, field 5, published, is of type date, not signed")
    #expect(older.fingerprint() != catalog.fingerprint())
  }

  @Test("A refinement of a later program, or of another type, is passed over")
  func unknownRefinement() throws {
    var form = CatalogForm()
    form.events = [EventForm(number: 1, name: "volume.added", body: 1)]
    form.messages = [
      MessageForm(
        name: "Volume",
        fields: [
          FieldForm(number: 1, name: "pages", type: FieldType.signed.kind.rawValue, refinement: 99),
          FieldForm(
            number: 2, name: "title", type: FieldType.string.kind.rawValue,
            refinement: FieldRefinement.double.rawValue),
        ])
    ]
    var writer = WireWriter()
    form.encode(into: &writer)
    let body = try #require(EventCatalog(decoding: writer.bytes)[1]).body
    expectEqual(body.fields.map(\.refinement), [nil, nil])
  }

  @Test("The fields of any program's event are read by its catalogue")
  func fields() throws {
    let fields = MessageFields(try Volume.sample().bytes, as: Volume.descriptor)
    expectEqual(fields["weight"]?.values, [.double(1.5)])
    expectEqual(fields["published"]?.values, [.date(try #require(CivilDate("2026-10-05")))])
    guard case .message(let tags)? = fields["tags"]?.values.first else { throw Missing() }
    expectEqual(tags["elements"]?.values, [.text("a"), .text("b"), .text("ä")])
    guard case .message(let copies)? = fields["copies"]?.values.first,
      case .message(let east)? = copies["entries"]?.values.first
    else { throw Missing() }
    expectEqual(east["key"]?.values, [.text("east")])
    expectEqual(east["value"]?.values, [.signed(1)])
    expectEqual(
      MessageFields([], as: Volume.descriptor).withDefaults(of: Volume.descriptor)["weight"]?.values, [.double(0)])
    expectEqual(MessageFields([], as: Volume.descriptor).withDefaults(of: Volume.descriptor)["published"], nil)
  }

  private struct Missing: Error {}
}
