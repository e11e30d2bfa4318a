import EventSourcing
import Expectations
import Journal
import Testing
import WireFormat

/// Events whose list names keys that they do not have.
private enum Depot: EventList {
  // Nothing can be written for an owner who is missing.
  case stored(item: UInt64 = 0, owner: Personal<String?> = Personal(wrappedValue: nil), weight: Int64 = 0)
  case taken(item: [UInt8] = [], at: Int64 = 0)

  static let types = EventTypes<Depot>("depot", .stored(), .taken())
    .keyed("item", by: ["item.stored": "item", "item.taken": "item", "item.lost": "item", "item.taken": "owner"])
    .keyed("owner", by: ["item.stored": "owner", "item.stored": "weight", "item.taken": "at"])
    .keyed("", by: ["item.stored": "item"])

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Depot {
    switch self {
    case .stored(let item, let owner, let weight):
      try list.event(
        1, "item.stored",
        .stored(
          item: list.field(1, "item", item), owner: list.field(2, "owner", owner, privacy: .account),
          weight: list.field(3, "weight", weight)))
    case .taken(let item, let time):
      try list.event(
        2, "item.taken", .taken(item: list.field(1, "item", item), at: list.field(2, "at", time, as: .time)))
    }
  }
}

private struct Shelf: Aggregate {
  var count: UInt64 = 0
  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "count", &count) }
  mutating func apply(_ event: Depot, _ context: EventContext) { count += 1 }
}

@Suite("Entities")
struct EntityTests {
  typealias Failure = StoreError<InnMachine.Rejection>

  @Test("Keys that an event cannot have are named with type and field, and open no journal")
  func mistakes() throws {
    expectEqual(
      Depot.catalog.mistakes.map(\.description),
      [
        "in item.taken, field 1, item, is the key of item, whose other keys are numbers",
        "the kind of entities item has keys in item.lost, which is not among the types",
        "in item.taken, the key of item is the field owner, which is not there",
        "in item.stored, field 2, owner, is personal, and the key of owner: a key is never sealed",
        "in item.stored, field 3, weight, is the key of owner, and holds neither an unsigned number nor sixteen bytes",
        "in item.taken, field 2, at, is the key of owner, and holds neither an unsigned number nor sixteen bytes",
        "the kind of entities \"\" does not have 1 to 63 bytes",
      ])
    let journal = try TemporaryJournal()
    let error = #expect(throws: HistoryError.self) {
      try EventStore<Shelf>.create(at: journal.path, journalID: TemporaryJournal.id, createdNanoseconds: 1)
    }
    expectEqual(
      error?.message,
      "the domain \"depot\" contradicts itself: in item.taken, field 1, item, is the key of item, whose other keys are "
        + "numbers (and 6 more)")
    expectEqual(journal.files, [])
  }

  @Test("A key shows as its kind and its number or GUID")
  func names() {
    expectEqual("\(Entity.room(17))", "room 17")
    let id = GUID(bytes: 1...16)
    expectEqual(id.map { Entity("guest", $0).description }, "guest 01020304-0506-0708-090a-0b0c0d0e0f10")
  }

  @Test("An entity's version is the number of its last event, in any of its fields")
  func versions() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self)
    expectEqual(try store.version(of: .room(7)), 0)
    try store.add(.opened(room: 7), .opened(room: 0), .booked(room: 7, guest: GUID(1)))
    try store.add(.cleaned(rooms: [2, 0, 9]), .noted(text: "closed"))
    try store.add(.moved(from: 9, to: 12))
    for (entity, version) in [
      (Entity.room(7), 3), (.guest(GUID(1)), 3), (.guest(GUID(2)), 0), (.room(2), 4), (.room(0), 4),
      (.room(9), 6), (.room(12), 6),
    ] as [(Entity, UInt64)] {
      expectEqual(try store.version(of: entity), version, "\(entity)")
    }
    let guid = Entity("room", GUID(1))
    for entity in [Entity("floor", 1), Entity("guest", 1), guid] {
      let error = #expect(throws: Failure.self) { try store.version(of: entity) }
      expectEqual(
        error?.description,
        "no event of the domain \"inn\" is about an entity such as \(entity); "
          + "name the keys of the kind \"\(entity.kind)\" in 'types', and use such keys")
    }
  }

  @Test("A command that expects another version than is found writes nothing, and the error says which")
  func conflict() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self)
    try store.add(.opened(room: 3), .opened(room: 4))
    let now = Moment.seconds(3)
    let version = try store.version(of: .room(3))
    try store.append([.booked(room: 3)], at: now, expecting: .entity(.room(3), at: version))
    let error = #expect(throws: Failure.entityConflict(.room(3), expected: 1, found: 3)) {
      try store.add(.booked(room: 3), expecting: .entity(.room(3), at: 1))
    }
    expectEqual(
      error?.description,
      "the command expected room 3 at version 1, and it is at version 3. "
        + "Read the state again and decide whether the command still makes sense.")
    expectEqual(store.lastSequence, 3)
    // What happens to others is no concern of a command.
    try store.add(.booked(room: 4), expecting: .entity(.room(4), at: 2))
    #expect(throws: Failure.entityConflict(.room(4), expected: 2, found: 4)) {
      try store.add(.moved(from: 3, to: 4), expecting: [.entity(.room(3), at: 3), .entity(.room(4), at: 2)])
    }
    // A later event of the command is about the same room as an earlier one.
    try store.add(
      .moved(from: 3, to: 4), .booked(room: 4), .opened(room: 5),
      expecting: [.entity(.room(3), at: 3), .entity(.room(4), at: 4), .entity(.room(5), at: 0)])
    expectEqual(try store.version(of: .room(4)), 6)
  }

  @Test("A command that leads to events about an entity of an expected kind expects its version")
  func uncovered() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self)
    try store.add(.opened(room: 3), .opened(room: 4))
    let error = #expect(throws: Failure.entityConflict(.room(4), expected: nil, found: 2)) {
      try store.add(.noted(text: "x"), .moved(from: 3, to: 4), expecting: .entity(.room(3), at: 1))
    }
    expectEqual(
      error?.description,
      "the command leads to an event of room 4, which is at version 2, and expects no version of it. "
        + "Expect a version of every room that the command changes.")
    expectEqual(store.lastSequence, 2)
    // Of guests, nothing was said.
    try store.add(.booked(room: 3, guest: GUID(5)), expecting: .entity(.room(3), at: 1))
  }

  @Test("A command may expect the versions of as many entities as the caller has")
  func list() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self)
    try store.add(.opened(room: 1), .opened(room: 2), .opened(room: 3))
    let seen: [Entity: UInt64] = [.room(1): 1, .room(2): 2, .room(3): 2]
    let expected = ExpectedVersions(seen.map { ExpectedVersions.entity($0.key, at: $0.value) })
    #expect(throws: Failure.entityConflict(.room(3), expected: 2, found: 3)) {
      try store.add(.cleaned(rooms: [1, 2, 3]), expecting: expected)
    }
    expectEqual(Entity.room(3).key, .number(3))
  }

  @Test("A repeated command is recognised, whatever has become of its entities")
  func repetition() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self)
    let first = try store.append(
      [.opened(room: 8)], at: .seconds(1), expecting: .entity(.room(8), at: 0), idempotencyKey: [1])
    try store.add(.booked(room: 8))
    let second = try store.append(
      [.opened(room: 8)], at: .seconds(2), expecting: .entity(.room(8), at: 0), idempotencyKey: [1])
    #expect(second.isRepetition)
    expectEqual(second.events, first.events)
  }

  @Test("Commands that are written together see each other's entities")
  func submitted() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self)
    let outcomes = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
      for number in 0..<20 {
        group.addTask {
          do throws(Failure) {
            try await store.submit(
              [.booked(room: UInt64(number % 5))], at: .seconds(1),
              expecting: .entity(.room(UInt64(number % 5)), at: 0))
            return true
          } catch {
            return false
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    expectEqual(outcomes.filter { $0 }.count, 5)
    expectEqual(store.lastSequence, 5)
  }

  @Test("Versions follow what another writer appended while the store was suspended, and are found out when opening")
  func otherWriters() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self)
    try store.add(.opened(room: 1), .opened(room: 2))
    expectEqual(try store.version(of: .room(1)), 1)
    try store.suspend()
    #expect(throws: Failure.self) { try store.version(of: .room(1)) }
    let other = try journal.open(InnMachine.self)
    try other.add(.booked(room: 1), expecting: .entity(.room(1), at: 1))
    try other.close()
    try store.resume()
    #expect(throws: Failure.entityConflict(.room(1), expected: 1, found: 3)) {
      try store.add(.booked(room: 1), expecting: .entity(.room(1), at: 1))
    }
    try store.add(.booked(room: 1), expecting: .entity(.room(1), at: 3))
    try store.add(.booked(room: 2), expecting: .entity(.room(2), at: 2))
    try store.close()
    let reopened = try journal.open(InnMachine.self)
    expectEqual([try reopened.version(of: .room(1)), try reopened.version(of: .room(2))], [4, 5])
  }

  @Test("An event that is brought forward is about the entities of what it stands for")
  func upcast() throws {
    let journal = try TemporaryJournal()
    let old = try journal.create(Parking1.self)
    try old.append([.parked(place: "B7"), .parked(place: "C2")], at: .seconds(1))
    try old.close()
    let store = try journal.open(Parking2.self)
    expectEqual(try store.version(of: Entity("place", 207)), 1)
    try store.append(
      [.parked(place: "", number: 302)], at: .seconds(2), expecting: .entity(Entity("place", 302), at: 2))
    expectEqual(try store.version(of: Entity("place", 302)), 3)
  }

  @Test("Events that cannot be read leave no version known")
  func damage() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    for room in 1...30 { try store.add(.opened(room: UInt64(room))) }
    try store.close()
    let keyless = try journal.open(KeylessMachine.self)
    try keyless.checkpoint()
    try keyless.close()
    try journal.damage(event: 2)
    let damaged = try journal.open(InnMachine.self)
    let error = #expect(throws: Failure.self) { try damaged.version(of: .room(1)) }
    guard case .history(.damaged(lastDerivable: 1, _))? = error else {
      Issue.record("another error: \(error as Any)")
      return
    }
    #expect(throws: Failure.self) { try damaged.add(.booked(room: 9), expecting: .entity(.room(9), at: 0)) }
    expectEqual(damaged.lastSequence, 30)
    try damaged.close()
    let accepting = try journal.open(InnMachine.self) { $0.onDamage = .continueAfterVerifiedPrefix }
    // A store that goes on without events still does not know what they were about, and stores no versions.
    #expect(throws: Failure.self) { try accepting.version(of: .room(30)) }
    try accepting.add(.noted(text: "on we go"))
    try accepting.checkpoint()
    try accepting.close()
    var history = try journal.history(InnMachine.self)
    history.goesBeyondDamage = true
    #expect(throws: HistoryError.self) { try history.version(of: .room(2)) }
  }
}

/// Parking places by name, and later by number.
private enum Parked1: EventList {
  case parked(place: String = "")
  static let types = EventTypes<Parked1>("parking", .parked())
  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Parked1 {
    switch self {
    case .parked(let place): try list.event(1, "car.parked", .parked(place: list.field(1, "place", place)))
    }
  }
}

private enum Parked2: EventList {
  case parked(place: String = "", number: UInt64 = 0)
  static let types = EventTypes<Parked2>("parking", .parked())
    .upcasting { (old: Parked1) in
      switch old {
      case .parked(let place):
        .parked(
          place: place,
          number: (UInt64(place.utf8.first ?? 64) - 64) * 100 + (UInt64(place.dropFirst()) ?? 0))
      }
    }
    .keyed("place", by: ["car.parked": "number"])
  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Parked2 {
    switch self {
    case .parked(let place, let number):
      try list.event(
        1, "car.parked", .parked(place: list.field(1, "place", place), number: list.field(2, "number", number)),
        version: 2)
    }
  }
}

private struct CarPark: FieldTree, MachineState {
  var cars: UInt64 = 0
  static var blank: CarPark { CarPark() }
  static func visit<V: FieldVisitor>(_ park: inout CarPark, _ field: inout V) throws(V.Failure) {
    try field(1, "cars", &park.cars)
  }
}

private enum Parking1: Decider {
  typealias Rejection = Refusal
  static func reduce(into park: inout CarPark, _ event: Parked1, _ context: EventContext) { park.cars += 1 }
  static func decide(
    _ events: [Parked1], in park: CarPark, at next: EventContext, explanation: inout Explanation
  ) throws(Refusal) -> DecidedEvents<Parking1> { DecidedEvents(events, in: park, at: next) }
}

private enum Parking2: Decider {
  typealias Rejection = Refusal
  static func reduce(into park: inout CarPark, _ event: Parked2, _ context: EventContext) { park.cars += 1 }
  static func decide(
    _ events: [Parked2], in park: CarPark, at next: EventContext, explanation: inout Explanation
  ) throws(Refusal) -> DecidedEvents<Parking2> { DecidedEvents(events, in: park, at: next) }
}
