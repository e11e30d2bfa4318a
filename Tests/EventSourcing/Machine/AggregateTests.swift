import Expectations
import EventSourcing
import Testing
import WireFormat

private enum Entry: EventList {
  case deposited(cents: Int64 = 0)
  case withdrawn(cents: Int64 = 0)

  static let types = EventTypes<Entry>("account-book", .deposited(), .withdrawn())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Entry {
    switch self {
    case .deposited(let cents): try list.event(1, "money.deposited", .deposited(cents: list.field(1, "cents", cents)))
    case .withdrawn(let cents): try list.event(2, "money.withdrawn", .withdrawn(cents: list.field(1, "cents", cents)))
    }
  }
}

private struct Book: Aggregate {
  var cents: Int64 = 0
  var turns: [UInt64] = []
  var lowest: Int64?

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "cents", &cents)
    try field(2, "turns", &turns)
    try field(3, "lowest", &lowest)
  }

  mutating func apply(_ entry: Entry, _ context: EventContext) {
    switch entry {
    case .deposited(let amount): cents &+= amount
    case .withdrawn(let amount):
      cents &-= amount
      turns.append(context.sequence)
      lowest = min(lowest ?? cents, cents)
    }
  }

  func check(_ entry: Entry) throws(Refusal) {
    if case .withdrawn(let amount) = entry, amount > cents { throw Refusal("the book holds \(cents) cents only") }
  }
}

@Suite("An aggregate")
struct AggregateTests {
  @Test("What is appended happens, unless the state refuses it")
  func appending() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Book.self)
    try store.append(.deposited(cents: 50), at: .seconds(1))
    try store.append(.withdrawn(cents: 20), at: .seconds(2))
    #expect(throws: StoreError.rejected(Refusal("the book holds 30 cents only"))) {
      try store.append(.withdrawn(cents: 31), at: .seconds(3))
    }
    var expected = Book()
    expected.cents = 30
    expected.turns = [2]
    expected.lowest = 30
    expectEqual(store.state, expected)
    try store.close()
    try expectEqual(journal.open(Book.self).state, expected)
    try expectEqual(journal.history(Book.self).state(at: .sequence(1)).state.cents, 50)
    #expect(try journal.history(Book.self).check().isSound)
  }

  @Test("The same event under one key is a repetition, and another one is refused")
  func repetition() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Book.self)
    try store.append(.deposited(cents: 5), at: .seconds(1), idempotencyKey: [7])
    #expect(try store.append(.deposited(cents: 5), at: .seconds(2), idempotencyKey: [7]).isRepetition)
    for other in [Entry.deposited(cents: 6), .withdrawn(cents: 5)] {
      #expect(throws: StoreError<Refusal>.keyReused(sequence: 1)) {
        try store.append(other, at: .seconds(3), idempotencyKey: [7])
      }
    }
  }

  @Test("A checkpoint holds each field as a slice, and the state is read back from it")
  func checkpoints() throws {
    expectEqual(Book.sliceNames, ["cents", "turns", "lowest"])
    let journal = try TemporaryJournal()
    let store = try journal.create(Book.self)
    for cents: Int64 in [50, 7] { try store.append(.deposited(cents: cents), at: .seconds(cents)) }
    for cents: Int64 in [20, 10] { try store.append(.withdrawn(cents: cents), at: .seconds(cents)) }
    try store.checkpoint()
    let state = store.state
    try store.close()
    let again = try journal.open(Book.self)
    expectEqual(again.opening.checkpoint, 4)
    expectEqual(again.state, state)
    expectEqual(again.state.turns, [3, 4])
    let changes = try journal.history(Book.self).diff(.sequence(3), .end).changes
    expectEqual(changes.map(\.path), ["/cents", "/turns", "/lowest"])
  }

  @Test("A slice is exactly its field")
  func slices() {
    var book = Book()
    book.cents = -1
    book.turns = [1, 2]
    // The default is written too: a state may begin with another value.
    expectEqual(Book().encodedSlice(0), [0x08, 0])
    #expect((0..<3).map { book.encodedSlice($0) } == [[0x08, 1], [0x10, 1, 0x10, 2], []])
  }
}
