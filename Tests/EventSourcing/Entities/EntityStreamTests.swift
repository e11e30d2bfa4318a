import Expectations
import Journal
import Testing

@testable import EventSourcing

extension History where Machine.Event == InnEvent {
  /// The numbers of the events that are about an entity, as the store finds them.
  func numbers(of entity: Entity, upTo last: UInt64 = .max) throws -> [UInt64] {
    var events = try events(of: entity, upTo: last)
    var numbers: [UInt64] = []
    while let record = try events.next() { numbers.append(record.sequence) }
    return numbers
  }

  /// The same by looking at every event that is still there.
  func filtered(_ entity: Entity) throws -> [UInt64] {
    var events = try events()
    var numbers: [UInt64] = []
    while let item = try events.next() {
      guard case .event(let step) = item, step.record.event?.entities.contains(entity) == true else { continue }
      numbers.append(step.record.sequence)
    }
    return numbers
  }
}

/// Rooms and guests that events may be about.
private let entities: [Entity] =
  (0...6).map { .room($0) } + (1...3).map { .guest(GUID($0)) } + [.room(.max), .guest(GUID(200))]

@Suite("The events of an entity")
struct EntityStreamTests {
  /// Events of every kind in segments of a few events, with a checkpoint.
  private func inn(_ journal: TemporaryJournal, events count: Int = 40) throws -> EventStore<InnMachine> {
    let store = try journal.create(InnMachine.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    var random = SplitMix(seed: 3)
    for _ in 0..<count { try store.add(random.event()) }
    try store.checkpoint()
    return store
  }

  @Test("An entity has the events that a look at every event finds, with the file STREAMS and without")
  func events() throws {
    let journal = try TemporaryJournal()
    let store = try inn(journal)
    try store.add(.booked(room: 2, guest: GUID(1)), .moved(from: 2, to: .max))
    try store.close()
    #expect(journal.files.contains("STREAMS"))
    for isThere in [true, false] {
      if !isThere { try journal.remove("STREAMS") }
      let history = try journal.history(InnMachine.self)
      for entity in entities {
        let all = try history.filtered(entity)
        expectEqual(try history.numbers(of: entity), all, "\(entity)")
        expectEqual(try history.numbers(of: entity, upTo: 25), all.filter { $0 <= 25 }, "\(entity)")
        expectEqual(try history.version(of: entity), all.last ?? 0)
      }
      var numbers: [UInt64] = []
      var events = try history.events(of: .room(2))
      while let record = try events.next() { numbers.append(record.sequence) }
      let room = try history.state(of: .room(2))
      expectEqual(numbers.last, room.version)
      #expect(events.isComplete && events.firstSequence == 1 && room.isComplete)
      #expect(throws: HistoryError.self) { try history.events(of: Entity("floor", 1)).isComplete }
    }
  }

  @Test("The state of an entity is what its events alone add up to")
  func state() throws {
    let journal = try TemporaryJournal()
    let store = try inn(journal, events: 0)
    try store.add(.opened(room: 4), .booked(room: 4, guest: GUID(1)), .booked(room: 5, guest: GUID(1)))
    try store.add(.booked(room: 4))
    try store.close()
    let history = try journal.history(InnMachine.self)
    let room = try history.state(of: .room(4))
    expectEqual(room.state.rooms.map { [$0.key, $0.bookings] }, [[4, 2]])
    expectEqual([room.version, room.eventCount], [4, 3])
    expectEqual(
      try history.state(of: .guest(GUID(1))).state.rooms.map { [$0.key, $0.bookings] }, [[4, 1], [5, 1]])
    expectEqual(try history.state(of: .room(4), upTo: 3).state.rooms.map(\.bookings), [1])
    let nothing = try history.state(of: .room(9))
    #expect(nothing.state == Inn() && nothing.version == 0 && nothing.isComplete)
  }

  @Test("With the file STREAMS, little of a long journal is read for an entity with few events")
  func reads() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self) { $0.journal.segmentSizeLimit = 256 << 10 }
    for round in 0..<200 {
      try store.append(
        (0..<100).map {
          round == 20 && $0 == 50 ? .opened(room: 12345) : .noted(text: "a note of no room, number \($0)")
        },
        at: .seconds(1))
    }
    try store.checkpoint()
    try store.close()
    func readBytes() throws -> (events: [UInt64], bytes: Int) {
      let total = Total()
      let history = History<InnMachine>(
        try JournalReader(path: journal.path).reading(through: CountingFileSystem(PosixFileSystem()) { total.add($0) }))
      return (try history.numbers(of: .room(12345)), total.value)
    }
    let with = try readBytes()
    try journal.remove("STREAMS")
    let without = try readBytes()
    expectEqual(with.events, [2051])
    expectEqual(without.events, [2051])
    #expect(with.bytes * 2 < without.bytes, "\(with.bytes) of \(without.bytes) bytes were read")
  }

  @Test("Damage of STREAMS anywhere, and any part of it, changes no answer")
  func damage() throws {
    let journal = try TemporaryJournal()
    try inn(journal, events: 60).close()
    let sound = try journal.contents("STREAMS")
    let probes: [Entity] = [.room(2), .guest(GUID(1)), .room(.max)]
    let expected = try probes.map { try journal.history(InnMachine.self).filtered($0) }
    #expect(sound.count > 400 && !expected[0].isEmpty, "\(sound.count) bytes")
    func compare(_ what: String) throws {
      // Another history, because one keeps what it has found out.
      let history = try journal.history(InnMachine.self)
      expectEqual(try probes.map { try history.numbers(of: $0) }, expected, "\(what)")
    }
    for place in sound.indices {
      var bytes = sound
      bytes[place] ^= UInt8(1 << (place % 8))
      try journal.write(bytes, to: "STREAMS")
      try compare("byte \(place)")
    }
    for length in stride(from: 0, to: sound.count, by: 7) {
      try journal.write(Array(sound[..<length]), to: "STREAMS")
      try compare("\(length) bytes")
    }
    try journal.write(sound + sound + [UInt8](repeating: 0, count: 100), to: "STREAMS")
    try compare("twice")
    // The next checkpoint mends what it finds out.
    try journal.write(Array(sound.dropLast(9)) + [0], to: "STREAMS")
    let store = try journal.open(InnMachine.self)
    try store.checkpoint()
    try store.close()
    let mended = try journal.contents("STREAMS")
    #expect(mended.starts(with: sound), "\(mended.count) bytes in place of \(sound.count)")
    try compare("mended")
  }

  @Test("A section whose bytes were lost is rewritten by the next store that stores a checkpoint")
  func body() throws {
    let journal = try TemporaryJournal()
    try inn(journal, events: 60).close()
    let sound = try journal.contents("STREAMS")
    // The header is as it was, and what follows was never written.
    let zeros = [UInt8](repeating: 0, count: sound.count - StreamSection.headerSize)
    try journal.write(Array(sound.prefix(StreamSection.headerSize)) + zeros, to: "STREAMS")
    let store = try journal.open(InnMachine.self)
    try store.checkpoint()
    #expect(try journal.contents("STREAMS").starts(with: sound))
    try store.close()
  }

  @Test("Retiring events removes what the file says of them, and keeps the rest")
  func retired() throws {
    let journal = try TemporaryJournal()
    let store = try inn(journal, events: 60)
    let before = try journal.contents("STREAMS")
    let first = try store.retire(before: 40)
    let after = try journal.contents("STREAMS")
    #expect(first > 20 && after.count < before.count && before.suffix(after.count).elementsEqual(after))
    for entity in entities {
      let history = try journal.history(InnMachine.self)
      expectEqual(try history.numbers(of: entity), try history.filtered(entity))
    }
    try store.close()
  }

  @Test("A store that does not own its journal writes no file")
  func suspended() throws {
    let journal = try TemporaryJournal()
    let store = try inn(journal, events: 60)
    try journal.remove("STREAMS")
    try store.suspend()
    store.updateStreams()
    #expect(!journal.files.contains("STREAMS"))
    try store.resume()
    store.updateStreams()
    #expect(journal.files.contains("STREAMS"))
    try store.close()
  }

  @Test(
    "Events that a salvage marked as lost may be the entity's: passed over only where that is wanted, and then said")
  func lost() throws {
    let journal = try TemporaryJournal()
    let store = try inn(journal, events: 0)
    for room in 1...30 as ClosedRange<UInt64> { try store.add(.opened(room: room)) }
    try store.close()
    try journal.damage(event: 4)
    let copy = try TemporaryJournal()
    _ = try Salvage(of: [journal.path]).write(to: copy.path)
    #expect(throws: HistoryError.self) { try copy.history(InnMachine.self).version(of: .room(9)) }
    let opened = try copy.open(InnMachine.self) { $0.onDamage = .continueAfterVerifiedPrefix }
    try opened.checkpoint()
    try opened.close()
    var history = try copy.history(InnMachine.self)
    #expect(throws: HistoryError.self) { try history.state(of: .room(9)) }
    history.goesBeyondDamage = true
    let room = try history.state(of: .room(9))
    expectEqual([room.version, room.isComplete ? 1 : 0], [9, 0])
    expectEqual(try history.version(of: .room(9)), 9)
  }

  @Test("STREAMS of another journal, of another history or of other keys is not used, and is rewritten")
  func others() throws {
    let journal = try TemporaryJournal()
    try inn(journal).close()
    // The same events at other places, under the same journal id.
    let other = try TemporaryJournal()
    let store = try other.create(InnMachine.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    for number in 0..<40 as Range<UInt64> { try store.add(.cleaned(rooms: [number % 3, 6])) }
    try store.checkpoint()
    try store.close()
    try other.write(journal.contents("STREAMS"), to: "STREAMS")
    let history = try other.history(InnMachine.self)
    for entity in entities { expectEqual(try history.numbers(of: entity), try history.filtered(entity)) }
    let extended = try other.history(ExtendedMachine.self)
    var cleaned = try extended.events(of: Entity("floor", 2))
    expectEqual(try cleaned.next()?.sequence, 3)
  }

  @Test("Damage of the journal is reported where it may hide an event of the entity, and nowhere else")
  func journalDamage() throws {
    let journal = try TemporaryJournal()
    let store = try inn(journal, events: 0)
    for room in 1...40 as ClosedRange<UInt64> { try store.add(.opened(room: room)) }
    try store.checkpoint()
    try store.close()
    let segment = "00000000000000000001.seg"
    let sound = try journal.contents(segment)
    try journal.damage(event: 3)
    var history = try journal.history(InnMachine.self)
    expectEqual(try history.numbers(of: .room(9)), [9])
    for isThere in [true, false] {
      if !isThere { try journal.remove("STREAMS") }
      for room in [3] + (isThere ? [] : [9]) as [UInt64] {
        let error = #expect(throws: HistoryError.self) { try history.numbers(of: .room(room)) }
        expectEqual(error?.lastDerivable, 2)
      }
    }
    history.goesBeyondDamage = true
    expectEqual([try history.numbers(of: .room(3)), try history.numbers(of: .room(9))], [[], [9]])
    // A segment that cannot be read whole gets no section: its bytes may be found again.
    let opened = try journal.open(InnMachine.self)
    try opened.checkpoint()
    try opened.close()
    try journal.write(sound, to: segment)
    expectEqual(try journal.history(InnMachine.self).numbers(of: .room(3)), [3])
  }

  @Test("Random histories: appends, checkpoints, retired events, forks, salvages and other writers", arguments: 1...6)
  func random(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var journal = try TemporaryJournal()
    var store = try inn(journal, events: 0)
    /// What every event was about, from the first one on, and those that are lost.
    var told: [Set<Entity>] = []
    var lost: Set<Int> = []
    let change = { (options: inout StoreOptions) in
      options.journal.segmentSizeLimit = 1 << 10
      options.journal.preallocation = 0
      options.onDamage = .continueAfterVerifiedPrefix
    }
    func add(_ count: UInt64, to store: EventStore<InnMachine>) throws {
      for _ in 0..<count {
        let event = random.event()
        try store.add(event)
        told.append(event.entities)
      }
    }
    for _ in 0..<60 {
      switch random.next() % 12 {
      case 0: try store.checkpoint()
      case 1: _ = try? store.retire(before: store.lastSequence / 2, keepingStates: random.next() % 2 == 0)
      case 2:
        // Another program takes over.
        try store.suspend()
        let other = try journal.open(InnMachine.self, change)
        try add(random.next() % 20, to: other)
        if random.next() % 2 == 0 { try other.checkpoint() }
        try other.close()
        try store.resume()
      case 3 where lost.isEmpty && store.lastSequence > 20:
        try store.close()
        let copy = try TemporaryJournal()
        let first = Int(try journal.history(InnMachine.self).firstSequence)
        told.removeLast(max(0, min(Int(random.next() % 5), told.count - first)))
        store = try EventStore<InnMachine>.fork(
          from: journal.history(InnMachine.self), at: UInt64(told.count), to: copy.path,
          journalID: TemporaryJournal.id, createdNanoseconds: 1, options: options(change))
        journal = copy
      case 4 where store.lastSequence > 30 && lost.isEmpty:
        try store.close()
        let event = store.lastSequence - 1 - random.next() % 5
        guard try journal.history(InnMachine.self).firstSequence < event else { return }
        try journal.damage(event: event)
        let copy = try TemporaryJournal()
        _ = try Salvage(of: [journal.path]).write(to: copy.path)
        lost.insert(Int(event) - 1)
        journal = copy
        store = try journal.open(InnMachine.self, change)
      default: try add(1 + random.next() % 12, to: store)
      }
      var history = try journal.history(InnMachine.self)
      history.goesBeyondDamage = true
      for entity in entities {
        let all = try history.filtered(entity)
        expectEqual(try history.numbers(of: entity), all, "seed \(seed), \(entity)")
        let state = try history.state(of: entity)
        expectEqual([state.version, state.eventCount], [all.last ?? 0, UInt64(all.count)])
        expectEqual(state.firstSequence, history.firstSequence)
        // A checkpoint may have counted an event before it was lost.
        let versions = [Set<Int>(), lost].map { lost in
          (told.indices.last { told[$0].contains(entity) && !lost.contains($0) } ?? -1) + 1
        }
        let version = try store.version(of: entity)
        #expect(versions.contains(Int(version)), "seed \(seed), \(entity): \(version), not \(versions)")
      }
    }
    try store.close()
  }

  private func options(_ change: (inout StoreOptions) -> Void) -> StoreOptions {
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    change(&options)
    return options
  }
}

/// Adds up, on any thread.
final class Total: Sendable {
  private let sum = Lock(0)
  var value: Int { sum.withLock { $0 } }
  func add(_ count: Int) { sum.withLock { $0 += count } }
}

/// Numbers that only depend on where they begin.
struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// Something that happens in an inn with seven rooms and three guests.
  mutating func event() -> InnEvent {
    let (room, other) = (next() % 7, next() % 7)
    switch next() % 6 {
    case 0: return .opened(room: room)
    case 1: return .booked(room: room, guest: GUID(UInt8(1 + other % 3)))
    case 2: return .booked(room: room)
    case 3: return .moved(from: room, to: other)
    case 4: return .cleaned(rooms: (0..<(next() % 4)).map { ($0 + room) % 7 })
    default: return .noted(text: "note \(room)")
    }
  }
}
