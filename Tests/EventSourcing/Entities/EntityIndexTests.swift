import Expectations
import Journal
import Testing

@testable import EventSourcing

@Suite("What a history keeps of its entities")
struct EntityIndexTests {
  /// Opens stores on segments of a few events.
  private static func small(_ options: inout StoreOptions) {
    options.journal.segmentSizeLimit = 1 << 10
    options.journal.preallocation = 0
    options.onDamage = .continueAfterVerifiedPrefix
  }

  @Test("Once the segments were looked at, an entity costs a read for each of its events, in the last segment as well")
  func reads() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self) { $0.journal.segmentSizeLimit = 256 << 10 }
    func note(_ count: Int) throws {
      for number in 0..<count { try store.add(.noted(text: "a note of no room, number \(number)")) }
    }
    for room in [7, 3, 7, 3] as [UInt64] {
      try store.add(.opened(room: room))
      try note(2000)
    }
    try store.checkpoint()
    try store.add(.cleaned(rooms: [3, 3, 8]))
    try note(500)
    let (count, bytes) = (Total(), Total())
    let files = CountingFileSystem(PosixFileSystem()) { read in
      count.add(1)
      bytes.add(read)
    }
    let history = History<InnMachine>(try JournalReader(path: journal.path).reading(through: files))
    #expect(history.reader.segments.count > 2, "\(history.reader.segments.count) segments")
    /// The least of several attempts: now and then, and as long as names have just changed, the folder is looked at as well.
    func cost(_ entity: Entity, _ expected: [UInt64]) throws -> (reads: Int, bytes: Int) {
      var costs: [(reads: Int, bytes: Int)] = []
      for _ in 0..<100_000 where files.stampOfNames(in: journal.path) == nil { files.pause(nanoseconds: 100_000) }
      for _ in 0..<5 {
        let before = (count.value, bytes.value)
        expectEqual(try history.numbers(of: entity), expected, "\(entity)")
        costs.append((count.value - before.0, bytes.value - before.1))
      }
      return costs.min { $0.reads < $1.reads } ?? (0, 0)
    }
    // The file is asked first, and then read whole.
    for _ in 0..<20 { _ = try history.numbers(of: .room(5)) }
    let nothing = try cost(.room(5), [])
    let three = try cost(.room(3), [2002, 6004, 8005])
    expectEqual(three.reads, nothing.reads + 3)
    #expect(three.bytes < nothing.bytes + 3 * 1024, "\(three) beside \(nothing)")
    // What comes later is looked at once.
    try store.add(.opened(room: 5))
    try note(300)
    try store.add(.booked(room: 3), .booked(room: 3))
    expectEqual(try history.numbers(of: .room(5)), [8506])
    let grown = try cost(.room(3), [2002, 6004, 8005, 8807, 8808])
    expectEqual(grown.reads, nothing.reads + 5)
    #expect(grown.bytes < nothing.bytes + 5 * 1024, "\(grown) beside \(nothing)")
    // A look at the end does not read the last segment.
    #expect(nothing.reads <= 20 && nothing.bytes <= 384 << 10, "\(nothing)")
    try store.close()
  }

  @Test(
    "Whatever becomes of the journal between two reads, a history that answers finds what a look at every event does",
    arguments: 1...5)
  func random(seed: UInt64) throws {
    var random = SplitMix(seed: seed &+ 1000)
    let journal = try TemporaryJournal()
    var store = try journal.create(InnMachine.self, Self.small)
    /// What every event was about, from the first one on.
    var told: [Set<Entity>] = []
    /// The files of an earlier time, and the number of events then.
    var backup: (files: [String: [UInt8]], count: Int)?
    var answers = (sound: 0, refused: 0)
    let entities: [Entity] = (0...6).map { .room($0) } + (1...3).map { .guest(GUID($0)) } + [.room(99)]
    func add(_ count: UInt64, to store: EventStore<InnMachine>) throws {
      for _ in 0..<count {
        let event = random.event()
        try store.add(event)
        told.append(event.entities)
      }
    }
    func files() throws -> [String: [UInt8]] {
      Dictionary(uniqueKeysWithValues: try journal.files.map { ($0, try journal.contents($0)) })
    }
    func replace(by files: [String: [UInt8]]) throws {
      for name in journal.files { try journal.remove(name) }
      for (name, bytes) in files { try journal.write(bytes, to: name) }
    }
    try add(30, to: store)
    try store.checkpoint()
    var kept = try journal.history(InnMachine.self)
    for _ in 0..<80 {
      var damaged: (name: String, bytes: [UInt8])?
      switch random.next() % 16 {
      case 0, 1: try store.checkpoint()
      case 2: _ = try? store.retire(before: store.lastSequence / 2, keepingStates: random.next() % 2 == 0)
      case 3:
        try store.suspend()
        let other = try journal.open(InnMachine.self, Self.small)
        try add(random.next() % 20, to: other)
        if random.next() % 2 == 0 { try other.checkpoint() }
        try other.close()
        try store.resume()
      case 4:
        // An event is damaged, for now.
        let first = try journal.history(InnMachine.self).firstSequence
        let event = first + random.next() % (UInt64(told.count) - first + 1)
        let before = try files()
        try journal.damage(event: event)
        for (name, bytes) in try files() where before[name] != bytes { damaged = before[name].map { (name, $0) } }
      case 5:
        try store.close()
        backup = (try files(), told.count)
        store = try journal.open(InnMachine.self, Self.small)
      case 6:
        // A copy of an earlier time takes the journal's place and goes on differently: another history is opened.
        guard let earlier = backup else { continue }
        try store.close()
        try replace(by: earlier.files)
        told.removeLast(told.count - earlier.count)
        store = try journal.open(InnMachine.self, Self.small)
        try add(1 + random.next() % 30, to: store)
        kept = try journal.history(InnMachine.self)
      case 7:
        // So does a fork of its own events.
        try store.close()
        let (copy, history) = (try TemporaryJournal(), try journal.history(InnMachine.self))
        let spare = max(0, told.count - Int(history.firstSequence))
        told.removeLast(Int(random.next() % UInt64(min(spare, 9) + 1)))
        let fork = try EventStore<InnMachine>.fork(
          from: history, at: UInt64(told.count), to: copy.path, journalID: TemporaryJournal.id, createdNanoseconds: 1,
          options: StoreOptions())
        try fork.close()
        try replace(by: Dictionary(uniqueKeysWithValues: copy.files.map { ($0, try copy.contents($0)) }))
        store = try journal.open(InnMachine.self, Self.small)
        try add(1, to: store)
        kept = try journal.history(InnMachine.self)
        backup = nil
      case 8:
        try add(3, to: store)
        try store.close()
        let copy = try TemporaryJournal()
        _ = try Salvage(of: [journal.path]).write(to: copy.path)
        try replace(by: Dictionary(uniqueKeysWithValues: copy.files.map { ($0, try copy.contents($0)) }))
        store = try journal.open(InnMachine.self, Self.small)
        try add(1, to: store)
        kept = try journal.history(InnMachine.self)
        backup = nil
      default: try add(1 + random.next() % 12, to: store)
      }
      for _ in 0..<(1 + random.next() % 20) {
        let entity = entities[Int(random.next() % UInt64(entities.count))]
        let expected = told.indices.filter { told[$0].contains(entity) }.map { UInt64($0) + 1 }
        let end = random.next() % 3 == 0 ? random.next() % (UInt64(told.count) + 2) : UInt64.max
        if let numbers = try? kept.numbers(of: entity, upTo: end) {
          answers.sound += 1
          let sound = expected.filter { $0 >= kept.firstSequence && $0 <= end }
          // A history that was opened before may see less, which is then what it would find without what it keeps.
          let scanned = numbers == sound ? sound : try? History<InnMachine>(kept.reader).numbers(of: entity, upTo: end)
          #expect(numbers == scanned, "seed \(seed), \(entity) up to \(end): \(sound)")
        } else {
          // Events were damaged or retired: a new history says the same, or what there is now.
          answers.refused += 1
          if damaged == nil { kept = try journal.history(InnMachine.self) }
        }
      }
      if let damaged { try journal.write(damaged.bytes, to: damaged.name) }
    }
    #expect(answers.sound > 3 * answers.refused, "\(answers)")
    try store.close()
  }

  @Test("Beyond the memory that may be used, the rest is looked through each time", arguments: [0, 1, 40_000])
  func bound(size: Int) throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self) { $0.journal.segmentSizeLimit = 128 << 10 }
    for round in 0..<60 as Range<UInt64> {
      try store.append((0..<100).map { .moved(from: round, to: 1000 + $0) }, at: .seconds(1))
    }
    try store.close()
    let history = try journal.history(InnMachine.self)
    let index = EntityIndex(history.reader, EntityFinder(InnMachine.self), maximumSize: size)
    for attempt in 0..<3 {
      for entity in [.room(0), .room(59), .room(1003)] as [Entity] {
        let events = EntityReader(index, try InnEvent.entityID(of: entity), upTo: .max - 1, goesBeyondDamage: false)
        var numbers: [UInt64] = []
        while let event = try events.next() {
          numbers.append(event.sequence)
          events.advance()
        }
        expectEqual(numbers, try history.filtered(entity), "\(entity), \(attempt)")
      }
    }
    #expect(index.size <= size + 2 * (64 << 10), "\(index.size) bytes")
  }

  @Test("What names change in the folder costs a question no look at each segment, and opens none of its files")
  func otherNames() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self, Self.small)
    for number in 0..<600 as Range<UInt64> { try store.add(.opened(room: number % 3)) }
    try store.checkpoint()
    let files = CountingFileSystem(PosixFileSystem())
    let history = History<InnMachine>(try JournalReader(path: journal.path).reading(through: files))
    let count = history.reader.segments.count
    #expect(count > 20, "\(count) segments")
    for _ in 0..<20 { _ = try history.numbers(of: .room(1)) }
    let subscription = try EventSubscription(testing: store)
    for _ in 0..<5 {
      _ = try await subscription.take(1)
      let before = files.reads
      expectEqual(try history.numbers(of: .room(9)), [])
      #expect(files.reads - before < 20, "\(files.reads - before) reads with \(count) segments")
    }
    // The next checkpoint adds to the file, and the next segment to the journal.
    for number in 0..<60 as Range<UInt64> { try store.add(.opened(room: number % 3)) }
    try store.checkpoint()
    for _ in 0..<20 { expectEqual(try history.numbers(of: .room(0)).count, 220) }
    try store.close()
  }

  @Test("A journal in whose place another one was put is not answered for by what was kept", arguments: [true, false])
  func replaced(goesOn: Bool) throws {
    let (journal, other) = (try TemporaryJournal(), try TemporaryJournal())
    for (journal, room) in [(journal, 4), (other, 5)] as [(TemporaryJournal, UInt64)] {
      let store = try journal.create(InnMachine.self, Self.small)
      for _ in 0..<100 { try store.add(.opened(room: room)) }
      try store.checkpoint()
      try store.close()
    }
    expectEqual(journal.files, other.files)
    let history = try journal.history(InnMachine.self)
    for _ in 0..<20 { expectEqual(try history.numbers(of: .room(4)), Array(1...100)) }
    for name in journal.files {
      try journal.remove(name)
      try other.copy(name, to: journal)
    }
    if goesOn {
      let store = try journal.open(InnMachine.self, Self.small)
      try store.add(.opened(room: 4))
      try store.close()
    }
    // What is there is looked at, and is another history than this one is of.
    for room in [4, 5] as [UInt64] {
      let found = try? history.numbers(of: .room(room))
      expectEqual(found, try? History<InnMachine>(history.reader).numbers(of: .room(room)), "room \(room)")
      #expect(found?.count != 100 || room == 5, "\(found ?? [])")
    }
    expectEqual(try journal.history(InnMachine.self).numbers(of: .room(5)), Array(1...100))
  }

  @Test("A segment for which there is no room leaves room for others, and is looked at once some is free")
  func room() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self) { $0.journal.segmentSizeLimit = 1 << 10 }
    // The first segment names many rooms, the later ones few.
    try store.add(.cleaned(rooms: Array(1000..<5000)))
    for number in 0..<100 as Range<UInt64> { try store.add(.opened(room: number % 4)) }
    try store.checkpoint()
    let count = Total()
    let files = CountingFileSystem(PosixFileSystem()) { _ in count.add(1) }
    let reader = try JournalReader(path: journal.path).reading(through: files)
    let index = EntityIndex(reader, EntityFinder(InnMachine.self), maximumSize: 20_000)
    func numbers(_ room: UInt64) throws -> [UInt64] {
      let events = EntityReader(
        index, try InnEvent.entityID(of: .room(room)), upTo: .max - 1, goesBeyondDamage: false)
      var numbers: [UInt64] = []
      while let event = try events.next() {
        numbers.append(event.sequence)
        events.advance()
      }
      return numbers
    }
    for _ in 0..<40 { expectEqual(try numbers(3).count, 25) }
    #expect(index.size > 1000 && index.size <= 20_000 + (64 << 10), "\(index.size) bytes")
    let stretches = index.stretches()
    let kept = stretches.dropLast().filter { stretch in
      index.read(stretch.first, in: stretch, { _ in })
    }
    expectEqual(kept.map(\.first), stretches.dropLast().dropFirst().map(\.first))
    try store.close()
  }

  @Test("An event for whose entities there is no room is looked at again, and is no other entity's twice")
  func lastRoom() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self)
    try store.add(.opened(room: 1), .moved(from: 1, to: 2), .opened(room: 2))
    try store.close()
    let reader = try JournalReader(path: journal.path)
    for (count, next) in [(0, 1), (1, 2), (2, 2), (3, 3), (4, 4)] as [(Int, UInt64)] {
      var part = EntityPart(SegmentStretch.all(of: reader)[0])
      part.mentions = EntityMentions(from: 1, maximumCount: count)
      let outcome = try part.read(
        try HeldItems(reader, after: 0), before: .max, upTo: 1 << 20, EntityFinder(InnMachine.self))
      expectEqual(part.next, next, "\(count)")
      #expect((outcome == .complete) == (count == 4), "\(outcome)")
    }
  }

  @Test("A section of more than there is room for says nothing, instead of less than it holds")
  func sections() throws {
    let stretch = SegmentStretch(first: 5, next: 1 << 40, chainBefore: 1, chainAfter: 2)
    let binding = StreamSection.Binding(
      id: [UInt8](repeating: 3, count: 16), fingerprint: [UInt8](repeating: 4, count: 8), stretch: stretch)
    let (one, other) = (try InnEvent.entityID(of: .room(1)), try InnEvent.entityID(of: .room(2)))
    for (events, room, isKept) in [
      ([5, 6, 4 + 1 << 32], 1 << 20, true), ([5, 6, 5 + 1 << 32], 1 << 20, false), (Array(5...104), 1 << 10, false),
    ] as [([UInt64], Int, Bool)] {
      let bytes = try #require(StreamSection.encoded([one: events, other: [7]], binding))
      let section = try #require(StreamSection(Array(bytes.prefix(StreamSection.headerSize))))
      #expect(section.isSound(bytes))
      expectEqual(section.mentions(in: bytes, upTo: room)?.events(of: one), isKept ? events.reversed() : nil)
    }
  }

  @Test("A history of a journal without events finds those that come")
  func empty() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self)
    let history = try journal.history(InnMachine.self)
    expectEqual(try history.numbers(of: .room(1)), [])
    try store.add(.opened(room: 2), .opened(room: 1))
    for _ in 0..<2 { expectEqual(try history.numbers(of: .room(1)), [2]) }
    try store.close()
    // A fork of the whole history has no events of its own at first.
    let copy = try TemporaryJournal()
    let fork = try EventStore<InnMachine>.fork(
      from: journal.history(InnMachine.self), at: 2, to: copy.path, journalID: TemporaryJournal.id,
      createdNanoseconds: 1,
      options: StoreOptions())
    let forked = try copy.history(InnMachine.self)
    try fork.add(.booked(room: 1))
    expectEqual(try forked.numbers(of: .room(1)), [3])
    try fork.close()
  }

  @Test("Entities with the same hash have their own events")
  func tags() throws {
    // Among so many numbers, some have the hash of another one.
    var known: [UInt32: UInt64] = [:]
    var pair: (UInt64, UInt64)?
    for number in 0..<400_000 as Range<UInt64> where pair == nil {
      let tag = EntityID(kind: 0, high: 0, low: number).tag
      if let other = known.updateValue(number, forKey: tag) { pair = (other, number) }
    }
    let (one, other) = try #require(pair)
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self) { $0.journal.segmentSizeLimit = 1 << 10 }
    for number in 0..<60 as Range<UInt64> {
      try store.add(.opened(room: number % 3 == 0 ? one : other), .moved(from: other, to: one), .opened(room: number))
    }
    try store.checkpoint()
    try store.close()
    let history = try journal.history(InnMachine.self)
    // At first as the file says, and then as it is kept.
    for _ in 0..<20 {
      for room in [one, other] { expectEqual(try history.numbers(of: .room(room)), try history.filtered(.room(room))) }
    }
  }

  @Test("A key that cannot be read for now leaves the event where it is")
  func advancing() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self)
    try store.add(.opened(room: 1), .opened(room: 2), .opened(room: 1))
    try store.close()
    let history = try journal.history(InnMachine.self)
    for goesBeyondDamage in [true, false] {
      let events = EntityReader(
        history.entityIndex, try InnEvent.entityID(of: .room(1)), upTo: .max - 1, goesBeyondDamage: goesBeyondDamage)
      expectEqual([try events.next()?.sequence, try events.next()?.sequence], [1, 1])
      events.advance()
      expectEqual([try events.next()?.sequence, try events.next()?.sequence], [3, 3])
      events.advance()
      expectEqual(try events.next()?.sequence, nil)
    }
  }

  @Test("Many tasks read one history while events are appended")
  func tasks() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self) { $0.journal.segmentSizeLimit = 4 << 10 }
    for number in 0..<50 as Range<UInt64> { try store.add(.opened(room: number % 5)) }
    let history = try journal.history(InnMachine.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for room in 0..<5 as Range<UInt64> {
        group.addTask {
          for _ in 0..<40 {
            let numbers = try history.numbers(of: .room(room))
            expectEqual(numbers, (0..<numbers.count).map { UInt64($0) * 5 + room + 1 })
            #expect(numbers.count >= 10)
          }
        }
      }
      group.addTask {
        for number in 0..<200 as Range<UInt64> { try store.add(.opened(room: number % 5)) }
      }
      try await group.waitForAll()
    }
    expectEqual(try history.numbers(of: .room(4)).count, 50)
    try store.close()
  }
}
