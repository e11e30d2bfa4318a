import Expectations
import EventSourcing
import Journal
import Testing
import WireFormat

/// Amounts in whole euros.
private enum EntryInEuros: EventList {
  case deposited(euros: Int64 = 0)

  static let types = EventTypes<EntryInEuros>("account-book", .deposited())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> EntryInEuros {
    switch self {
    case .deposited(let euros):
      try list.event(1, "money.deposited", .deposited(euros: list.field(1, "euros", euros)))
    }
  }
}

/// Amounts in cents, and one text for what a deposit is.
private enum EntryWithText: EventList {
  case deposited(text: String = "", cents: Int64 = 0)

  static let types = EventTypes<EntryWithText>("account-book", .deposited()).upcasting { (old: EntryInEuros) in
    switch old {
    case .deposited(let euros): .deposited(cents: euros * 100)
    }
  }

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> EntryWithText {
    switch self {
    case .deposited(let text, let cents):
      try list.event(
        1, "money.deposited", .deposited(text: list.field(2, "text", text), cents: list.field(6, "cents", cents)),
        version: 2)
    }
  }
}

/// The text split into who and why.
private enum Entry: EventList {
  case deposited(by: String = "", note: String = "", branch: UInt32 = 0, cents: Int64 = 0)
  case withdrawn(cents: Int64 = 0)

  static let types = EventTypes<Entry>("account-book", .deposited(), .withdrawn()).upcasting { (old: EntryWithText) in
    switch old {
    case .deposited(let text, let cents):
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      return .deposited(by: parts.count > 1 ? parts[0] : "", note: parts.last ?? "", cents: cents)
    }
  }

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Entry {
    switch self {
    case .deposited(let by, let note, let branch, let cents):
      try list.event(
        1, "money.deposited",
        .deposited(
          by: list.field(3, "by", by), note: list.field(4, "note", note), branch: list.field(5, "branch", branch),
          cents: list.field(6, "cents", cents)),
        version: 4)
    case .withdrawn(let cents): try list.event(2, "money.withdrawn", .withdrawn(cents: list.field(1, "cents", cents)))
    }
  }
}

@Suite("Events of earlier versions that are brought forward")
struct UpcastTests {
  private static func bytes(_ event: some JournaledEvent) -> [UInt8] {
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    return writer.bytes
  }

  private static func decoded(_ type: UInt32, version: UInt32, _ bytes: [UInt8]) throws(WireError) -> Entry? {
    try WireReader.decode(bytes) { (reader) throws(WireError) in
      try Entry.decode(type: type, version: version, body: &reader)
    }
  }

  @Test("Each earlier version comes forward through every change since")
  func chain() throws {
    let euros = Self.bytes(EntryInEuros.deposited(euros: 12))
    try expectEqual(Self.decoded(1, version: 1, euros), .deposited(cents: 1_200))
    let text = Self.bytes(EntryWithText.deposited(text: "Ada:rent", cents: 5))
    try expectEqual(Self.decoded(1, version: 2, text), .deposited(by: "Ada", note: "rent", cents: 5))
    let now = Entry.deposited(by: "Ada", note: "rent", branch: 3, cents: 5)
    for version: UInt32 in 3...4 { try expectEqual(Self.decoded(1, version: version, Self.bytes(now)), now) }
    try expectEqual(Self.decoded(2, version: 1, Self.bytes(Entry.withdrawn(cents: 7))), .withdrawn(cents: 7))
    for version: UInt32 in [0, 5] { #expect(try Self.decoded(1, version: version, euros) == nil) }
    #expect(try Self.decoded(2, version: 2, []) == nil && Self.decoded(3, version: 1, []) == nil)
    #expect((1...4).map { Entry.isUpcast(type: 1, version: $0) } == [true, true, false, false])
    #expect(!Entry.isUpcast(type: 2, version: 1))
  }

  @Test("A body that its own version cannot read is refused")
  func unreadable() {
    #expect(throws: WireError(.wrongWireType(field: 1), at: 0)) { try Self.decoded(1, version: 1, [10, 1, 0x61]) }
  }

  @Test("An earlier list with a version that is still written is a mistake of the domain")
  func sameVersion() {
    let types = EventTypes<EntryInEuros>("account-book", .deposited()).upcasting { (_: EntryInEuros) in .deposited() }
    expectEqual(
      types.catalog.mistakes.map(\.description),
      ["money.deposited has no later version than in the earlier list of types"])
  }

  @Test("The fields of an event that was brought forward are those of the event that it became")
  func fields() throws {
    var envelope = Envelope(type: 1, at: .seconds(1))
    envelope.body = Self.bytes(EntryInEuros.deposited(euros: 12))
    var writer = WireWriter()
    envelope.encode(into: &writer)
    let record = writer.withBytes { RecordedEvent<Entry>(sequence: 1, chain: 0, payload: $0) }
    expectEqual(record.event, .deposited(cents: 1_200))
    #expect(record.fields.fields.map(\.name) == ["cents"] && record.fields["cents"]?.values == [.signed(1_200)])
    expectEqual(record.envelope.body, envelope.body)
  }
}
