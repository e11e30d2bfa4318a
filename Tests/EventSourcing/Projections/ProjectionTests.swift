import EventSourcing
import Expectations
import Foundation
import Journal
import Synchronization
import Testing

/// What keeps a projection of the tests from taking an event.
private struct Unfit: Error, CustomStringConvertible {
  let description = "it does not fit"
}

/// Takes no return as long as it is broken, and changes its state before it says so.
private enum Brittle: Projection {
  typealias Domain = Shop
  static let name = "brittle"
  static let isBroken = Atomic(true)

  static func fold(_ event: ShopEvent, into takings: inout Takings, _ context: EventContext) throws {
    takings.sales += 1
    if case .returned = event, isBroken.load(ordering: .relaxed) { throw Unfit() }
  }
}

/// The same into rows.
private enum BrittleRows: RowProjection {
  typealias Domain = Shop
  typealias Sink = TableSink
  static let name = "brittle-rows"
  static let isBroken = Atomic(true)

  static func write(_ event: ShopEvent, to rows: inout TableSink.Rows, _ context: EventContext) throws {
    rows["events", default: 0] += 1
    if case .returned = event, isBroken.load(ordering: .relaxed) { throw Unfit() }
  }
}

/// The takings by later rules: returns count, too.
private enum NetTakings: Projection {
  typealias Domain = Shop
  static let name = "takings"
  static let revision: UInt32 = 2

  static func fold(_ event: ShopEvent, into takings: inout Takings, _ context: EventContext) {
    switch event {
    case .sold(_, let cents): takings.cents += cents
    case .returned(_, let cents): takings.cents -= cents
    }
    takings.sales += 1
  }
}

/// Counts what it folds.
private enum Counted: Projection {
  typealias Domain = Shop
  static let name = "counted"
  static let folds = Atomic(0)

  static func fold(_ event: ShopEvent, into takings: inout Takings, _ context: EventContext) {
    folds.wrappingAdd(1, ordering: .relaxed)
    takings.sales += 1
  }
}

private enum BadName: Projection {
  typealias Domain = Shop
  static let name = "../takings"

  static func fold(_ event: ShopEvent, into takings: inout Takings, _ context: EventContext) {}
}

@Suite("Read models")
struct ProjectionTests {
  /// Three sales and a return, the third event.
  private static let events: [ShopEvent] = [
    .sold(article: "tea", cents: 250), .sold(article: "cup", cents: 900), .returned(article: "cup", cents: 900),
    .sold(article: "tea", cents: 250),
  ]

  @Test("A position is a text that reads back, and other texts are refused")
  func positionText() throws {
    let journal = try #require(JournalID("0b5f4c8e-0000-4000-8000-00000000002a"))
    let position = ProjectionPosition(sequence: 12, chain: 4_294_967_295, revision: 2, journal: journal)
    expectEqual(position.description, "12 4294967295 2 0b5f4c8e-0000-4000-8000-00000000002a")
    expectEqual(ProjectionPosition(position.description), position)
    for text in ["", "12 4294967296 2 \(journal)", "12 1 2", "12 1 2 \(journal) ", "-1 1 2 \(journal)", "12 1 2 none"] {
      #expect(ProjectionPosition(text) == nil, "\(text)")
    }
  }

  @Test("A model without events has its initial state, and is not behind")
  func empty() throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop()
    let (projections, sink) = (Projections(testing: store), TableSink())
    let takings = try projections.add(TakingsProjection.self, storage: .checkpoints())
    _ = try projections.add(ArticleRows.self, into: sink)
    projections.catchUp()
    try projections.rebuild("takings")
    try projections.rebuild("articles")
    try projections.save()
    expectEqual(takings.state, Takings())
    for health in projections.health {
      #expect(health.position == 0 && health.lag == 0 && !health.isRebuilding && health.lastError == nil)
    }
    #expect(!journal.files.contains("takings.projection") && sink.rows(of: "articles").isEmpty)
  }

  @Test("How a model is doing is known while it lets go of an earlier state")
  func healthMeanwhile() throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop(Self.events)
    let projections = Projections(testing: store)
    let watched = try projections.add(WatchedProjection.self)
    projections.catchUp()
    let answers = Mutex((asked: 0, known: 0))
    Watched.Part.atEnd.withLock { atEnd in
      atEnd = {
        let gate = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          _ = watched.health
          gate.signal()
        }
        let isKnown = gate.wait(timeout: .now() + 300) == .success
        answers.withLock { $0 = ($0.asked + 1, $0.known + (isKnown ? 1 : 0)) }
      }
    }
    for _ in 0..<3 {
      try store.append(.sold(article: "pot", cents: 1), at: .seconds(9))
      projections.catchUp()
    }
    Watched.Part.atEnd.withLock { $0 = nil }
    let (asked, known) = answers.withLock { $0 }
    #expect(asked > 0 && known == asked, "\(known) of \(asked)")
    try store.close()
  }

  @Test("Models catch up at opening, each from where it is, and what is served says of which event it is")
  func catchingUp() throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop(Self.events)
    let (projections, sink) = (Projections(testing: store), TableSink())
    let takings = try projections.add(TakingsProjection.self)
    #expect(takings.version.sequence == 0 && takings.health.lag == 4)
    projections.catchUp()
    #expect(takings.state == Takings(cents: 1_400, sales: 3) && takings.version.sequence == 4)
    #expect(takings.withState { $0.sales } == 3)
    _ = try projections.add(ArticleRows.self, into: sink)
    try store.append(.sold(article: "pot", cents: 2_000), at: .seconds(9))
    let health = projections.catchUp()
    expectEqual(health.map(\.position), [5, 5])
    expectEqual(takings.state, Takings(cents: 3_400, sales: 4))
    expectEqual(sink.rows(of: "articles"), ["tea": 2, "cup": 0, "pot": 1])
  }

  @Test("Four models read the journal in one pass, as one does")
  func onePass() throws {
    let journal = try TemporaryJournal()
    try journal.shop(Array(repeating: .sold(article: "tea", cents: 1), count: 5_000)).close()
    let files = CountingFileSystem(PosixFileSystem())
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    let store = try EventStore<Shop>.open(at: journal.path, options: options, fileSystem: files)
    func reads(_ add: (Projections<Shop>) throws -> Void) rethrows -> Int {
      let projections = Projections(testing: store)
      try add(projections)
      let before = files.reads
      let positions = projections.catchUp().map(\.position)
      #expect(positions.allSatisfy { $0 == 5_000 } && !positions.isEmpty)
      return files.reads - before
    }
    let one = try reads { _ = try $0.add(TakingsProjection.self) }
    let four = try reads { projections in
      _ = try projections.add(TakingsProjection.self)
      _ = try projections.add(Counted.self)
      _ = try projections.add(ArticleRows.self, into: TableSink())
      _ = try projections.add(Brittle.self)
    }
    // The rows ask where their position is.
    #expect(one > 5 && four <= one + one / 2 + 4, "\(four) reads of four, \(one) of one")
  }

  @Test("A fold that throws moves no position, changes nothing, and stops no other model")
  func failingFold() throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop(Self.events)
    let (projections, sink) = (Projections(testing: store), TableSink())
    let brittle = try projections.add(Brittle.self)
    let rows = try projections.add(BrittleRows.self, into: sink)
    let takings = try projections.add(TakingsProjection.self)
    for _ in 1...2 {
      projections.catchUp()
      #expect(brittle.state.sales == 2 && sink.rows(of: "brittle-rows") == ["events": 2] && takings.state.sales == 3)
      for health in [brittle.health, rows.health] {
        #expect(health.position == 2 && health.lag == 2 && health.failingSince == .seconds(7))
        expectEqual(health.lastError?.event, 3)
        expectEqual(
          health.lastError?.description,
          "the projection \(health.name) could not take event 3: it does not fit; it is tried again; if its rules are at"
            + " fault, correct them and raise its revision")
      }
    }
    Brittle.isBroken.store(false, ordering: .relaxed)
    BrittleRows.isBroken.store(false, ordering: .relaxed)
    projections.catchUp()
    #expect(brittle.state.sales == 4 && sink.rows(of: "brittle-rows") == ["events": 4])
    for health in [brittle.health, rows.health] {
      #expect(health.lag == 0 && health.lastError == nil && health.failingSince == nil)
    }
  }

  @Test("A sink that was away for a minute is written to again by itself, and the others went on")
  func awaySink() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop(Self.events)
    let second = Atomic(Int64(60))
    let sink = TableSink()
    let projections = Projections(store, now: { .seconds(second.load(ordering: .relaxed)) })
    let takings = try projections.add(TakingsProjection.self)
    let rows = try projections.add(ArticleRows.self, into: sink)
    sink.setAway(true)
    let following = Task {
      await projections.follow {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
    await waitUntil { takings.health.lag == 0 && rows.health.lastError != nil }
    second.store(90, ordering: .relaxed)
    try store.append(.sold(article: "pot", cents: 2_000), at: .seconds(9))
    await waitUntil { takings.health.position == 5 }
    second.store(120, ordering: .relaxed)
    #expect(rows.health.position == nil && rows.health.lag == nil && rows.health.failingSince == .seconds(60))
    expectEqual(
      rows.health.lastError?.description,
      "the projection articles cannot reach its sink: no connection; it goes on by itself once the sink is back")
    sink.setAway(false)
    await waitUntil { rows.health.lag == 0 }
    #expect(rows.health.lastError == nil && rows.health.failingSince == nil)
    expectEqual(sink.rows(of: "articles"), ["tea": 2, "cup": 0, "pot": 1])
    following.cancel()
    await following.value
    try store.close()
  }

  @Test("Models follow what is appended until the store is closed")
  func following() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop()
    let projections = Projections(testing: store)
    let takings = try projections.add(TakingsProjection.self)
    let following = Task {
      await projections.follow { try await Task.sleep(for: .seconds(3_600)) }
    }
    for count in 1...20 {
      try store.append(.sold(article: "tea", cents: 1), at: .seconds(1))
      await waitUntil { takings.state.sales == count }
    }
    try store.close()
    await following.value
    expectEqual(takings.health.lag, 0)
  }

  @Test("An event that cannot be read stops each model that comes to it, and no other")
  func unreadable() throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop(Self.events)
    let (projections, sink) = (Projections(testing: store), TableSink())
    let rows = try projections.add(ArticleRows.self, into: sink)
    projections.catchUp()
    var cursor = try JournalReader(path: journal.path).cursor(after: 2)
    guard case .event(let event)? = try cursor.next() else {
      Issue.record("event 3 is missing")
      return
    }
    let (file, place) = (event.file, event.offset + 17)
    try journal.damage(file, at: place)
    try store.append(.sold(article: "pot", cents: 2_000), at: .seconds(9))
    let takings = try projections.add(TakingsProjection.self)
    projections.catchUp()
    #expect(rows.health.lag == 0 && sink.rows(of: "articles") == ["tea": 2, "cup": 0, "pot": 1])
    #expect(takings.health.position == 2 && takings.state.sales == 2 && takings.health.lastError?.event == 3)
    expectEqual(
      takings.health.lastError?.description,
      "the projection takings cannot read the events: the journal is damaged after event 2; verify the journal, and restore"
        + " it from a copy if it is damaged")
    try journal.damage(file, at: place)
    projections.catchUp()
    #expect(takings.health.lag == 0 && takings.health.lastError == nil && takings.state.sales == 4)
  }

  @Test("A transaction whose answer was lost is not repeated: rows and position are those of the sink")
  func lostAnswer() throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop(Self.events)
    let (projections, sink) = (Projections(testing: store), TableSink())
    let rows = try projections.add(ArticleRows.self, into: sink)
    sink.loseNextAnswer()
    projections.catchUp()
    #expect(rows.health.lastError != nil && sink.rows(of: "articles") == ["tea": 2, "cup": 0])
    projections.catchUp()
    #expect(rows.health.lastError == nil && rows.health.lag == 0 && sink.rows(of: "articles") == ["tea": 2, "cup": 0])
  }

  @Test("Rows of another revision or another history are written again, and only then replaced")
  func otherRows() throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop(Self.events)
    let sink = TableSink()
    let changes: [@Sendable (inout ProjectionPosition?) -> Void] = [
      { $0?.revision = 9 }, { $0?.chain ^= 1 }, { $0?.journal = .none }, { $0?.sequence = 99 },
    ]
    for change in changes {
      let first = Projections(testing: store)
      _ = try first.add(ArticleRows.self, into: sink)
      first.catchUp()
      sink.change("articles", change)
      let projections = Projections(testing: store)
      let rows = try projections.add(ArticleRows.self, into: sink)
      projections.catchUp()
      #expect(sink.rows(of: "articles") == ["tea": 2, "cup": 0] && rows.health.lag == 0 && !rows.health.isRebuilding)
    }
  }

  @Test("Rebuilding twice gives the same, and the old rows are there until the new ones are")
  func rebuilding() throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop(Self.events)
    let (projections, sink) = (Projections(testing: store), TableSink())
    let takings = try projections.add(TakingsProjection.self)
    let rows = try projections.add(ArticleRows.self, into: sink)
    let brittle = try projections.add(BrittleRebuild.self, into: sink)
    projections.catchUp()
    for _ in 1...2 {
      try projections.rebuild("takings")
      try projections.rebuild("articles")
      #expect(takings.state == Takings(cents: 1_400, sales: 3) && takings.health.lag == 0)
      #expect(sink.rows(of: "articles") == ["tea": 2, "cup": 0] && rows.health.lag == 0)
    }
    let old = sink.rows(of: "rebuilt")
    expectEqual(old, ["events": 4])
    BrittleRebuild.isBroken.store(true, ordering: .relaxed)
    try projections.rebuild("rebuilt")
    #expect(brittle.health.isRebuilding && brittle.health.lastError?.event == 3 && brittle.health.position == 4)
    expectEqual(sink.rows(of: "rebuilt"), old)
    BrittleRebuild.isBroken.store(false, ordering: .relaxed)
    projections.catchUp()
    #expect(!brittle.health.isRebuilding && sink.rows(of: "rebuilt") == old)
    #expect(throws: ProjectionError.self) { try projections.rebuild("none") }
  }

  @Test("The old state is served as long as the new one has not come as far")
  func rebuildingState() throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop(Self.events)
    let projections = Projections(testing: store)
    let model = try projections.add(BrittleState.self)
    projections.catchUp()
    BrittleState.isBroken.store(true, ordering: .relaxed)
    try projections.rebuild("rebuilt-state")
    #expect(model.health.isRebuilding && model.health.lastError?.event == 3)
    #expect(model.state.sales == 4 && model.health.position == 4)
    BrittleState.isBroken.store(false, ordering: .relaxed)
    projections.catchUp()
    #expect(!model.health.isRebuilding && model.state.sales == 4)
  }

  @Test("A program begins with the stored state, and that of an earlier revision is served until it is replaced")
  func checkpoints() throws {
    let journal = try TemporaryJournal()
    var store = try journal.shop(Self.events)
    var projections = Projections(testing: store)
    let counted = try projections.add(Counted.self, storage: .checkpoints())
    _ = try projections.add(TakingsProjection.self, storage: .checkpoints(every: 4))
    projections.catchUp()
    // Every four events, or when asked for.
    #expect(journal.files.contains("takings.projection") && !journal.files.contains("counted.projection"))
    try projections.save()
    #expect(journal.files.contains("counted.projection") && counted.state.sales == 4)
    try store.close()

    store = try journal.shop([.sold(article: "pot", cents: 2_000)])
    Counted.folds.store(0, ordering: .relaxed)
    projections = Projections(testing: store)
    let again = try projections.add(Counted.self, storage: .checkpoints())
    let net = try projections.add(NetTakings.self, storage: .checkpoints())
    #expect(again.state.sales == 4 && again.health.lag == 1)
    #expect(net.state == Takings(cents: 1_400, sales: 3) && net.health.isRebuilding && net.health.position == 4)
    projections.catchUp()
    #expect(again.state.sales == 5 && Counted.folds.load(ordering: .relaxed) == 1)
    #expect(net.state == Takings(cents: 2_500, sales: 5) && !net.health.isRebuilding)
    try projections.save()
    try store.close()
    let check = try History<Shop>(at: journal.path)
    #expect(try check.check().isSound && check.reader.verify().isSound)
  }

  @Test("A stored state that is damaged or of another journal is not used", arguments: [0, 40, 120])
  func damagedState(place: Int) throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop(Self.events)
    let first = Projections(testing: store)
    _ = try first.add(TakingsProjection.self, storage: .checkpoints(every: 1))
    first.catchUp()
    var bytes = try journal.contents("takings.projection")
    try #require(place < bytes.count)
    bytes[place] ^= 0xFF
    try journal.write(bytes, to: "takings.projection")
    let projections = Projections(testing: store)
    let takings = try projections.add(TakingsProjection.self, storage: .checkpoints(every: 1))
    expectEqual(takings.version.sequence, 0)
    projections.catchUp()
    expectEqual(takings.state, Takings(cents: 1_400, sales: 3))

    let other = try TemporaryJournal()
    let otherStore = try EventStore<Shop>.create(
      at: other.path, journalID: JournalID(bytes: [UInt8](repeating: 7, count: 16)) ?? .none, createdNanoseconds: 1)
    try journal.copy("takings.projection", to: other)
    let copied = try Projections(testing: otherStore).add(TakingsProjection.self, storage: .checkpoints())
    expectEqual(copied.state, Takings())
    try otherStore.close()
  }

  @Test("A state that cannot be stored is tried again later, and serves all the same")
  func unstorable() throws {
    let journal = try TemporaryJournal()
    let files = HookedFileSystem()
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    let store = try EventStore<Shop>.create(
      at: journal.path, journalID: TemporaryJournal.id, createdNanoseconds: 1, options: options, fileSystem: files)
    for event in Self.events { try store.append(event, at: .seconds(1)) }
    let projections = Projections(testing: store)
    let takings = try projections.add(TakingsProjection.self, storage: .checkpoints(every: 1))
    files.failNextWrite(28)
    projections.catchUp()
    #expect(takings.state.sales == 3 && !journal.files.contains("takings.projection"))
    try projections.save()
    #expect(journal.files.contains("takings.projection"))
  }

  @Test("A name that is no file's, one that was added before, and another program's state are refused")
  func refusals() throws {
    let journal = try TemporaryJournal()
    let store = try journal.shop(Self.events)
    let projections = Projections(testing: store)
    _ = try projections.add(TakingsProjection.self)
    let bad = #expect(throws: ProjectionError.self) { try projections.add(BadName.self) }
    expectEqual(bad?.projection, #""../takings""#)
    expectEqual(bad?.message, "has a name that is not 1 to 63 lower-case letters, digits, dots and hyphens")
    let repeated = #expect(throws: ProjectionError.self) { try projections.add(NetTakings.self) }
    expectEqual(
      repeated?.description, "the projection takings has been added already; use the model that was returned")
    let unknown = #expect(throws: ProjectionError.self) { try projections.rebuild("none") }
    expectEqual(unknown?.description, "the projection none has not been added; add it first")
    // A read model says so: another state of the domain's reducer is still none.
    #expect(throws: HistoryError.unknownSlice(sequence: 1, name: "cents")) {
      try History<SalesOnly>(at: journal.path).state(at: .end)
    }
  }
}

/// Another reducer over the shop's events.
private struct SalesOnly: Aggregate {
  var sales: UInt64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "sales", &sales) }
  mutating func apply(_ event: ShopEvent, _ context: EventContext) { sales += 1 }
}

/// A state that is broken only when a test says so.
private enum BrittleState: Projection {
  typealias Domain = Shop
  static let name = "rebuilt-state"
  static let isBroken = Atomic(false)

  static func fold(_ event: ShopEvent, into takings: inout Takings, _ context: EventContext) throws {
    if case .returned = event, isBroken.load(ordering: .relaxed) { throw Unfit() }
    takings.sales += 1
  }
}

/// The same as rows.
private enum BrittleRebuild: RowProjection {
  typealias Domain = Shop
  typealias Sink = TableSink
  static let name = "rebuilt"
  static let isBroken = Atomic(false)

  static func write(_ event: ShopEvent, to rows: inout TableSink.Rows, _ context: EventContext) throws {
    if case .returned = event, isBroken.load(ordering: .relaxed) { throw Unfit() }
    rows["events", default: 0] += 1
  }
}

/// A state with a part that does something when no version has it any more.
private struct Watched: FieldTree, MachineState {
  final class Part: Sendable {
    static let atEnd = Mutex<(@Sendable () -> Void)?>(nil)
    deinit { Self.atEnd.withLock { $0 }?() }
  }

  var sales: UInt64 = 0
  private var part = Part()

  static var derivedProperties: [String] { ["part"] }
  static var blank: Watched { Watched() }

  static func visit<V: FieldVisitor>(_ watched: inout Watched, _ field: inout V) throws(V.Failure) {
    try field(1, "sales", &watched.sales)
  }

  static func == (one: Watched, other: Watched) -> Bool { one.sales == other.sales }

  mutating func add() {
    sales += 1
    part = Part()
  }
}

private enum WatchedProjection: Projection {
  typealias Domain = Shop
  static let name = "watched"

  static func fold(_ event: ShopEvent, into watched: inout Watched, _ context: EventContext) { watched.add() }
}
