import EventSourcing
import Journal
import Synchronization

/// What happens in a shop.
enum ShopEvent: EventList {
  case sold(article: String = "", cents: Int64 = 0)
  case returned(article: String = "", cents: Int64 = 0)

  static let types = EventTypes<ShopEvent>("shop", .sold(), .returned())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> ShopEvent {
    switch self {
    case .sold(let article, let cents):
      try list.event(
        1, "article.sold", .sold(article: list.field(1, "article", article), cents: list.field(2, "cents", cents)))
    case .returned(let article, let cents):
      try list.event(
        2, "article.returned",
        .returned(article: list.field(1, "article", article), cents: list.field(2, "cents", cents)))
    }
  }
}

/// What the rules of the shop look at.
struct Shop: Aggregate {
  var cents: Int64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "cents", &cents) }

  mutating func apply(_ event: ShopEvent, _ context: EventContext) {
    switch event {
    case .sold(_, let amount): cents &+= amount
    case .returned(_, let amount): cents &-= amount
    }
  }
}

/// A read model: what came in, and how often.
struct Takings: FieldTree, MachineState {
  var cents: Int64 = 0
  var sales: UInt64 = 0

  static var blank: Takings { Takings() }

  static func visit<V: FieldVisitor>(_ takings: inout Takings, _ field: inout V) throws(V.Failure) {
    try field(1, "cents", &takings.cents)
    try field(2, "sales", &takings.sales)
  }
}

enum TakingsProjection: Projection {
  typealias Domain = Shop
  static let name = "takings"

  static func fold(_ event: ShopEvent, into takings: inout Takings, _ context: EventContext) {
    guard case .sold(_, let cents) = event else { return }
    takings.cents += cents
    takings.sales += 1
  }
}

/// How many of each article are with customers, as rows of a table.
enum ArticleRows: RowProjection {
  typealias Domain = Shop
  typealias Sink = TableSink
  static let name = "articles"

  static func write(_ event: ShopEvent, to rows: inout TableSink.Rows, _ context: EventContext) {
    switch event {
    case .sold(let article, _): rows[article, default: 0] += 1
    case .returned(let article, _): rows[article, default: 0] -= 1
    }
  }
}

/// Tables in memory whose transactions store rows and position together, or neither.
final class TableSink: ProjectionSink {
  typealias Rows = [String: Int]

  struct Away: Error, CustomStringConvertible {
    let description = "no connection"
  }

  struct Full: Error, CustomStringConvertible {
    let description = "no room"
  }

  private struct Tables {
    var rows: [String: Rows] = [:]
    var positions: [String: ProjectionPosition] = [:]
    var isAway = false
    var losesAnswer = false
    var isFull = false
  }

  private let tables = Mutex(Tables())

  /// Whether the connection is lost.
  func setAway(_ isAway: Bool) { tables.withLock { $0.isAway = isAway } }
  /// Whether no transaction can be committed.
  func setFull(_ isFull: Bool) { tables.withLock { $0.isFull = isFull } }
  /// Lets the next transaction commit and report a failure all the same.
  func loseNextAnswer() { tables.withLock { $0.losesAnswer = true } }

  func rows(of projection: String) -> Rows { tables.withLock { $0.rows[projection] ?? [:] } }

  /// Changes what is stored, past any transaction, and adds a row that no event wrote.
  func change(_ projection: String, _ body: @Sendable (inout ProjectionPosition?) -> Void) {
    tables.withLock { tables in
      body(&tables.positions[projection])
      tables.rows[projection]?["of others"] = 1
    }
  }

  func position(of projection: String) throws -> ProjectionPosition? {
    try tables.withLock { tables in
      if tables.isAway { throw Away() }
      return tables.positions[projection]
    }
  }

  func transaction(
    of projection: String, after start: ProjectionPosition?, _ body: (inout Rows) throws -> ProjectionPosition
  ) throws {
    var rows = try tables.withLock { (tables) throws -> Rows in
      if tables.isAway { throw Away() }
      guard let start else { return [:] }
      try start.requireStored(tables.positions[projection])
      return tables.rows[projection] ?? [:]
    }
    let position = try body(&rows)
    try tables.withLock { tables in
      if tables.isFull { throw Full() }
      tables.rows[projection] = rows
      tables.positions[projection] = position
      defer { tables.losesAnswer = false }
      if tables.losesAnswer { throw Away() }
    }
  }
}

extension TemporaryJournal {
  /// Opens a shop's journal, or creates it with these events, one a second.
  func shop(_ events: [ShopEvent] = [], segmentSizeLimit: UInt64 = 8 << 20) throws -> EventStore<Shop> {
    let change = { (options: inout StoreOptions) in
      options.journal.segmentSizeLimit = segmentSizeLimit
      options.journal.preallocation = 0
    }
    let store = files.isEmpty ? try create(Shop.self, change) : try open(Shop.self, change)
    for event in events { try store.append(event, at: .seconds(Int64(store.lastSequence) + 1)) }
    return store
  }
}

extension Projections {
  /// The read models of a store at second 7.
  convenience init(testing store: EventStore<Domain>) {
    self.init(store, now: { .seconds(7) })
  }
}
