import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

/// What is in a warehouse.
private struct Stock: Equatable {
  var pieces: UInt64 = 0
  var lastSupplier = Personal(wrappedValue: "")
}

private struct Delivered: EventPayload {
  var customer: UInt64 = 0
  var pieces: UInt64 = 0
  @Personal var supplier = ""

  static var entry: EventEntry {
    EventEntry(1, "goods.delivered", version: 2, meaning: "Goods came in.", remedy: "Count them.")
  }
  static var blank: Self { Self() }
  static var isPersonal: Bool { true }
  var sealingAccount: UInt64 { customer }

  static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "customer", &event.customer, required: true, "whose goods they are")
    try field(2, "pieces", &event.pieces, "how many came")
    try field(3, "supplier", &event.$supplier, privacy: .account, "who brought them")
  }

  static func fold(_ event: Self, into stock: inout Stock, _ context: EventContext) {
    stock.pieces += event.pieces * context.sequence
    stock.lastSupplier = event.$supplier
  }

  func describe(in headline: Headline) { headline.add(Int(clamping: pieces), "piece") }
}

/// Its fields are looked at only where they are read or written.
private struct Counted: EventPayload {
  var pieces: UInt64 = 0

  static var entry: EventEntry {
    EventEntry(70_000, "stock.counted", version: 2, unknownReaders: .ignorable, meaning: "The pieces were counted.")
  }
  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    if V.self == PersonalPass.self { Issue.record("a payload without personal fields is sealed") }
    try field(2, "pieces", &event.pieces, always: true, "how many there are")
  }

  static func read(version: UInt32, from reader: inout WireReader) throws(WireError) -> Self? {
    switch version {
    case 2: return try Self(from: &reader)
    // The first version counted dozens.
    case 1: return Self(pieces: try Self(from: &reader).pieces * 12)
    default: return nil
    }
  }

  static func fold(_ event: Self, into stock: inout Stock, _ context: EventContext) { stock.pieces = event.pieces }
}

private enum StockEvent: PayloadList {
  case delivered(Delivered), counted(Counted)

  typealias State = Stock
  static let types = EventTypes<StockEvent>("warehouse", .counted(.blank), .delivered(.blank))

  func visit<V: PayloadVisitor>(
    _ list: V, _ subject: inout V.Subject
  ) throws(V.Failure) -> V.Result where V.Event == StockEvent {
    switch self {
    case .delivered(let payload): try list.event(payload, Self.delivered, &subject)
    case .counted(let payload): try list.event(payload, Self.counted, &subject)
    }
  }
}

/// An earlier list, which measured deliveries in dozens.
private enum EarlierEvent: EventList {
  case delivered(dozens: UInt64 = 0)

  static let types = EventTypes<EarlierEvent>("warehouse", .delivered())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> EarlierEvent {
    switch self {
    case .delivered(let dozens):
      try list.event(1, "goods.delivered", .delivered(dozens: list.field(4, "dozens", dozens)))
    }
  }
}

@Suite("An event whose cases hold payloads")
struct PayloadListTests {
  private static let samples: [StockEvent] = [
    .delivered(Delivered(customer: 7, pieces: 3, supplier: "Ada")), .delivered(.blank), .counted(Counted(pieces: 40)),
    .counted(.blank),
  ]

  private static func encoded(_ event: StockEvent) -> [UInt8] {
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    return writer.bytes
  }

  private static func decoded(_ type: UInt32, version: UInt32, _ bytes: [UInt8]) throws(WireError) -> StockEvent? {
    try WireReader.decode(bytes) { (reader) throws(WireError) in
      try StockEvent.decode(type: type, version: version, body: &reader)
    }
  }

  @Test("An event is read back as it was written", arguments: samples)
  fileprivate func roundTrip(event: StockEvent) throws {
    try expectEqual(Self.decoded(event.type, version: 2, Self.encoded(event)), event)
  }

  @Test("Number and name are those of the payload's entry, small or large")
  func entries() {
    expectEqual(Self.samples.map(\.type), [1, 1, 70_000, 70_000])
    expectEqual(Self.samples.map(\.name), ["goods.delivered", "goods.delivered", "stock.counted", "stock.counted"])
  }

  @Test("The catalogue has each payload's entry, and its fields under the name of its type")
  func catalog() {
    let entries = StockEvent.catalog.entries
    expectEqual(StockEvent.domain, "warehouse")
    expectEqual(entries.map(\.number), [1, 70_000])
    expectEqual(entries.map(\.body.name), ["Delivered", "Counted"])
    expectEqual(entries.map(\.remedy), ["Count them.", nil])
    expectEqual(entries.map(\.unknownReaders), [.mustUnderstand, .ignorable])
    expectEqual(entries.map { $0.body.fields.map(\.name) }, [["customer", "pieces", "supplier"], ["pieces"]])
  }

  @Test("A payload reads earlier versions itself, and no later one; an unknown number is no event")
  func versions() throws {
    try expectEqual(Self.decoded(70_000, version: 1, [0x10, 2]), .counted(Counted(pieces: 24)))
    try expectEqual(Self.decoded(1, version: 1, [0x08, 7]), .delivered(Delivered(customer: 7)))
    for (type, version): (UInt32, UInt32) in [(70_000, 3), (1, 3), (1, 0), (0, 1), (2, 1), (1023, 1), (70_001, 1)] {
      #expect(try Self.decoded(type, version: version, [0x08, 7]) == nil, "type \(type), version \(version)")
    }
    #expect(throws: WireError(.missing(field: 1), at: 0)) { try Self.decoded(1, version: 2, []) }
  }

  @Test("An earlier list of types can bring versions forward")
  func upcasting() throws {
    let types = StockEvent.types.upcasting { (old: EarlierEvent) in
      switch old {
      case .delivered(let dozens): StockEvent.delivered(Delivered(pieces: dozens * 12))
      }
    }
    #expect(types.isUpcast(type: 1, version: 1) && !types.isUpcast(type: 1, version: 2))
    let event = try WireReader.decode([0x20, 2]) { (reader) throws(WireError) in
      try types.decodeEarlier(type: 1, version: 1, body: &reader)
    }
    expectEqual(event, .delivered(Delivered(pieces: 24)))
  }

  @Test("The payload folds itself into the state and says what it means")
  func meaning() {
    var stock = Stock()
    let context = EventContext(sequence: 2, moment: Moment(wallNanoseconds: 5))
    for event in Self.samples.prefix(1) { event.fold(into: &stock, context) }
    expectEqual(stock, Stock(pieces: 6, lastSupplier: Personal(wrappedValue: "Ada")))
    Self.samples[2].fold(into: &stock, context)
    expectEqual(stock.pieces, 40)
    let words = Self.samples.map { event in
      let headline = Headline { _, _ in }
      headline.begin([])
      event.describe(in: headline)
      return String(decoding: headline.text, as: UTF8.self)
    }
    expectEqual(words, ["3 pieces", "0 pieces", "", ""])
  }

  @Test("Only payloads with personal fields are sealed, for the account that they name")
  func sealing() throws {
    let keys = TestKeys()
    expectEqual(Self.samples.map(\.sealingAccount), [7, 0, 0, 0])
    for plain in [Self.samples[0], Self.samples[2]] {
      var event = plain
      var pass = PersonalPass(sealing: keys.sealing, domain: "warehouse", account: event.sealingAccount)
      try event.passPersonal(to: &pass)
      #expect((event != plain) == (plain.type == 1))
      expectEqual(pass.sealedCount, plain.type == 1 ? 1 : 0)
      let read = try #require(try Self.decoded(event.type, version: 2, Self.encoded(event)))
      expectEqual(read, event)
    }
  }
}
