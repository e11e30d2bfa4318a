import EventSourcing
import Expectations
import Journal
import Synchronization
import Testing

/// Takings that can begin with what the shop knows.
private enum Balance: Projection {
  typealias Domain = Shop
  static let name = "balance"

  static func fold(_ event: ShopEvent, into takings: inout Takings, _ context: EventContext) {
    switch event {
    case .sold(_, let cents): takings.cents += cents
    case .returned(_, let cents): takings.cents -= cents
    }
  }

  static func initialState(from shop: Shop, at sequence: UInt64) -> Takings? { Takings(cents: shop.cents) }
}

/// The same as rows.
private enum BalanceRows: RowProjection {
  typealias Domain = Shop
  typealias Sink = TableSink
  static let name = "balance-rows"

  static func write(_ event: ShopEvent, to rows: inout TableSink.Rows, _ context: EventContext) {
    switch event {
    case .sold(_, let cents): rows["cents", default: 0] += Int(cents)
    case .returned(_, let cents): rows["cents", default: 0] -= Int(cents)
    }
  }

  static func write(_ shop: Shop, at sequence: UInt64, to rows: inout TableSink.Rows) -> Bool {
    rows["cents"] = Int(shop.cents)
    return true
  }
}

/// Never takes event 5.
private enum Stuck: Projection {
  typealias Domain = Shop
  static let name = "stuck"

  static func fold(_ event: ShopEvent, into takings: inout Takings, _ context: EventContext) throws {
    if context.sequence == 5 { throw TableSink.Away() }
  }
}

@Suite("Read models of a journal whose first events are retired")
struct ProjectionRetirementTests {
  private let journal: TemporaryJournal
  private let store: EventStore<Shop>

  /// Forty sales in small segments.
  init() throws {
    journal = try TemporaryJournal()
    store = try journal.shop(
      Array(repeating: .sold(article: "tea", cents: 100), count: 40), segmentSizeLimit: 1 << 10)
  }

  /// The error of a retirement that a projection prevents. Nothing is removed.
  private func refusal() throws -> JournalError? {
    let first = try History<Shop>(at: journal.path).firstSequence
    let error = #expect(throws: HistoryError.self) { try store.retire(before: 30, keepingStates: true) }
    try expectEqual(History<Shop>(at: journal.path).firstSequence, first)
    guard case .journal(let reason)? = error else { return nil }
    expectEqual(reason.code, .projection)
    return reason
  }

  @Test("Models keep what they need beside the journal, and can be rebuilt from it")
  func kept() throws {
    let (projections, sink) = (Projections(testing: store), TableSink())
    let takings = try projections.add(TakingsProjection.self)
    let rows = try projections.add(ArticleRows.self, into: sink)
    // It lets them catch up first.
    let first = try store.retire(before: 30, keepingStates: true)
    #expect((2...30).contains(first) && journal.files.contains("takings.base"))
    #expect(takings.state.sales == 40 && rows.health.lag == 0)
    try projections.rebuild("takings")
    #expect(takings.state == Takings(cents: 4_000, sales: 40) && takings.health.lag == 0)
    // Rows cannot: their events are gone. The old ones stay, and go on.
    let gone = #expect(throws: ProjectionError.self) { try projections.rebuild("articles") }
    expectEqual(gone?.code, .gone)
    expectEqual(
      gone?.description,
      "the projection articles needs the events 1–\(first - 1), which are retired, and no state of it was kept; let it begin"
        + " with the domain's state after them, as its protocol allows")
    try store.append(.sold(article: "tea", cents: 100), at: .seconds(50))
    projections.catchUp()
    #expect(sink.rows(of: "articles") == ["tea": 41] && rows.health.lag == 0 && !rows.health.isRebuilding)
    try store.close()

    let reopened = try journal.shop()
    let later = Projections(testing: reopened)
    let again = try later.add(TakingsProjection.self)
    #expect(again.version.sequence == first - 1 && again.state.sales == first - 1)
    later.catchUp()
    expectEqual(again.state, Takings(cents: 4_100, sales: 41))
    // What was kept goes along when more is retired.
    for _ in 1...40 { try reopened.append(.sold(article: "tea", cents: 100), at: .seconds(60)) }
    let next = try reopened.retire(before: 70, keepingStates: true)
    #expect(next > first)
    try later.rebuild("takings")
    expectEqual(again.state, Takings(cents: 8_100, sales: 81))
  }

  @Test("One that is behind keeps its events, and is named")
  func behind() throws {
    let (projections, sink) = (Projections(testing: store), TableSink())
    _ = try projections.add(ArticleRows.self, into: sink)
    sink.setAway(true)
    let unreached = try refusal()
    #expect(
      unreached?.message.hasPrefix("the projection articles is at an unknown place, and events up to ") == true
        && unreached?.message.hasSuffix("would go: it cannot reach its sink: no connection") == true)
    sink.setAway(false)
    let stuck = try projections.add(Stuck.self)
    let reason = try refusal()
    #expect(stuck.health.position == 4 && sink.rows(of: "articles") == ["tea": 40])
    #expect(
      reason?.message.hasPrefix("the projection stuck is at event 4, and events up to ") == true
        && reason?.message.hasSuffix("would go: it could not take event 5: no connection") == true)
    expectEqual(reason?.remedy, "let it catch up, then retire again")
  }

  @Test("What cannot be stored beside the journal keeps the events, too")
  func unstorable() throws {
    try store.close()
    let files = HookedFileSystem()
    let store = try EventStore<Shop>.open(at: journal.path, fileSystem: files)
    let projections = Projections(testing: store)
    _ = try projections.add(TakingsProjection.self)
    try store.checkpoint()
    files.failNextWrite(28)
    let error = #expect(throws: HistoryError.self) { try store.retire(before: 30) }
    expectEqual(
      error?.message, "the projection takings cannot store its state: write: no space left on the device")
    #expect(!journal.files.contains("takings.base"))
    try #expect(store.retire(before: 30) > 1)
    #expect(journal.files.contains("takings.base"))
  }

  @Test("Models that no longer live keep nothing from being retired")
  func released() throws {
    do {
      let projections = Projections(testing: store)
      _ = try projections.add(Stuck.self)
    }
    try #expect(store.retire(before: 30, keepingStates: true) > 1)
  }

  @Test("A later model begins with the domain's state, or is refused with the events that it lacks")
  func later() throws {
    let first = try store.retire(before: 30, keepingStates: true)
    let (projections, sink) = (Projections(testing: store), TableSink())
    let balance = try projections.add(Balance.self)
    #expect(balance.version.sequence == first - 1 && balance.state.cents == Int64(first - 1) * 100)
    _ = try projections.add(BalanceRows.self, into: sink)
    let refused = #expect(throws: ProjectionError.self) { try projections.add(TakingsProjection.self) }
    expectEqual(refused?.message, "needs the events 1–\(first - 1), which are retired, and no state of it was kept")
    let rows = try projections.add(ArticleRows.self, into: sink)
    try store.append(.returned(article: "tea", cents: 100), at: .seconds(50))
    projections.catchUp()
    #expect(balance.state.cents == 3_900 && sink.rows(of: "balance-rows") == ["cents": 3_900])
    #expect(rows.health.lastError?.message == refused?.message && rows.health.position == nil)
  }
}
