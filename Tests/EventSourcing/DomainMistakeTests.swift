import EventSourcing
import Expectations
import Journal
import Testing
import WireFormat

/// Events of a rental with each mistake that a list of types can have.
private enum Rental: EventList {
  case lent(item: UInt64 = 0, day: UInt32 = 1, due: Int64 = 0, note: String? = nil)
  case returned(item: UInt64 = 0, day: UInt64 = 0, tags: [String] = [])
  case sold(price: Int64 = 0), stolen, broken, scrapped(weight: UInt64 = 0), nameless

  static let types = EventTypes<Rental>(
    "rental", .lent(note: "?"), .returned(tags: ["new"]), .sold(), .stolen, .scrapped(), .nameless)

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Rental {
    switch self {
    case .lent(let item, let day, let due, let note):
      try list.event(
        1, "item.lent",
        .lent(
          item: list.field(1, "item", item), day: list.field(2, "day", day), due: list.field(3, "due", due, as: .time),
          note: list.field(4, "note", note)))
    case .returned(let item, let day, let tags):
      try list.event(
        2, "item.returned",
        .returned(
          item: list.field(1, "item", item), day: list.field(1, "day", day), tags: list.field(80, "tags", tags)))
    case .sold(let price): try list.event(2, "item.sold", .sold(price: list.field(1, "price", price)))
    case .stolen: list.event(3, "item.lent", self)
    case .broken: list.event(4, "item.broken", self)
    case .scrapped(let weight):
      try list.event(5, "item.scrapped", .scrapped(weight: list.field(99, "weight", weight, required: true)))
    case .nameless: self
    }
  }
}

/// A shelf that lists its fields in the wrong order, one of them within another message, and counts every event.
private struct Shelf: Aggregate {
  typealias Event = Counting

  struct Label: FieldList {
    @Personal var owner = ""
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ label: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "owner", &label.$owner, privacy: .public)
    }
  }

  var count: UInt64 = 0
  var weight: UInt64 = 0
  var label = Label()

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(2, "count", &count)
    try field(1, "weight", &weight)
    try field(3, "label", &label)
  }

  mutating func apply(_ event: Counting, _ context: EventContext) { count += 1 }
}

/// A club whose rows are found by names, which are sealed, except for the boats, whose owners alone are.
private struct Club: Aggregate {
  typealias Event = Counting

  struct Member: KeyedRow, FieldList {
    @Personal var name = ""
    var key: String { "member-\(name.prefix(2))" }
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ member: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "name", &member.$name, privacy: .account)
    }
  }

  struct Card: TableRow, FieldList {
    @Personal var holder: GUID?
    var key: UInt64 { holder.map { $0.bytes.reduce(0) { $0 &* 31 &+ UInt64($1) } } ?? 0 }
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ card: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "holder", &card.$holder, privacy: .account)
    }
  }

  struct Boat: KeyedRow, FieldList {
    var key = ""
    @Personal var owner = ""
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ boat: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "name", &boat.key)
      try field(2, "owner", &boat.$owner, privacy: .account)
    }
  }

  /// Found by the length of a name, which is as personal.
  struct Guest: TableRow, FieldList {
    @Personal var name = ""
    var key: UInt64 { UInt64(name.count) }
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ guest: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "name", &guest.$name, privacy: .account)
    }
  }

  var members = KeyedTable<Member>()
  var cards = StateTable<Card>()
  var boats = KeyedTable<Boat>()
  var guests = StateTable<Guest>()

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "members", &members)
    try field(2, "cards", &cards)
    try field(3, "boats", &boats)
    try field(4, "guests", &guests)
  }

  mutating func apply(_ event: Counting, _ context: EventContext) {}
}

/// A tally without mistakes, but for an event that its list of types forgot.
private struct Tally: Aggregate {
  typealias Event = Counting

  var count: UInt64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "count", &count) }
  mutating func apply(_ event: Counting, _ context: EventContext) { count += 1 }
}

private enum Counting: EventList {
  case counted(at: Int64 = 0)
  case forgotten, nameless

  static let types = EventTypes<Counting>("counting", .counted())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Counting {
    switch self {
    case .counted(let time): try list.event(1, "thing.counted", .counted(at: list.field(1, "at", time, as: .time)))
    case .forgotten: list.event(2, "thing.forgotten", self)
    case .nameless: self
    }
  }
}

@Suite("Mistakes of a domain")
struct DomainMistakeTests {
  @Test("Every mistake in a list of types names the type, the field and its number")
  func types() {
    expectEqual(
      Rental.catalog.mistakes.map(\.description),
      [
        "event type 2 is both item.returned and item.sold",
        "event types 1 and 3 are both item.lent",
        "the event nameless visits no type: its fields belong into the call of 'event'",
        "in item.lent, field 2, day, begins with a value other than the default: write it 'always'",
        "in item.lent, field 4, note, may be missing and does not begin with nil",
        "in item.returned, field 1, item, and field day have one number",
        "in item.returned, field 80, tags, is a list that does not begin empty",
        "in item.scrapped, field 99, weight, is required and has a number above 63",
      ])
  }

  @Test("A domain with mistakes opens no journal, and nothing is written")
  func opening() throws {
    let journal = try TemporaryJournal()
    for error in [
      #expect(throws: HistoryError.self) {
        try EventStore<Shelf>.create(at: journal.path, journalID: TemporaryJournal.id, createdNanoseconds: 1)
      },
      #expect(throws: HistoryError.self) { try EventStore<Shelf>.open(at: journal.path) },
    ] {
      expectEqual(
        error?.message,
        "the domain \"counting\" contradicts itself: in the state, field 1, weight, comes after field 2, count; "
          + "fields are visited in the order of their numbers (and 1 more)")
    }
  }

  @Test("Rows whose key is personal open no journal")
  func personalKeys() throws {
    let journal = try TemporaryJournal()
    let error = #expect(throws: HistoryError.self) {
      try EventStore<Club>.create(at: journal.path, journalID: TemporaryJournal.id, createdNanoseconds: 1)
    }
    expectEqual(
      error?.message,
      "the domain \"counting\" contradicts itself: in the state, field 1, members, has rows whose key is personal: it is "
        + "empty while events are folded (and 2 more)")
  }

  @Test("An event that the list of types forgot is refused before it is written, each time")
  func forgottenType() throws {
    let journal = try TemporaryJournal()
    let store = try EventStore<Tally>.create(at: journal.path, journalID: TemporaryJournal.id, createdNanoseconds: 1)
    try store.append(.counted(at: 0), at: .seconds(1))
    for (event, type) in [(Counting.forgotten, 2), (.forgotten, 2), (.nameless, 0)] {
      let error = #expect(throws: StoreError<Refusal>.self) { try store.append(event, at: .seconds(2)) }
      #expect(
        error?.message.contains("an event has the type \(type), which the catalogue of its domain does not list")
          == true)
    }
    try store.append(.counted(at: 5), at: .seconds(3))
    expectEqual(store.state.count, 2)
  }
}
