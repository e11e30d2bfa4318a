import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

/// Crates whose tags are bytes, of which sixteen are a key.
private enum Crate: EventList {
  case packed(tag: [UInt8] = [])
  static let types = EventTypes<Crate>("pier", .packed()).keyed("crate", by: ["crate.packed": "tag"])
  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Crate {
    switch self {
    case .packed(let tag): try list.event(1, "crate.packed", .packed(tag: list.field(1, "tag", tag)))
    }
  }
}

private struct Pier: Aggregate {
  var count: UInt64 = 0
  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "count", &count) }
  mutating func apply(_ event: Crate, _ context: EventContext) { count += 1 }
}

@Suite("The limits of entities")
struct EntityLimitTests {
  /// Ten rooms in segments of a few events, and the file `STREAMS`.
  private func inn(_ journal: TemporaryJournal, events count: UInt64 = 30) throws -> History<InnMachine> {
    let store = try journal.create(InnMachine.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    for room in 1...count { try store.add(.opened(room: room % 10)) }
    try store.checkpoint()
    try store.close()
    return try journal.history(InnMachine.self)
  }

  @Test("A section of STREAMS counts for its journal, its keys, and a segment between its chain values")
  func bound() throws {
    let journal = try TemporaryJournal()
    let reader = try inn(journal).reader
    let keys = InnEvent.entityKeys.fingerprint(revision: InnMachine.revision)
    func file(_ id: JournalID, _ keys: [UInt8]) -> StreamFile? {
      StreamFile(in: reader.path, reader.fileSystem, of: id, keys: keys)
    }
    let whole = try #require(file(reader.identity.id, keys))
    let stretch = try #require(SegmentStretch.all(reader.segments).first)
    let room = try InnEvent.entityID(of: .room(2))
    expectEqual(whole.events(of: room, in: stretch)?.first, 2)
    var others = [SegmentStretch](repeating: stretch, count: 3)
    others[0].next += 1
    others[1].chainBefore ^= 1
    others[2].chainAfter ^= 1
    for other in others {
      expectEqual(whole.events(of: room, in: other), nil, "\(other)")
      #expect(!whole.has(other) && whole.bytes(of: other) == nil)
    }
    let id = try #require(JournalID(bytes: [UInt8](repeating: 77, count: 16)))
    expectEqual(file(id, keys)?.end, 0)
    expectEqual(file(reader.identity.id, keys.reversed())?.end, 0)
  }

  @Test("No section is made of a segment that ends elsewhere or with another chain value")
  func incomplete() throws {
    let journal = try TemporaryJournal()
    let history = try inn(journal)
    let stretch = try #require(SegmentStretch.all(history.reader.segments).first)
    expectEqual(try history.entityEvents(in: stretch)?.count, 10)
    var other = stretch
    other.chainAfter ^= 1
    expectEqual(try history.entityEvents(in: other)?.count, nil)
    // More events than the journal has, of which the last one has this chain value.
    var last: UInt32 = 0
    try history.forEachRaw(after: 0, upTo: nil) { (event) throws(HistoryError) in last = event.chain }
    other = stretch
    (other.next, other.chainAfter) = (40, last)
    expectEqual(try history.entityEvents(in: other)?.count, nil)
  }

  @Test("What another program has written to STREAMS meanwhile stays")
  func otherWriter() throws {
    let journal = try TemporaryJournal()
    let history = try inn(journal)
    try journal.remove("STREAMS")
    var writer = StreamWriter(history: history, soundEnd: 0) { write in
      try? journal.write([1, 2, 3], to: "STREAMS")
      return write()
    }
    writer.update(dropsRetired: false)
    expectEqual(try journal.contents("STREAMS"), [1, 2, 3])
  }

  @Test("A file that is rewritten is the same, whether sections that stay were kept or made again from their events")
  func rewritten() throws {
    let journal = try TemporaryJournal()
    _ = try inn(journal, events: 90)
    let before = try journal.contents("STREAMS")
    let store = try journal.open(InnMachine.self)
    #expect(try store.retire(before: 30) > 1)
    try store.close()
    let after = try journal.contents("STREAMS")
    #expect(!after.isEmpty && after.count < before.count)
    for length in [0, 300, .max] as [UInt64] {
      try journal.write(before, to: "STREAMS")
      var writer = StreamWriter(
        history: try journal.history(InnMachine.self), soundEnd: 0, maximumKeptLength: length
      ) { $0() }
      writer.update(dropsRetired: true)
      expectEqual(try journal.contents("STREAMS"), after, "\(length)")
    }
  }

  @Test("An event of an entity that must be understood and is not has no state, and one of unknown features no entity")
  func notUnderstood() throws {
    let journal = try TemporaryJournal()
    _ = try inn(journal)
    var broken = Envelope(type: 2, at: .seconds(40))
    // Room 3, and a guest who is a number.
    broken.body = [8, 3, 16, 5]
    var later = Envelope(type: 1, at: .seconds(41))
    later.body = [8, 4]
    later.features = EnvelopeFeatures(rawValue: 1 << 40)
    try journal.appendRaw([broken, later], of: InnEvent.self)
    let history = try journal.history(InnMachine.self)
    expectEqual(try history.numbers(of: .room(3)), [3, 13, 23, 31])
    let error = #expect(throws: HistoryError.self) { try history.state(of: .room(3)) }
    #expect(error?.message.contains("event 31") == true, "\(error?.message ?? "no error")")
    expectEqual(try history.state(of: .room(3), upTo: 30).version, 23)
    expectEqual(try history.numbers(of: .room(4)), [4, 14, 24])
    expectEqual(try history.version(of: .room(4)), 24)
  }

  @Test("A store that does not accept loss knows no version behind lost events, whatever checkpoint it begins with")
  func lossNotAccepted() throws {
    let journal = try TemporaryJournal()
    _ = try inn(journal)
    for name in journal.files where name.hasSuffix(".ckpt") { try journal.remove(name) }
    try journal.damage(event: 4)
    let copy = try TemporaryJournal()
    _ = try Salvage(of: [journal.path]).write(to: copy.path)
    let keyless = try copy.open(KeylessMachine.self) { $0.onDamage = .continueAfterVerifiedPrefix }
    try keyless.checkpoint()
    try keyless.close()
    let store = try copy.open(InnMachine.self)
    #expect(throws: StoreError<InnMachine.Rejection>.self) { try store.version(of: .room(9)) }
    try store.close()
    let accepting = try copy.open(InnMachine.self) { $0.onDamage = .continueAfterVerifiedPrefix }
    expectEqual(try accepting.version(of: .room(9)), 29)
    try accepting.close()
  }

  @Test("A history that uses no checkpoints reads every event for a version")
  func withoutCheckpoints() throws {
    let journal = try TemporaryJournal()
    var history = try inn(journal)
    try journal.damage(event: 2)
    expectEqual(try history.version(of: .room(9)), 29)
    history.usesCheckpoints = false
    #expect(throws: HistoryError.self) { try history.version(of: .room(9)) }
  }

  @Test("Sixteen bytes are a key, and fewer or more name no entity")
  func lengths() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Pier.self)
    let tag = [UInt8](1...16)
    for tag in [tag, tag + [17], Array(tag.dropLast()), []] { try store.append(.packed(tag: tag), at: .seconds(1)) }
    let id = try #require(GUID(bytes: tag))
    expectEqual(try store.version(of: Entity("crate", id)), 1)
    try store.close()
    let history = try journal.history(Pier.self)
    expectEqual(try history.version(of: Entity("crate", id)), 1)
  }

  /// The keys of a type with one field.
  private func keys(
    _ type: FieldType = .unsigned, field: Int = 1, version: UInt32 = 1, absent: [UInt8] = []
  ) -> EntityKeys {
    let entry = EventDescriptor(
      7, "item.stored", version: version,
      body: MessageDescriptor("Stored", [FieldDescriptor(field, "item", type, .single, "what")]), meaning: "Stored.")
    var keys = EntityKeys()
    expectEqual(keys.add("item", by: ["item.stored": "item"], in: EventCatalog([entry]), { _ in absent }), [])
    return keys
  }

  @Test("A reference to nothing names no entity, and the number 0 does")
  func references() {
    func numbers(_ keys: EntityKeys, _ body: [UInt8]) -> [UInt64] {
      var numbers: [UInt64] = []
      body.withUnsafeBytes { keys.forEach(ofType: 7, in: $0) { numbers.append($0.low) } }
      return numbers
    }
    let reference = keys(.reference(ReferenceDescriptor("item", prefix: "i")))
    expectEqual([numbers(reference, [8, 0]), numbers(reference, [8, 5]), numbers(reference, [])], [[], [5], []])
    let number = keys(absent: [8, 0])
    expectEqual([numbers(number, [8, 0]), numbers(number, [])], [[0], [0]])
  }

  @Test("Whatever decides which events are about a kind tells its keys from others")
  func fingerprints() {
    var earlier = keys()
    earlier.addEarlier(keysOfEarlier)
    let all = [
      keys(), keys(field: 2), keys(version: 2), keys(absent: [8, 4]), keys(.guid),
      keys(.reference(ReferenceDescriptor("item", prefix: "i")), absent: [8, 4]), earlier,
    ]
    var fingerprints = Set(all.map { $0.fingerprint(ofKind: 0, revision: 1) })
    fingerprints.insert(keys().fingerprint(ofKind: 0, revision: 2))
    expectEqual(fingerprints.count, all.count + 1)
    expectEqual(Set(all.map { $0.fingerprint(revision: 1) }).count, all.count)
  }

  private var keysOfEarlier: EventCatalog {
    EventCatalog([EventDescriptor(7, "item.stored", body: MessageDescriptor("Stored", []), meaning: "Stored.")])
  }

  @Test("Versions whose entities are out of order are not used")
  func order() throws {
    let entityKeys = InnEvent.entityKeys
    func stored(_ ids: [UInt64]) -> EntityVersions? {
      var numbers = WireWriter()
      for id in ids { for number in [0, id, 7] { numbers.append(number: number) } }
      var writer = WireWriter()
      writer.write(
        1,
        message: {
          $0.write(1, string: "guest")
          $0.write(2, bytes: entityKeys.fingerprint(ofKind: 1, revision: 1))
          $0.write(3, bytes: numbers.bytes)
        })
      return EntityVersions(writer.bytes, entityKeys, revision: 1, upTo: 9, chain: 1)
    }
    expectEqual(stored([2, 3])?.versions.count, 2)
    #expect(stored([3, 2]) == nil && stored([2, 2]) == nil)
  }
}
