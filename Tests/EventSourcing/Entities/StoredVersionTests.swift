import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

/// The events of the inn for a program that names no keys, such as an earlier one.
struct KeylessEvent: JournaledEvent {
  var event: InnEvent

  static var domain: String { InnEvent.domain }
  static var catalog: EventCatalog { InnEvent.catalog }
  var type: UInt32 { event.type }
  func encodeBody(into writer: inout WireWriter) { event.encodeBody(into: &writer) }
  static func decode(type: UInt32, version: UInt32, body: inout WireReader) throws(WireError) -> KeylessEvent? {
    try InnEvent.decode(type: type, version: version, body: &body).map { KeylessEvent(event: $0) }
  }
}

enum KeylessMachine: Decider {
  typealias State = Inn
  typealias Event = KeylessEvent

  static func reduce(into inn: inout Inn, _ event: KeylessEvent, _ context: EventContext) {
    InnMachine.reduce(into: &inn, event.event, context)
  }

  static func decide(
    _ command: [InnEvent], in state: Inn, at next: EventContext, explanation: inout Explanation
  ) throws(InnMachine.Rejection) -> DecidedEvents<KeylessMachine> {
    DecidedEvents(command.map { KeylessEvent(event: $0) }, in: state, at: next)
  }
}

/// The same events for a program that also names what was cleaned apart from the rooms.
struct ExtendedEvent: JournaledEvent {
  var event: InnEvent

  static var domain: String { InnEvent.domain }
  static var catalog: EventCatalog { InnEvent.catalog }
  static let entityKeys = InnEvent.types.keyed("floor", by: ["rooms.cleaned": "rooms"]).entityKeys
  var type: UInt32 { event.type }
  func encodeBody(into writer: inout WireWriter) { event.encodeBody(into: &writer) }
  static func decode(type: UInt32, version: UInt32, body: inout WireReader) throws(WireError) -> ExtendedEvent? {
    try InnEvent.decode(type: type, version: version, body: &body).map { ExtendedEvent(event: $0) }
  }
}

enum ExtendedMachine: Reducer {
  typealias State = Inn
  typealias Event = ExtendedEvent

  static func reduce(into inn: inout Inn, _ event: ExtendedEvent, _ context: EventContext) {
    InnMachine.reduce(into: &inn, event.event, context)
  }
}

@Suite("Versions in checkpoints")
struct StoredVersionTests {
  /// Rooms 1 to 9, one event each, in segments of a few events.
  private func rooms(_ journal: TemporaryJournal) throws -> EventStore<InnMachine> {
    let store = try journal.create(InnMachine.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    for room in 1...9 as ClosedRange<UInt64> { try store.add(.opened(room: room)) }
    return store
  }

  /// Many events, so that segments before them can be retired.
  private func notes(_ store: EventStore<InnMachine>) throws {
    for _ in 1...40 { try store.add(.noted(text: "nothing of interest happened today, nor yesterday")) }
  }

  @Test("Versions in a checkpoint are used: no earlier event is read for them")
  func used() throws {
    let journal = try TemporaryJournal()
    let store = try rooms(journal)
    try notes(store)
    try store.checkpoint()
    try store.add(.booked(room: 4, guest: GuestID(7)))
    try store.close()
    try journal.damage(event: 2)
    let reopened = try journal.open(InnMachine.self)
    expectEqual(
      [
        try reopened.version(of: .room(2)), try reopened.version(of: .room(4)),
        try reopened.version(of: .guest(GuestID(7))),
      ],
      [2, 50, 50])
    try reopened.close()
    expectEqual(try journal.history(InnMachine.self).version(of: .room(2)), 2)
    // Without it, the damaged event leaves them unknown.
    try journal.remove(try #require(journal.files.first { $0.hasSuffix(".ckpt") }))
    #expect(throws: HistoryError.self) { try journal.history(InnMachine.self).version(of: .room(2)) }
  }

  @Test("Nothing else in a checkpoint changes, and a domain without keys has no such field")
  func body() throws {
    let journal = try TemporaryJournal()
    let store = try rooms(journal)
    // Nothing is kept before a version is asked for.
    #expect(store.writer.withLock { $0.entities == nil })
    try notes(store)
    try store.close()
    let keyless = try journal.open(KeylessMachine.self)
    try keyless.append([.opened(room: 10)], at: .seconds(60))
    try keyless.checkpoint()
    #expect(keyless.writer.withLock { $0.entities == nil })
    #expect(!journal.files.contains("STREAMS"))
    try keyless.close()
    try compareBodies(journal)
  }

  private func compareBodies(_ journal: TemporaryJournal) throws {
    let keyed = try journal.history(InnMachine.self).checkpointBody(at: 9)
    let keyless = try journal.history(KeylessMachine.self).checkpointBody(at: 9)
    expectEqual(Array(keyed.prefix(keyless.count)), keyless)
    expectEqual(keyed[keyless.count], 11 << 3 | 2)
    expectEqual(try StateCheckpoint(bytes: keyless).entities, [])
    expectEqual(InnEvent.catalog.fingerprint(), KeylessEvent.catalog.fingerprint())
  }

  @Test("Retired entities keep their versions, also where the checkpoints until then are of a program without keys")
  func retired() throws {
    for (isKeyless, keepsStates) in [(false, false), (true, false), (true, true)] {
      let journal = try TemporaryJournal()
      let store = try rooms(journal)
      try notes(store)
      try store.checkpoint()
      var first: UInt64
      if isKeyless {
        try store.close()
        for name in journal.files where name.hasSuffix(".ckpt") { try journal.remove(name) }
        let keyless = try journal.open(KeylessMachine.self)
        try keyless.checkpoint()
        try keyless.close()
        let again = try journal.open(InnMachine.self)
        first = try again.retire(before: 30, keepingStates: keepsStates)
        try again.close()
      } else {
        first = try store.retire(before: 30)
        try store.close()
      }
      #expect(first > 9)
      let reopened = try journal.open(InnMachine.self)
      expectEqual(try reopened.version(of: .room(7)), 7, "\(isKeyless) \(keepsStates)")
      #expect(throws: StoreError<InnMachine.Rejection>.entityConflict(.room(7), expected: 0, found: 7)) {
        try reopened.add(.opened(room: 7), expecting: .entity(.room(7), at: 0))
      }
      // A program that names other keys knows of the retired events what this one stored.
      try reopened.add(.cleaned(rooms: [3]))
      try reopened.close()
      let extended = try journal.history(ExtendedMachine.self)
      expectEqual(
        try [Entity.room(7), .room(3), Entity("floor", 3)].map { try extended.version(of: $0) }, [7, 50, 50])
    }
  }

  @Test("A fork begins with the versions at its place")
  func forked() throws {
    let journal = try TemporaryJournal()
    let store = try rooms(journal)
    try store.add(.booked(room: 2))
    try store.close()
    let copy = try TemporaryJournal()
    let fork = try EventStore<InnMachine>.fork(
      from: journal.history(InnMachine.self), at: 9, to: copy.path, journalID: TemporaryJournal.id,
      createdNanoseconds: 1)
    expectEqual(try fork.version(of: .room(2)), 2)
    try fork.add(.booked(room: 5), expecting: .entity(.room(5), at: 5))
    expectEqual(try fork.version(of: .room(5)), 10)
    try fork.close()
  }

  @Test("Lost events of a salvaged journal leave a version as it was before them")
  func salvaged() throws {
    let journal = try TemporaryJournal()
    let store = try rooms(journal)
    try store.add(.booked(room: 2), .booked(room: 3))
    try store.close()
    try journal.damage(event: 10)
    let copy = try TemporaryJournal()
    _ = try Salvage(of: [journal.path]).write(to: copy.path)
    var history = try copy.history(InnMachine.self)
    history.goesBeyondDamage = true
    expectEqual([try history.version(of: .room(2)), try history.version(of: .room(9))], [2, 9])
  }

  @Test("Versions that no program writes are not used, and never end this one")
  func malformed() throws {
    let keys = InnEvent.entityKeys
    var versions = EntityVersions()
    for number in [1, 2, 90, 1 << 40, .max] as [UInt64] {
      versions.record(EntityID(kind: 0, high: 0, low: number), at: min(number, 99))
      versions.record(EntityID(kind: 1, high: number, low: ~number), at: 7)
    }
    versions.advance(to: 99, chain: 5)
    let bytes = versions.encoded(keys)
    expectEqual(EntityVersions(bytes, keys, upTo: 99, chain: 5, isSame: true), versions)
    expectEqual(EntityVersions(bytes, keys, upTo: 89, chain: 5, isSame: true), nil)
    expectEqual(EntityVersions(bytes, ExtendedEvent.entityKeys, upTo: 99, chain: 5, isSame: true), nil)
    for place in bytes.indices {
      expectEqual(EntityVersions(Array(bytes[..<place]), keys, upTo: 99, chain: 5, isSame: true) == versions, false)
      for bit in 0..<8 {
        var other = bytes
        other[place] ^= 1 << bit
        _ = EntityVersions(other, keys, upTo: 99, chain: 5, isSame: false)
      }
    }
  }
}
