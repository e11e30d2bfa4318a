import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

/// Loans of a library. Three of its types forget a value.
private enum Loan: EventList {
  case lent(book: UInt64 = 0, reader: String = "", days: UInt32 = 0)
  case returned(book: UInt64 = 0, condition: String = "")
  case noted(String = "")
  case counted(UInt64 = 0, shelf: UInt64 = 0)
  /// Visited under another name.
  case moved(toShelf: UInt64 = 0)

  static let types = EventTypes<Loan>("library", .lent(), .returned(), .noted(), .counted(), .moved())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Loan {
    switch self {
    case .lent(let book, let reader, let days):
      try list.event(
        1, "book.lent", .lent(book: list.field(1, "book", book), reader: reader, days: list.field(3, "days", days)))
    case .returned(let book, let condition):
      try list.event(
        2, "book.returned",
        .returned(book: list.field(1, "book", book), condition: list.field(2, "condition", condition)))
    case .noted: list.event(3, "book.noted", self)
    case .counted(let count, let shelf):
      try list.event(4, "books.counted", .counted(list.field(1, "count", count), shelf: shelf))
    case .moved(let shelf): try list.event(5, "book.moved", .moved(toShelf: list.field(1, "shelf", shelf)))
    }
  }
}

/// A book, which forgets a property and says so of another.
private struct Book: TableRow, FieldTree {
  var number: UInt64 = 0
  var isLent = false
  var shelf: UInt64 = 0
  var title = ""
  var length = 0
  @Personal var reader = ""

  var key: UInt64 { number }
  static var blank: Self { Self() }
  static var derivedProperties: [String] { ["length", "width"] }

  static func visit<V: FieldVisitor>(_ book: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &book.number)
    // Another name than that of the property.
    try field(2, "lent", &book.isLent)
    try field(3, "title", &book.title)
    try field(4, "reader", &book.$reader, privacy: .account)
  }
}

/// An opening time, in a form in which the journal does not keep it.
private struct Hours: FieldList {
  var range: ClosedRange<UInt64> = 0...0
  var isClosed = false

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ hours: inout Self, _ field: inout V) throws(V.Failure) {
    var (from, until) = (hours.range.lowerBound, hours.range.upperBound)
    try field(1, "from", &from)
    try field(2, "until", &until)
    hours.range = from...max(from, until)
    try field(3, "isClosed", &hours.isClosed)
  }
}

private struct Library: Aggregate {
  var hours = Hours()
  var books = StateTable<Book>()
  var visitors: UInt64 = 0
  var lastReader: String?

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "hours", &hours)
    try field(2, "books", &books)
    try field(3, "visitors", &visitors)
  }

  mutating func apply(_ loan: Loan, _ context: EventContext) {}
}

/// A receipt whose forms lose what no list shows: a text is cut off, and a page is never written.
private struct Receipt: EventPayload, Equatable {
  struct Signature: FormedMessage {
    struct Form: FieldList {
      var name = ""
      static var blank: Self { Self() }
      static func visit<V: FieldVisitor>(_ form: inout Self, _ field: inout V) throws(V.Failure) {
        try field(1, "name", &form.name)
      }
    }
    var name = ""
    var page: UInt64 = 0
    var form: Form { Form(name: name) }
    init(_ form: Form) { name = form.name }
    init(name: String = "", page: UInt64 = 0) { (self.name, self.page) = (name, page) }
  }

  var number: UInt64 = 0
  var places: [UInt64] = []
  var signature = Signature()
  /// Follows from the signature.
  var initial: Character?

  static var entry: EventEntry { EventEntry(1, "receipt.signed", meaning: "A receipt was signed.") }
  static var blank: Self { Self() }
  static var derivedProperties: [String] { ["initial"] }

  static func visit<V: FieldVisitor>(_ receipt: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &receipt.number)
    try field(2, "places", &receipt.places, inOrder: <)
    try field(3, "signature", &receipt.signature)
  }

  static func fold(_ receipt: Self, into desk: inout Desk, _ context: EventContext) { desk.last = receipt.signature }
}

private enum ReceiptEvent: PayloadList {
  case signed(Receipt)

  typealias State = Desk
  static let types = EventTypes<ReceiptEvent>("receipts", .signed(.blank))

  func visit<V: PayloadVisitor>(_ list: V, _ subject: inout V.Subject) throws(V.Failure) -> V.Result
  where V.Event == ReceiptEvent {
    switch self {
    case .signed(let receipt): try list.event(receipt, Self.signed, &subject)
    }
  }
}

private struct Desk: Aggregate {
  var last = Receipt.Signature()

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "last", &last) }

  mutating func apply(_ event: ReceiptEvent, _ context: EventContext) {
    if context.sequence == 3 { last.page = 7 } else { event.fold(into: &self, context) }
  }
}

/// An event that is written by hand: each way in which reading does not undo that.
private struct Scrap: JournaledEvent {
  enum Fault: UInt64 { case none, unreadable, unknown, other }
  var fault = Fault.none

  static let domain = "scrap"
  static let catalog = EventCatalog([
    EventDescriptor(
      1, "scrap.kept",
      body: MessageDescriptor("ScrapKept", [FieldDescriptor(1, "fault", .unsigned, .single, "what goes wrong")]),
      meaning: "A scrap was kept.")
  ])
  var type: UInt32 { 1 }

  func encodeBody(into writer: inout WireWriter) { writer.write(1, unsigned: fault.rawValue) }

  static func decode(type: UInt32, version: UInt32, body: inout WireReader) throws(WireError) -> Scrap? {
    var scrap = Scrap()
    while let field = try body.nextField() { scrap.fault = Fault(rawValue: try body.unsigned(field)) ?? .none }
    switch scrap.fault {
    case .unreadable: throw WireError(.outOfRange(field: 1), at: 0)
    case .unknown: return nil
    case .other: return Scrap()
    case .none: return scrap
    }
  }
}

private struct Basket: Aggregate {
  var count: UInt64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "count", &count) }
  mutating func apply(_ scrap: Scrap, _ context: EventContext) { count += 1 }
}

@Suite("A property that the list of fields forgets")
struct ForgottenPropertyTests {
  @Test("A value of an event is named when the domain is described")
  func events() {
    expectEqual(
      Loan.catalog.mistakes.map(\.description),
      [
        "in book.lent, value reader is not visited, so it would not be stored: visit it",
        "in book.noted, value .0 is not visited, so it would not be stored: visit it",
        "in books.counted, value shelf is not visited, so it would not be stored: visit it",
      ])
  }

  @Test("Properties of a state, and of messages and rows within it, are named; those under other names are not")
  func state() throws {
    let journal = try TemporaryJournal()
    let error = #expect(throws: HistoryError.self) { try journal.create(Library.self) }
    expectEqual(
      error?.message,
      "the domain \"library\" contradicts itself: in the state, property lastReader is not visited, so it would not be "
        + "stored: visit it, or name it in 'derivedProperties' (and 2 more)")
    expectEqual(
      MessageDescriptor("Books", [FieldDescriptor(1, "books", .message(Book.descriptor), .repeated, "books")])
        .mistakes(in: "here").map(\.description),
      [
        "in here, in books, property shelf is not visited, so it would not be stored: visit it, or name it in "
          + "'derivedProperties'",
        "in here, in books, 'derivedProperties' names width, which is no stored property",
      ])
    expectEqual(Hours.descriptor.mistakes(in: "here"), [])
  }

  @Test("An event that would be read back as another is refused, with the property's name, before it is written")
  func readingBack() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Desk.self)
    func sign(_ receipt: Receipt) throws { try store.append(.signed(receipt), at: .seconds(1)) }

    let lost = #expect(throws: StoreError<Refusal>.self) {
      try sign(Receipt(number: 1, signature: .init(name: "Ada", page: 2)))
    }
    #expect(
      lost?.message.contains(
        "an event of type receipt.signed would be read back with another signature.page than it has") == true)
    let disordered = #expect(throws: StoreError<Refusal>.self) { try sign(Receipt(number: 1, places: [2, 1])) }
    #expect(disordered?.message.contains("an event of type receipt.signed could not be read back: ") == true)
    expectEqual(store.version.sequence, 0)

    // A derived property may differ.
    try sign(Receipt(number: 1, signature: .init(name: "Ada"), initial: "A"))
    expectEqual(store.state.last.name, "Ada")
    #expect(throws: StoreError<Refusal>.self) { try sign(Receipt(signature: .init(name: "Ada", page: 2))) }
    try sign(Receipt(number: 2, signature: .init(name: "Eve")))
    expectEqual(store.version.sequence, 2)
  }

  @Test("Only the first events of a type are read back")
  func firstEvents() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Desk.self)
    for number in 1...32 { try store.append(.signed(Receipt(number: UInt64(number))), at: .seconds(1)) }
    try store.append(.signed(Receipt(signature: .init(page: 2))), at: .seconds(1))
    expectEqual(store.version.sequence, 33)
  }

  @Test("An event that is written by hand is refused where reading does not undo that", arguments: [1, 2, 3])
  func byHand(fault: UInt64) throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Basket.self)
    let error = #expect(throws: StoreError<Refusal>.self) {
      try store.append(Scrap(fault: Scrap.Fault(rawValue: fault) ?? .none), at: .seconds(1))
    }
    let messages = [
      "an event of type scrap.kept could not be read back: ",
      "an event of type scrap.kept could not be read back: 'decode' does not know version 1 of it",
      "an event of type scrap.kept would be read back with another fault than it has",
    ]
    #expect(error?.message.contains(messages[Int(fault) - 1]) == true, "\(error?.message ?? "")")
    try store.append(Scrap(), at: .seconds(2))
    expectEqual(store.version.sequence, 1)
  }

  @Test(
    "The values of dictionaries correspond by their keys, whatever their order, and one that equals nothing is no difference"
  )
  func dictionaries() {
    let keys = (0..<40).map { "room \($0)" }
    var one: [String: Double] = [:]
    for key in keys { one[key] = key.utf8.count % 2 == 0 ? .nan : 1.5 }
    var other = Dictionary(minimumCapacity: 1000) as [String: Double]
    for key in keys.reversed() { other[key] = one[key] }
    #expect(!one.keys.elementsEqual(other.keys))
    expectEqual(StoredProperty.firstDifference(one, other), nil)
    other["room 3"] = 2
    expectEqual(StoredProperty.firstDifference(one, other), [])
    other["room 3"] = nil
    expectEqual(StoredProperty.firstDifference(one, other), [])
  }

  @Test("A checkpoint that would be read back as another state is not written")
  func checkpoint() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Desk.self)
    for number in 1...2 { try store.append(.signed(Receipt(number: UInt64(number))), at: .seconds(1)) }
    try store.checkpoint()
    try store.append(.signed(.blank), at: .seconds(2))
    let error = #expect(throws: HistoryError.self) { try store.checkpoint() }
    expectEqual(error?.message, "the state would be read back with another last.page than it has")
    #expect(!journal.files.contains { $0.contains("00003") && $0.contains("check") })
  }
}
