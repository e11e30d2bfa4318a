import EventSourcing
import Expectations
import RoomsDomain
import Testing

@Suite("Keyframes of a large state, written by one store after another")
struct LargeKeyframeTests {
  @Test("A store goes on where the one before left off, and does not begin with the whole state")
  func sessions() throws {
    let journal = try TemporaryJournal()
    func open() throws -> EventStore<House> {
      try journal.open(House.self) { $0.keyframeInterval = 512 }
    }
    func append(_ rooms: ClosedRange<UInt64>, to store: EventStore<House>) throws {
      for room in rooms { try store.append(.opened(room: room, beds: 2), at: Moment(wallNanoseconds: Int64(room))) }
    }
    let first = try journal.create(House.self) { $0.keyframeInterval = 512 }
    try append(1...4_000, to: first)
    try first.close()
    let written = try journal.contents("KEYFRAMES").count
    #expect(written > 4_096)
    for session in 0..<3 {
      let store = try open()
      // Enough to pass a multiple of the interval.
      let start = UInt64(10_000 + 1_000 * session)
      try append(start...start + 299, to: store)
      try store.close()
    }
    let history = try History<House>(at: journal.path)
    let file = try #require(try history.reader.keyframes())
    var places: [(sequence: UInt64, length: Int)] = []
    var step = file.next(after: nil)
    while case .entry(let found)? = step {
      places.append((found.sequence, found.bodyLength))
      step = file.next(after: step)
    }
    for (one, next) in zip(places, places.dropFirst()) {
      // They are written at multiples of the interval.
      #expect(16 * (next.sequence - one.sequence + 512) >= UInt64(max(0, one.length - 4_096)), "\(places)")
    }
    #expect(try history.check().isSound)
  }
}
