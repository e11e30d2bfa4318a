import EventSourcing
import Expectations
import Journal
import Testing
import WireFormat

/// Books by shelf: the first version counted shelves from 0, in the same field.
private enum Shelved1: EventList {
  case shelved(shelf: UInt64 = 0)
  static let types = EventTypes<Shelved1>("library", .shelved())
  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Shelved1 {
    switch self {
    case .shelved(let shelf): try list.event(1, "book.shelved", .shelved(shelf: list.field(1, "shelf", shelf)))
    }
  }
}

private struct Shelved: EventPayload {
  typealias State = Library
  var shelf: UInt64 = 0
  static var entry: EventEntry { EventEntry(1, "book.shelved", version: 2, meaning: "A book was put on a shelf.") }
  static var blank: Shelved { Shelved() }
  static func visit<V: FieldVisitor>(_ event: inout Shelved, _ field: inout V) throws(V.Failure) {
    try field(1, "shelf", &event.shelf, "counted from 1")
  }
  static func read(version: UInt32, from reader: inout WireReader) throws(WireError) -> Shelved? {
    switch version {
    case 1: Shelved(shelf: try Shelved(from: &reader).shelf + 1)
    case 2: try Shelved(from: &reader)
    default: nil
    }
  }
  static func fold(_ event: Shelved, into library: inout Library, _ context: EventContext) { library.books += 1 }
}

private struct Lent: EventPayload {
  typealias State = Library
  var shelf: UInt64 = 1
  static var entry: EventEntry { EventEntry(2, "book.lent", meaning: "A book was lent.") }
  static var blank: Lent { Lent() }
  static func visit<V: FieldVisitor>(_ event: inout Lent, _ field: inout V) throws(V.Failure) {
    try field(1, "shelf", &event.shelf, unless: 1, "counted from 1")
  }
  static func fold(_ event: Lent, into library: inout Library, _ context: EventContext) {}
}

private enum Shelved2: PayloadList {
  case shelved(Shelved), lent(Lent)
  typealias State = Library
  static let types = EventTypes<Shelved2>("library", .shelved(.blank), .lent(.blank))
    .keyed("shelf", by: ["book.shelved": "shelf", "book.lent": "shelf"])
  func visit<V: PayloadVisitor>(
    _ list: V, _ subject: inout V.Subject
  ) throws(V.Failure) -> V.Result where V.Event == Shelved2 {
    switch self {
    case .shelved(let payload): try list.event(payload, Self.shelved, &subject)
    case .lent(let payload): try list.event(payload, Self.lent, &subject)
    }
  }
}

private struct Library: FieldTree, MachineState {
  var books: UInt64 = 0
  static var blank: Library { Library() }
  static func visit<V: FieldVisitor>(_ library: inout Library, _ field: inout V) throws(V.Failure) {
    try field(1, "books", &library.books)
  }
}

private enum Library1: Decider {
  typealias Rejection = Refusal
  static func reduce(into library: inout Library, _ event: Shelved1, _ context: EventContext) { library.books += 1 }
  static func decide(
    _ events: [Shelved1], in library: Library, at next: EventContext, explanation: inout Explanation
  ) throws(Refusal) -> DecidedEvents<Library1> { DecidedEvents(events, in: library, at: next) }
}

private enum Library2: Decider {
  typealias Rejection = Refusal
  static func reduce(into library: inout Library, _ event: Shelved2, _ context: EventContext) {
    event.fold(into: &library, context)
  }
  static func decide(
    _ events: [Shelved2], in library: Library, at next: EventContext, explanation: inout Explanation
  ) throws(Refusal) -> DecidedEvents<Library2> { DecidedEvents(events, in: library, at: next) }
}

/// Beds whose fields are absent in several ways.
private enum Bed: EventList {
  case made(bed: UInt64 = 0)
  case slept(bed: UInt64? = nil)
  case aired(bed: UInt64 = 5)

  static let types = EventTypes<Bed>("hostel", .made(), .slept(), .aired())
    .keyed("bed", by: ["bed.made": "bed", "bed.slept": "bed", "bed.aired": "bed"])

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Bed {
    switch self {
    case .made(let bed): try list.event(1, "bed.made", .made(bed: list.field(1, "bed", bed)))
    case .slept(let bed): try list.event(2, "bed.slept", .slept(bed: list.field(1, "bed", bed)))
    case .aired(let bed): try list.event(4, "bed.aired", .aired(bed: list.field(1, "bed", bed, always: true)))
    }
  }
}

private enum Hostel: Decider {
  typealias Rejection = Refusal
  static func reduce(into library: inout Library, _ event: Bed, _ context: EventContext) { library.books += 1 }
  static func decide(
    _ events: [Bed], in library: Library, at next: EventContext, explanation: inout Explanation
  ) throws(Refusal) -> DecidedEvents<Hostel> { DecidedEvents(events, in: library, at: next) }
}

@Suite("Keys of entities")
struct EntityKeyTests {
  @Test("An event of an earlier version that its payload brings forward is about what it means today")
  func broughtForward() throws {
    let journal = try TemporaryJournal()
    let old = try journal.create(Library1.self)
    try old.append([.shelved(shelf: 3), .shelved(shelf: 0)], at: .seconds(1))
    try old.close()
    let store = try journal.open(Library2.self)
    try store.append([.shelved(Shelved(shelf: 3))], at: .seconds(2))
    expectEqual(try [0, 1, 3, 4].map { try store.version(of: Entity("shelf", $0)) }, [0, 2, 3, 1])
    // The body of the first of these is empty.
    try store.append([.lent(Lent(shelf: 1)), .lent(Lent(shelf: 0))], at: .seconds(3))
    expectEqual(try [0, 1].map { try store.version(of: Entity("shelf", $0)) }, [5, 4])
    try store.close()
  }

  @Test("A zero that is there is a key, and an absent field names what it means")
  func absence() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Hostel.self)
    let events: [(event: Bed, bed: UInt64?)] = [
      (.made(bed: 0), 0), (.slept(bed: nil), nil), (.slept(bed: 0), 0),
      (.aired(bed: 5), 5), (.slept(bed: 7), 7),
    ]
    for (place, (event, bed)) in events.enumerated() {
      let before = try (0...7).map { try store.version(of: Entity("bed", $0)) }
      try store.append([event], at: .seconds(Int64(place)))
      var expected = before
      if let bed { expected[Int(bed)] = UInt64(place + 1) }
      expectEqual(try (0...7).map { try store.version(of: Entity("bed", $0)) }, expected, "\(event)")
    }
    try store.close()
    // What is read says the same as what was written.
    let history = try journal.history(Hostel.self)
    expectEqual(try [0, 1, 5, 7].map { try history.version(of: Entity("bed", $0)) }, [3, 0, 4, 5])
  }
}
