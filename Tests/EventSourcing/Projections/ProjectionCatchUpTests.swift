import EventSourcing
import Expectations
import Journal
import Synchronization
import Testing
import WireFormat

/// How many events were folded, and something that shows when the state is copied.
private struct Trace: FieldTree, MachineState {
  var events: UInt64 = 0
  var bytes: [UInt8] = [0]

  static var blank: Trace { Trace() }

  static func visit<V: FieldVisitor>(_ trace: inout Trace, _ field: inout V) throws(V.Failure) {
    try field(1, "events", &trace.events)
    try field(2, "bytes", &trace.bytes)
  }

  /// Counts an event. Returns whether this copied the state.
  mutating func count() -> Bool {
    events += 1
    let before = bytes.withUnsafeBufferPointer(\.baseAddress)
    bytes[0] &+= 1
    return bytes.withUnsafeBufferPointer(\.baseAddress) != before
  }
}

/// Counts the copies of its state.
private enum Copied: Projection {
  typealias Domain = Shop
  static let name = "copied"
  static let copies = Mutex<[UInt64]>([])

  static func fold(_ event: ShopEvent, into trace: inout Trace, _ context: EventContext) {
    if trace.count() { copies.withLock { $0.append(context.sequence) } }
  }
}

/// Does something else when it comes to an event.
private enum Watched: Projection {
  typealias Domain = Shop
  static let name = "watched"
  static let watch = Mutex<(@Sendable (UInt64) -> Void)?>(nil)

  static func fold(_ event: ShopEvent, into trace: inout Trace, _ context: EventContext) {
    _ = trace.count()
    watch.withLock { $0 }?(context.sequence)
  }
}

/// Throws at some events, after it changed its state.
private enum Breaking: Projection {
  typealias Domain = Shop
  static let name = "breaking"
  /// The events at which it throws; of several, each only once it has thrown at the one before.
  static let breaks = Mutex<[UInt64]>([])
  /// The runs of events that it folded.
  static let folds = Mutex<[ClosedRange<UInt64>]>([])

  static func fold(_ event: ShopEvent, into trace: inout Trace, _ context: EventContext) throws {
    _ = trace.count()
    folds.withLock { runs in
      let event = context.sequence
      if let last = runs.last, last.upperBound + 1 == event {
        runs[runs.count - 1] = last.lowerBound...event
      } else {
        runs.append(event...event)
      }
    }
    let isBroken = breaks.withLock { breaks in
      guard breaks.first == context.sequence else { return false }
      if breaks.count > 1 { breaks.removeFirst() }
      return true
    }
    if isBroken { throw TableSink.Full() }
  }
}

/// Notes how many events share a transaction.
private enum Noted: RowProjection {
  typealias Domain = Shop
  typealias Sink = NotingSink
  static let name = "noted"

  static func write(_ event: ShopEvent, to count: inout Int, _ context: EventContext) { count += 1 }
}

private final class NotingSink: ProjectionSink {
  private let notes = Mutex<(counts: [Int], position: ProjectionPosition?)>(([], nil))

  var counts: [Int] { notes.withLock { $0.counts } }

  func position(of projection: String) -> ProjectionPosition? { notes.withLock { $0.position } }

  func transaction(
    of projection: String, after start: ProjectionPosition?, _ body: (inout Int) throws -> ProjectionPosition
  ) throws {
    var count = 0
    let position = try body(&count)
    notes.withLock { notes in
      notes.counts.append(count)
      notes.position = position
    }
  }
}

@Suite("Read models that are far behind", .serialized)
struct ProjectionCatchUpTests {
  private let journal: TemporaryJournal
  private let store: EventStore<Shop>

  /// Many batches of sales, written past the store, which is faster.
  init() throws {
    journal = try TemporaryJournal()
    let sale = ShopEvent.sold(article: "jam", cents: 1)
    try journal.shop([sale]).close()
    var envelope = Envelope(type: 1, at: .seconds(2))
    var (body, payload) = (WireWriter(), WireWriter())
    sale.encodeBody(into: &body)
    envelope.body = body.bytes
    envelope.encode(into: &payload)
    let writer = try JournalWriter.open(at: journal.path, options: JournalOptions(of: ShopEvent.self))
    for count in Array(repeating: 1_000, count: 16) + [499] {
      var batch = JournalBatch()
      for _ in 1...count { try batch.append(payload: payload.bytes, label: 2) }
      _ = try writer.append(&batch)
    }
    try writer.close()
    store = try journal.shop()
  }

  @Test("A model folds many batches into one state, and copies it only after it was served")
  func copies() throws {
    let projections = Projections(testing: store)
    Copied.copies.withLock { $0 = [] }
    let copied = try projections.add(Copied.self)
    projections.catchUp()
    expectEqual(Copied.copies.withLock { $0 }, [1, 4_097, 12_289])
    #expect(copied.state.events == 16_500 && copied.health.lag == 0)
    // Each of those that follow is served.
    for _ in 1...2 {
      try store.append(.sold(article: "jam", cents: 1), at: .seconds(20_000))
      projections.catchUp()
    }
    expectEqual(Copied.copies.withLock { $0 }, [1, 4_097, 12_289, 16_501, 16_502])
    try projections.rebuild("copied")
    expectEqual(copied.state.events, 16_502)
  }

  @Test("What is served while a model catches up is the state at its position, which health tells")
  func served() throws {
    let projections = Projections(testing: store)
    let watched = try projections.add(Watched.self)
    let seen = Mutex<[UInt64]>([])
    Watched.watch.withLock { watch in
      watch = { event in
        guard event % 2_750 == 0 else { return }
        let (version, health) = (watched.version, watched.health)
        #expect(version.state.events == version.sequence && health.position == version.sequence)
        #expect(health.lag == 16_500 - version.sequence && health.lastError == nil)
        seen.withLock { $0.append(version.sequence) }
      }
    }
    projections.catchUp()
    expectEqual(seen.withLock { $0 }, [0, 4_096, 4_096, 4_096, 12_288, 12_288])
    // The old state is served until the new one has come as far.
    seen.withLock { $0 = [] }
    Watched.watch.withLock { watch in
      watch = { event in if event % 8_250 == 0 { seen.withLock { $0.append(watched.version.sequence) } } }
    }
    try projections.rebuild("watched")
    expectEqual(seen.withLock { $0 }, [16_500, 16_500])
    Watched.watch.withLock { $0 = nil }
  }

  @Test("A fold that throws far from the last served state leaves the state before its event, and stops no other model")
  func breaking() throws {
    let projections = Projections(testing: store)
    let (breaking, other) = (
      try projections.add(Breaking.self, storage: .checkpoints()), try projections.add(Copied.self)
    )
    Breaking.breaks.withLock { $0 = [14_000] }
    for pass in 1...2 {
      Breaking.folds.withLock { $0 = [] }
      projections.catchUp()
      #expect(breaking.version.sequence == 13_999 && breaking.state.events == 13_999)
      #expect(breaking.state.bytes == [UInt8(truncatingIfNeeded: 13_999)] && other.state.events == 16_500)
      let health = breaking.health
      #expect(health.lastError?.event == 14_000 && health.lastError?.code == .fold && health.position == 13_999)
      // Those before it once more, from the state that was kept. Later only itself.
      expectEqual(Breaking.folds.withLock { $0 }, pass == 1 ? [1...14_000, 12_289...13_999] : [14_000...14_000])
    }
    // What is stored is the state before it.
    let again = try Projections(testing: store).add(Breaking.self, storage: .checkpoints())
    expectEqual(again.version.sequence, 13_999)
    Breaking.breaks.withLock { $0 = [] }
    projections.catchUp()
    #expect(breaking.state.events == 16_500 && breaking.health.lastError == nil)
    // While it is rebuilt, too.
    Breaking.breaks.withLock { $0 = [8_000] }
    try projections.rebuild("breaking")
    #expect(
      breaking.state.events == 16_500 && breaking.health.isRebuilding && breaking.health.lastError?.event == 8_000)
    Breaking.breaks.withLock { $0 = [] }
    projections.catchUp()
    #expect(breaking.state.events == 16_500 && !breaking.health.isRebuilding && breaking.health.lag == 0)
  }

  @Test("Rules that throw where they did not before leave the last state that was kept")
  func fickle() throws {
    let projections = Projections(testing: store)
    let breaking = try projections.add(Breaking.self)
    Breaking.breaks.withLock { $0 = [14_000, 13_000] }
    projections.catchUp()
    #expect(breaking.version.sequence == 12_288 && breaking.state.events == 12_288)
    expectEqual(breaking.health.lastError?.event, 13_000)
    Breaking.breaks.withLock { $0 = [] }
    projections.catchUp()
    #expect(breaking.state.events == 16_500 && breaking.health.lastError == nil)
  }

  @Test("Few large events are read at once, and many small ones share a transaction")
  func batches() throws {
    let article = String(repeating: "a", count: 300_000)
    for _ in 1...10 { try store.append(.sold(article: article, cents: 1), at: .seconds(20_000)) }
    let (projections, sink) = (Projections(testing: store), NotingSink())
    _ = try projections.add(Noted.self, into: sink)
    projections.catchUp()
    expectEqual(sink.counts, [4_096, 4_096, 4_096, 4_096, 120, 4, 2])
  }
}
