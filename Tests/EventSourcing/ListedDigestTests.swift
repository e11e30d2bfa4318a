import EventSourcing
import Expectations
import Journal
import Synchronization
import Testing
import WireFormat

/// What happens to rooms.
private enum Booking: EventList {
  case opened(room: UInt64 = 0), booked(room: UInt64 = 0, guest: String = "")

  static let types = EventTypes<Booking>("rooms", .opened(), .booked())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Booking {
    switch self {
    case .opened(let room): try list.event(1, "room.opened", .opened(room: list.field(1, "room", room)))
    case .booked(let room, let guest):
      try list.event(
        2, "room.booked", .booked(room: list.field(1, "room", room), guest: list.field(2, "guest", guest)))
    }
  }
}

private struct Room: TableRow, FieldTree {
  /// How many rows were encoded.
  static let encodedCount = Atomic<Int>(0)

  var key: UInt64 = 0
  var guest = ""

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ room: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &room.key, shown: false)
    try field(2, "guest", &room.guest)
  }

  func encode(into writer: inout WireWriter) {
    Self.encodedCount.add(1, ordering: .relaxed)
    var copy = self
    Self.visit(&copy, &writer)
  }
}

/// The rooms of one program. Programs differ in who writes the digests, and in the revision of the rules.
private protocol Rooms: Aggregate where Event == Booking {
  var count: UInt64 { get set }
  var rooms: StateTable<Room> { get set }
}

extension Rooms {
  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "count", &count)
    try field(2, "rooms", &rooms)
  }

  mutating func apply(_ event: Booking, _ context: EventContext) {
    count += 1
    switch event {
    case .opened(let room): rooms.set(Room(key: room))
    case .booked(let room, let guest): rooms.update(room) { $0.guest = guest }
    }
  }
}

/// Says nothing of digests.
private struct ListedRooms: Rooms {
  var count: UInt64 = 0
  var rooms = StateTable<Room>()
}

/// The same with later rules.
private struct LaterRooms: Rooms {
  var count: UInt64 = 0
  var rooms = StateTable<Room>()
  static let revision: UInt32 = 2
}

/// Records what programs recorded that said nothing, before field lists did.
private struct EarlierRooms: Rooms {
  var count: UInt64 = 0
  var rooms = StateTable<Room>()
  func digestSlice(_ index: Int, into writer: inout DigestWriter) { encodeSlice(index, into: &writer.fields) }
}

/// Names its table, as had to be done by hand.
private struct HandWrittenRooms: Rooms {
  var count: UInt64 = 0
  var rooms = StateTable<Room>()
  func digestSlice(_ index: Int, into writer: inout DigestWriter) {
    if index == 0 { writer.fields.write(1, unsigned: count) } else { writer.write(2, table: rooms) }
  }
}

@Suite("Digests that a field list says", .serialized)
struct ListedDigestTests {
  private let journal: TemporaryJournal

  init() throws { journal = try TemporaryJournal() }

  /// Appends so many bookings to a journal that a program opens or creates.
  private func go<Program: Rooms>(_ program: Program.Type, _ count: UInt64, storing: Bool = false) throws {
    let store =
      journal.files.isEmpty
      ? try EventStore<Program>.create(at: journal.path, journalID: TemporaryJournal.id, createdNanoseconds: 1)
      : try EventStore<Program>.open(at: journal.path)
    for number in 1...count {
      let room = store.lastSequence % 60 + 1
      let event: Booking =
        store.state.rooms[key: room] == nil ? .opened(room: room) : .booked(room: room, guest: "g\(number)")
      try store.append(event, at: .seconds(Int64(store.lastSequence) + 1))
    }
    if storing { try store.checkpoint() }
    try store.close()
  }

  /// How the digests were computed, in runs: `merkle 60, listed 5`.
  private func schemes<Program: Rooms>(_ program: Program.Type) throws -> String {
    var runs: [(scheme: StateDigest.Scheme?, count: Int)] = []
    var cursor = try History<Program>(at: journal.path).cursor()
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      let scheme = step.record.envelope.digest?.scheme
      if runs.last?.scheme == scheme { runs[runs.count - 1].count += 1 } else { runs.append((scheme, 1)) }
    }
    return runs.map { "\($0.scheme.map { "\($0)" } ?? "none") \($0.count)" }.joined(separator: ", ")
  }

  private func check<Program: Rooms>(_ program: Program.Type) throws -> CheckReport {
    try History<Program>(at: journal.path).check()
  }

  @Test("A new journal of a state that only lists its fields records them, and is opened from a checkpoint")
  func newDefault() throws {
    expectEqual(ListedRooms.digestScheme, .listed)
    try go(ListedRooms.self, 80, storing: true)
    try go(ListedRooms.self, 10)
    try expectEqual(schemes(ListedRooms.self), "listed 90")
    let report = try check(ListedRooms.self)
    #expect(report.mismatch == nil && report.digestsCompared == 90 && report.checkpointsCompared == 1)
    let store = try EventStore<ListedRooms>.open(at: journal.path)
    expectEqual(store.opening.checkpoint, 80)
    // The digest of an equal state without any history is the same.
    var state = ListedRooms()
    state.count = store.state.count
    state.rooms = StateTable(store.state.rooms.map { Room(key: $0.key, guest: $0.guest) }.reversed())
    expectEqual(StateDigest(of: state), StateDigest(of: store.state))
    expectEqual(report.stateDigest, StateDigest(of: store.state))
  }

  @Test("A journal of before goes on as it was, until the rules have another revision")
  func oldDefault() throws {
    expectEqual(EarlierRooms.digestScheme, .merkle)
    try go(EarlierRooms.self, 70, storing: true)
    try go(ListedRooms.self, 5)
    try expectEqual(schemes(ListedRooms.self), "merkle 75")
    var report = try check(ListedRooms.self)
    #expect(report.mismatch == nil && report.digestsCompared == 75 && report.checkpointsCompared == 1)
    try go(LaterRooms.self, 5)
    try go(LaterRooms.self, 5)
    try expectEqual(schemes(LaterRooms.self), "merkle 75, listed 10")
    report = try check(LaterRooms.self)
    #expect(report.mismatch == nil && report.digestsOfOtherRevisions == 75 && report.digestsCompared == 10)
  }

  @Test("Digests that a state writes itself stay as they are")
  func handWritten() throws {
    expectEqual(HandWrittenRooms.digestScheme, .merkle)
    try go(HandWrittenRooms.self, 90, storing: true)
    try expectEqual(schemes(HandWrittenRooms.self), "merkle 90")
    let report = try check(HandWrittenRooms.self)
    #expect(report.mismatch == nil && report.digestsCompared == 90)
  }

  @Test("A program that begins or stops to write its digests compares what it can, and says where they differ")
  func changedInTheMiddle() throws {
    // It steps back to a program that writes them: what the list said is compared all the same.
    try go(ListedRooms.self, 70)
    try go(HandWrittenRooms.self, 5)
    try expectEqual(schemes(HandWrittenRooms.self), "listed 70, merkle 5")
    #expect(try check(HandWrittenRooms.self).mismatch == nil)
    // Without it, the 13th field of large tables means something else: the first event that shows it is named.
    let mismatch = try #require(try check(ListedRooms.self).mismatch)
    expectEqual(mismatch.sequence, 71)
    // With another revision, none is compared.
    try go(LaterRooms.self, 3)
    #expect(try check(LaterRooms.self).mismatch == nil)
  }

  @Test("An append encodes no row but the one it changes, however many there are", arguments: [100, 10_000])
  func appendEncodesOneRow(count: UInt64) throws {
    var options = StoreOptions()
    options.keyframeInterval = 1_000_000
    options.journal.syncPolicy = .none
    let store = try EventStore<ListedRooms>.create(
      at: journal.path, journalID: TemporaryJournal.id, createdNanoseconds: 1, options: options)
    for room in 1...count { try store.append(.opened(room: room), at: .seconds(1)) }
    let before = Room.encodedCount.load(ordering: .relaxed)
    for room in 1...50 { try store.append(.booked(room: UInt64(room), guest: "g"), at: .seconds(1)) }
    expectEqual(Room.encodedCount.load(ordering: .relaxed) - before, 50)
  }
}
