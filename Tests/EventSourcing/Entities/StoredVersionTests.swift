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
    try store.add(.booked(room: 4, guest: GUID(7)))
    try store.close()
    try journal.damage(event: 2)
    let reopened = try journal.open(InnMachine.self)
    expectEqual(
      [
        try reopened.version(of: .room(2)), try reopened.version(of: .room(4)),
        try reopened.version(of: .guest(GUID(7))),
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
        if !keepsStates {
          let error = #expect(throws: HistoryError.self) { try again.retire(before: 30) }
          expectEqual(
            error?.message,
            "no checkpoint that stays holds the versions of entities of the kind room and more (1): nothing is removed")
          guard case .journal(let refusal)? = error else { return }
          expectEqual(refusal.remedy, "write a checkpoint first; if events cannot be read, salvage the journal before")
          expectEqual(try journal.history(InnMachine.self).retirementPlan(before: 30).lostKinds, ["room", "guest"])
          try again.checkpoint()
        }
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

  @Test("Retiring removes what its plan says, and writes no checkpoint of its own")
  func plan() throws {
    let journal = try TemporaryJournal()
    try rooms(journal).close()
    let keyless = try journal.open(KeylessMachine.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    for round in 0..<3 {
      for _ in 0..<20 { try keyless.append([.noted(text: "nothing of interest happened today")], at: .seconds(60)) }
      if round < 2 { try keyless.checkpoint() }
    }
    try keyless.close()
    func lasting() -> [String] { journal.files.filter { $0.hasSuffix(".seg") || $0.hasSuffix(".ckpt") } }
    let store = try journal.open(InnMachine.self)
    let files = lasting()
    let plan = try journal.history(InnMachine.self).retirementPlan(before: 1000)
    expectEqual([plan.checkpointSequence, plan.removal.firstSequence <= 30 ? 1 : 0], [29, 1])
    #expect(!plan.removal.segments.isEmpty)
    #expect(throws: HistoryError.self) { try store.retire(before: 1000) }
    expectEqual(lasting(), files)
    // Once versions are stored, it goes.
    try store.checkpoint()
    let later = try journal.history(InnMachine.self).retirementPlan(before: 1000)
    expectEqual(later.refusal, nil)
    expectEqual(try store.retire(before: 1000), later.removal.firstSequence)
    expectEqual(try store.version(of: .room(7)), 7)
    try store.close()
  }

  @Test("A device that fails leaves no checkpoint without versions, and removes none that has them")
  func device() throws {
    let journal = try TemporaryJournal()
    let store = try rooms(journal)
    try notes(store)
    try store.checkpoint()
    #expect(try store.retire(before: 30) > 9)
    try store.close()
    let files = HookedFileSystem()
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    options.keptCheckpointCount = 1
    let again = try EventStore<InnMachine>.open(at: journal.path, options: options, fileSystem: files)
    try again.add(.noted(text: "a day later"))
    let stored = try #require(journal.files.first { $0.hasSuffix(".ckpt") })
    files.failOpening(stored)
    #expect(throws: HistoryError.self) { try again.checkpoint() }
    expectEqual(journal.files.filter { $0.hasSuffix(".ckpt") }, [stored])
    #expect(throws: StoreError<InnMachine.Rejection>.self) { try again.version(of: .room(7)) }
    files.failOpening("")
    expectEqual(try again.version(of: .room(7)), 7)
    try again.close()
  }

  @Test("A checkpoint that alone holds versions stays while damage keeps later ones from holding them")
  func kept() throws {
    let journal = try TemporaryJournal()
    let store = try rooms(journal)
    try notes(store)
    try store.checkpoint()
    #expect(try store.retire(before: 30) > 9)
    try notes(store)
    try store.close()
    let stored = try #require(journal.files.first { $0.hasSuffix(".ckpt") })
    let keyless = try journal.open(KeylessMachine.self)
    try keyless.checkpoint()
    try keyless.close()
    let name = try #require(journal.files.last { $0.hasSuffix(".seg") && $0 <= "00000000000000000060.seg" })
    let sound = try journal.contents(name)
    try journal.damage(event: 60)
    let damaged = try journal.open(InnMachine.self) { $0.keptCheckpointCount = 1 }
    #expect(throws: StoreError<InnMachine.Rejection>.self) { try damaged.version(of: .room(7)) }
    try damaged.add(.opened(room: 8))
    try damaged.checkpoint()
    try damaged.close()
    #expect(journal.files.contains(stored))
    try journal.write(sound, to: name)
    expectEqual(try journal.history(InnMachine.self).version(of: .room(7)), 7)
    expectEqual(try journal.history(InnMachine.self).version(of: .room(8)), 90)
  }

  @Test("Where the first events are retired and no versions of them are stored, a version is unknown, not 0")
  func unknown() throws {
    let journal = try TemporaryJournal()
    let store = try rooms(journal)
    try notes(store)
    try store.close()
    let keyless = try journal.open(KeylessMachine.self)
    try keyless.checkpoint()
    #expect(try keyless.retire(before: 30) > 9)
    try keyless.append([.opened(room: 5)], at: .seconds(60))
    try keyless.close()
    let copy = try TemporaryJournal()
    for isFork in [false, true] {
      let again =
        try isFork
        ? EventStore<InnMachine>.fork(
          from: journal.history(InnMachine.self), at: 50, to: copy.path, journalID: TemporaryJournal.id,
          createdNanoseconds: 1)
        : journal.open(InnMachine.self)
      for attempt in [
        { _ = try again.version(of: .room(7)) },
        { try again.add(.opened(room: 7), expecting: .entity(.room(7), at: 0)) },
        { try again.add(.opened(room: 7), expecting: .entity(.room(5), at: 50)) },
      ] {
        let error = #expect(throws: StoreError<InnMachine.Rejection>.self) { try attempt() }
        expectEqual(
          error?.description,
          "the version of room 7 is unknown: the first events are retired, and no checkpoint says which were about a room; "
            + "append an event about room 7 without expecting a version, or use a copy with the earlier events")
      }
      try again.add(.booked(room: 5), expecting: .entity(.room(5), at: 50))
      // What is stored then says that it is incomplete, and nothing keeps retired events.
      try again.checkpoint()
      try again.retire(before: 40)
      try again.add(.booked(room: 7))
      expectEqual([try again.version(of: .room(5)), try again.version(of: .room(7))], [51, 52])
      try again.close()
    }
  }

  @Test("A checkpoint for a redacted export names no entity")
  func redacted() throws {
    let journal = try TemporaryJournal()
    let store = try rooms(journal)
    let guest = try #require(GUID(bytes: (1...16).map { $0 * 11 }))
    try store.add(.booked(room: 3, guest: guest))
    try store.close()
    let body = try journal.history(InnMachine.self).checkpointBody(at: 10)
    var key = WireWriter()
    key.append(number: guest.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    func holds(_ body: [UInt8]) -> Bool { body.indices.contains { body[$0...].starts(with: key.bytes) } }
    let rewritten = try CheckpointRewriting.rewritten(
      body, of: InnMachine.self, rewriteSlice: { $1 }, rewriteCommand: { ($0, $1) })
    expectEqual([holds(body), holds(rewritten)], [true, false])
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
    let bytes = versions.encoded(keys, revision: 1)
    expectEqual(EntityVersions(bytes, keys, revision: 1, upTo: 99, chain: 5), versions)
    expectEqual(EntityVersions(bytes, keys, revision: 1, upTo: 89, chain: 5), nil)
    // Another program knows of the kinds with the same keys, and one with other rules of none.
    let extended = EntityVersions(bytes, ExtendedEvent.entityKeys, revision: 1, upTo: 99, chain: 5)
    expectEqual(extended?.versions, versions.versions)
    expectEqual(extended?.incompleteKinds, [2])
    expectEqual(
      EntityVersions(bytes, keys, revision: 2, upTo: 99, chain: 5), EntityVersions(unknownUpTo: 99, chain: 5, keys))
    for place in bytes.indices {
      expectEqual(EntityVersions(Array(bytes[..<place]), keys, revision: 1, upTo: 99, chain: 5) == versions, false)
      for bit in 0..<8 {
        var other = bytes
        other[place] ^= 1 << bit
        _ = EntityVersions(other, keys, revision: 1, upTo: 99, chain: 5)
      }
    }
  }
}
