import EventSourcing
import Expectations
import Foundation
import Journal
import Synchronization
import Testing
import WireFormat

/// The names of customers: a model with personal data.
private enum Names: Projection {
  typealias Domain = Customers
  static let name = "names"

  static func fold(_ event: CustomerEvent, into state: inout CustomerState, _ context: EventContext) {
    Customers.reduce(into: &state, event, context)
  }

  static func initialState(from state: CustomerState, at sequence: UInt64) -> CustomerState? { state }
}

/// Takings that can begin with what the shop knows.
private enum Till: Projection {
  typealias Domain = Shop
  static let name = "till"

  static func fold(_ event: ShopEvent, into takings: inout Takings, _ context: EventContext) {
    if case .sold(_, let cents) = event { takings.cents += cents }
  }

  static func initialState(from shop: Shop, at sequence: UInt64) -> Takings? { Takings(cents: shop.cents) }
}

/// Takes no return.
private enum NoReturns: Projection {
  typealias Domain = Shop
  static let name = "no-returns"

  static func fold(_ event: ShopEvent, into takings: inout Takings, _ context: EventContext) throws {
    if case .returned = event { throw TableSink.Away() }
  }
}

/// Loses the connection while it writes.
private enum LosingRows: RowProjection {
  typealias Domain = Shop
  typealias Sink = TableSink
  static let name = "losing"

  static func write(_ event: ShopEvent, to rows: inout TableSink.Rows, _ context: EventContext) throws {
    throw SinkFailure(TableSink.Away())
  }
}

/// Counts events in a sink that does something else in each transaction.
private enum ObservedRows: RowProjection {
  typealias Domain = Shop
  typealias Sink = ObservedSink
  static let name = "observed"

  static func write(_ event: ShopEvent, to count: inout Int, _ context: EventContext) { count += 1 }
}

private final class ObservedSink: ProjectionSink {
  private let position = Mutex<ProjectionPosition?>(nil)
  private let inTransaction = Mutex<(@Sendable () -> Void)?>(nil)

  func duringNextTransaction(_ body: @escaping @Sendable () -> Void) { inTransaction.withLock { $0 = body } }

  func position(of projection: String) -> ProjectionPosition? { position.withLock { $0 } }

  func transaction(
    of projection: String, after start: ProjectionPosition?, _ body: (inout Int) throws -> ProjectionPosition
  ) throws {
    inTransaction.withLock { $0.take() }?()
    var count = 0
    let end = try body(&count)
    position.withLock { $0 = end }
  }
}

/// Does something before the next removal of a file.
private final class RemovalHook: ForwardingFileSystem {
  let base: any FileSystem = PosixFileSystem()
  private let body = Mutex<(@Sendable () -> Void)?>(nil)

  func beforeNextRemoval(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

  func remove(_ path: String) throws(FileSystemError) {
    body.withLock { $0.take() }?()
    try base.remove(path)
  }
}

/// Does something on another thread, and waits for it a while.
private final class Aside: Sendable {
  private let isDone = Atomic(false)

  func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    Thread.detachNewThread {
      body()
      self.isDone.store(true, ordering: .releasing)
    }
    return wait()
  }

  func wait(seconds: Double = 1) -> Bool {
    for _ in 0..<Int(seconds * 100) where !isDone.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.01) }
    return isDone.load(ordering: .acquiring)
  }
}

@Suite("Read models when something goes wrong")
struct ProjectionFailureTests {
  private let journal: TemporaryJournal
  private let store: EventStore<Shop>

  /// Forty sales in small segments.
  init() throws {
    journal = try TemporaryJournal()
    store = try journal.shop(
      Array(repeating: .sold(article: "jam", cents: 10), count: 40), segmentSizeLimit: 1 << 10)
  }

  @Test("A device that fails now is an error, and no reason to take what is stored for that of another history")
  func device() throws {
    let (sink, files) = (TableSink(), HookedFileSystem())
    let first = Projections(testing: store)
    _ = try first.add(TakingsProjection.self, storage: .checkpoints(every: 1))
    _ = try first.add(ArticleRows.self, into: sink)
    first.catchUp()
    try store.close()
    // A row that is gone once all are written again.
    sink.change(ArticleRows.name) { _ in }
    let segment = try #require(journal.files.last { $0.hasSuffix(".seg") })
    let again = try EventStore<Shop>.open(at: journal.path, fileSystem: files)
    var failures = (models: 0, rows: 0)
    for reads in 0..<8 {
      let models = Projections(testing: again)
      files.failReading(segment, after: reads)
      do throws(ProjectionError) {
        expectEqual(try models.add(TakingsProjection.self, storage: .checkpoints(every: 1)).version.sequence, 40)
      } catch {
        expectEqual(error.code, .events)
        failures.models += 1
      }
      let rows = try models.add(ArticleRows.self, into: sink)
      files.failReading(segment, after: reads)
      models.catchUp()
      if let error = rows.health.lastError {
        expectEqual(error.code, .events)
        failures.rows += 1
      }
      files.failReading(nil)
      models.catchUp()
      #expect(rows.health.lastError == nil && rows.health.lag == 0)
      expectEqual(sink.rows(of: ArticleRows.name)["of others"], 1, "after \(reads) reads")
    }
    #expect(failures.models > 1 && failures.rows > 1 && failures.models < 8 && failures.rows < 8)

    let models = Projections(testing: again)
    files.failOpening("takings.projection")
    let error = #expect(throws: ProjectionError.self) {
      try models.add(TakingsProjection.self, storage: .checkpoints(every: 1))
    }
    expectEqual(error?.code, .file)
    expectEqual(
      error?.description,
      "the projection takings cannot read its state in \(journal.path)/takings.projection: open: the device reported an error;"
        + " check the disk and the permissions, then try again")
    files.failOpening("")
    expectEqual(try models.add(TakingsProjection.self, storage: .checkpoints(every: 1)).version.sequence, 40)
    try again.close()
  }

  @Test("Keys that cannot be read now erase no person of a stored state")
  func lockedKeys() throws {
    let (journal, keys) = (try TemporaryJournal(), TestKeys())
    let store = try journal.create(Customers.self) { $0.sealing = keys.sealing }
    try store.append(.greet("Grace"), at: .seconds(1))
    let first = Projections(testing: store)
    _ = try first.add(Names.self, storage: .checkpoints(every: 1))
    first.catchUp()
    let second = Projections(testing: store)
    keys.fail(true)
    let locked = #expect(throws: ProjectionError.self) {
      try second.add(Names.self, storage: .checkpoints(every: 1))
    }
    expectEqual(locked?.code, .keys)
    expectEqual(
      locked?.description,
      "the projection names cannot open its personal data: the keys cannot be read; try again once the keys can be read"
    )
    keys.fail(false)
    let names = try second.add(Names.self, storage: .checkpoints(every: 1))
    expectEqual(names.state.customers.first?.name, "Grace")
  }

  @Test("The domain's state that a model begins with has its personal data opened")
  func openedStart() throws {
    let (journal, keys) = (try TemporaryJournal(), TestKeys())
    let store = try journal.create(Customers.self) {
      $0.sealing = keys.sealing
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    try store.append(.greet("Grace"), at: .seconds(1))
    for second in 2...60 { try store.append(.deposit("Grace", 5), at: .seconds(Int64(second))) }
    try #expect(store.retire(before: 40, keepingStates: true) > 2)
    let names = try Projections(testing: store).add(Names.self)
    expectEqual(names.state.customers.first?.name, "Grace")
  }

  @Test("A model that is added while events are retired begins after them")
  func addedMeanwhile() throws {
    try store.close()
    let files = RemovalHook()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: files)
    let projections = Projections(testing: store)
    let added = Mutex<ReadModel<Till>?>(nil)
    let aside = Aside()
    files.beforeNextRemoval {
      _ = aside.run {
        let till = try? projections.add(Till.self)
        added.withLock { $0 = till }
      }
    }
    try #expect(store.retire(before: 30, keepingStates: true) > 1)
    try #require(aside.wait(seconds: 600))
    projections.catchUp()
    let till = try #require(added.withLock { $0 })
    #expect(till.state.cents == 400 && till.health.lag == 0 && till.health.lastError == nil)
  }

  @Test("Neither commands nor health wait for a sink, also while events are retired")
  func waitingForNoSink() throws {
    let (projections, sink) = (Projections(testing: store), ObservedSink())
    _ = try projections.add(ObservedRows.self, into: sink)
    let (appended, asked) = (Aside(), Aside())
    let wasFast = Atomic(0)
    sink.duringNextTransaction { [store] in
      if appended.run({ _ = try? store.append(.sold(article: "jam", cents: 10), at: .seconds(50)) }) {
        wasFast.wrappingAdd(1, ordering: .relaxed)
      }
      if asked.run({ _ = projections.health }) { wasFast.wrappingAdd(1, ordering: .relaxed) }
    }
    try #expect(store.retire(before: 30, keepingStates: true) > 1)
    #expect(appended.wait(seconds: 600) && asked.wait(seconds: 600))
    expectEqual(wasFast.load(ordering: .relaxed), 2)
  }

  @Test("What fails again and again has failed since the first time")
  func failingSince() throws {
    let second = Atomic(Int64(60))
    let sink = TableSink()
    let projections = Projections(store, now: { .seconds(second.load(ordering: .relaxed)) })
    let rows = try projections.add(ArticleRows.self, into: sink)
    projections.catchUp()
    try store.append(.returned(article: "jam", cents: 10), at: .seconds(50))
    let strict = try projections.add(NoReturns.self)
    sink.setFull(true)
    for pass in 1...3 {
      projections.catchUp()
      #expect(rows.health.failingSince == .seconds(60) && strict.health.failingSince == .seconds(60))
      expectEqual(strict.health.position, 40)
      second.wrappingAdd(10, ordering: .relaxed)
      // It has events of its own to take.
      if pass == 2 { _ = try projections.add(TakingsProjection.self) }
    }
    sink.setFull(false)
    projections.catchUp()
    #expect(rows.health.failingSince == nil && rows.health.lastError == nil && rows.health.lag == 0)
  }

  @Test("A state that is not read back replaces no events")
  func unreadableBase() throws {
    try store.close()
    let files = HookedFileSystem()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: files)
    let projections = Projections(testing: store)
    _ = try projections.add(TakingsProjection.self)
    files.failOpening("takings.base")
    let error = #expect(throws: HistoryError.self) { try store.retire(before: 30, keepingStates: true) }
    expectEqual(
      error?.message,
      "the projection takings has a state that could not be read again from \(journal.path)/takings.base")
    try expectEqual(History<Shop>(at: journal.path).firstSequence, 1)
  }

  @Test("A stored position beyond all events, or a chain that no journal has, is not used")
  func hostilePositions() throws {
    let first = Projections(testing: store)
    _ = try first.add(TakingsProjection.self, storage: .checkpoints(every: 1))
    first.catchUp()
    let bytes = try journal.contents("takings.projection")
    for isChain in [false, true] {
      let forged = try WireReader.decode(bytes) { (reader) throws(WireError) in
        var writer = WireWriter()
        while let field = try reader.nextField() {
          switch field.number {
          case 2:
            let sequence = try reader.unsigned(field)
            writer.write(2, unsigned: isChain ? sequence : .max)
          case 3: writer.write(3, unsigned: try reader.unsigned(field) + (isChain ? 1 << 32 : 0))
          case 1, 4: writer.write(field.number, bytes: try reader.bytes(field))
          default: try reader.skip(field)
          }
        }
        writer.write(5, bytes: Digest.sha256(writer.bytes).bytes)
        return writer.bytes
      }
      try journal.write(forged, to: "takings.projection")
      let takings = try Projections(testing: store).add(TakingsProjection.self, storage: .checkpoints())
      expectEqual(takings.version.sequence, 0)
    }
  }

  @Test("A state that cannot be stored is told, and tried again after another interval")
  func failingSave() throws {
    try store.close()
    let files = HookedFileSystem()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: files)
    let projections = Projections(testing: store)
    let takings = try projections.add(TakingsProjection.self, storage: .checkpoints(every: 2))
    files.failNextWrite(28)
    projections.catchUp()
    #expect(takings.health.lastError == nil && takings.health.lag == 0)
    expectEqual(takings.health.savingError?.message, "cannot store its state: write: no space left on the device")
    for isDue in [false, true] {
      try store.append(.sold(article: "jam", cents: 10), at: .seconds(50))
      projections.catchUp()
      #expect(journal.files.contains("takings.projection") == isDue && (takings.health.savingError == nil) == isDue)
    }
    try store.append(.sold(article: "jam", cents: 10), at: .seconds(50))
    projections.catchUp()
    files.failNextWrite(28)
    let error = #expect(throws: ProjectionError.self) { try projections.save() }
    expectEqual(error?.code, .file)
    try projections.save()
  }

  @Test("A model that is up to date lets events go, though what was kept of earlier ones is damaged")
  func damagedBase() throws {
    let projections = Projections(testing: store)
    let takings = try projections.add(TakingsProjection.self, storage: .checkpoints(every: 1))
    let first = try store.retire(before: 15, keepingStates: true)
    try #require(first > 1)
    try journal.write([1, 2, 3], to: "takings.base")
    for _ in 1...60 { try store.append(.sold(article: "jam", cents: 10), at: .seconds(50)) }
    // The state at event 40 is stored, and that of event 100 is served.
    try #expect(store.retire(before: 90, keepingStates: true) > first)
    try projections.rebuild("takings")
    #expect(takings.state.sales == 100)
  }

  @Test("Rows that another program wrote meanwhile are not written again")
  func twoWriters() throws {
    let (old, new, sink) = (Projections(testing: store), Projections(testing: store), TableSink())
    let rows = try old.add(ArticleRows.self, into: sink)
    _ = try new.add(ArticleRows.self, into: sink)
    old.catchUp()
    new.catchUp()
    try store.append(.sold(article: "jam", cents: 10), at: .seconds(50))
    new.catchUp()
    old.catchUp()
    expectEqual(sink.rows(of: "articles"), ["jam": 41])
    expectEqual(rows.health.lastError?.code, .moved)
    expectEqual(
      rows.health.lastError?.description,
      "the projection articles does not write over the rows of another program: they are those after event 41, not 40, or"
        + " of another history; it goes on from these; let one program at a time write them")
    old.catchUp()
    #expect(rows.health.lag == 0 && rows.health.lastError == nil && sink.rows(of: "articles") == ["jam": 41])
  }

  @Test("Rows of another history have no position, and a lost connection is no event's fault")
  func causes() throws {
    let (first, sink) = (Projections(testing: store), TableSink())
    _ = try first.add(ArticleRows.self, into: sink)
    first.catchUp()
    sink.change("articles") { $0?.chain ^= 1 }
    sink.setFull(true)
    let projections = Projections(testing: store)
    let rows = try projections.add(ArticleRows.self, into: sink)
    let losing = try projections.add(LosingRows.self, into: sink)
    projections.catchUp()
    #expect(rows.health.position == nil && rows.health.lag == nil && rows.health.isRebuilding)
    #expect(rows.health.lastError?.code == .sink && losing.health.lastError?.code == .sink)
    expectEqual("\(ProjectionError.Code.sink)", "sink")
  }
}
