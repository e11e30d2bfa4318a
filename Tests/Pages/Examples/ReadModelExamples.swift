import EventSourcing
import EventSourcingKit

// The read models of the account book.

struct Spending: FieldTree, MachineState {
  var cents: Int64 = 0
  var largest: Int64 = 0

  static var blank: Spending { Spending() }

  static func visit<V: FieldVisitor>(_ spending: inout Spending, _ field: inout V) throws(V.Failure) {
    try field(1, "cents", &spending.cents)
    try field(2, "largest", &spending.largest)
  }
}

enum SpendingProjection: Projection {
  typealias Domain = Book
  static let name = "spending"

  static func fold(_ entry: Entry, into spending: inout Spending, _ context: EventContext) {
    guard case .withdrawn(let cents) = entry else { return }
    spending.cents += cents
    spending.largest = max(spending.largest, cents)
  }
}

/// Follows the spending until the store is closed.
func followSpending(in store: EventStore<Book>) throws -> (ReadModel<SpendingProjection>, Task<Void, Never>) {
  let projections = Projections(store)
  let spending = try projections.add(SpendingProjection.self, storage: .checkpoints())
  projections.catchUp()
  let following = Task { await projections.follow() }
  return (spending, following)
}

/// What an app has of a database.
protocol Database: Sendable {
  func storedPosition(of projection: String) throws -> ProjectionPosition?
  func inTransaction(_ body: (inout Connection) throws -> Void) throws
}

struct Connection {
  func execute(_ statement: String) throws {}
  func storedPosition(of projection: String) throws -> ProjectionPosition? { nil }
  func store(_ position: ProjectionPosition, of projection: String) throws {}
}

struct DatabaseSink: ProjectionSink {
  let database: any Database

  func position(of projection: String) throws -> ProjectionPosition? {
    try database.storedPosition(of: projection)
  }

  func transaction(
    of projection: String, after start: ProjectionPosition?, _ body: (inout Connection) throws -> ProjectionPosition
  ) throws {
    try database.inTransaction { connection in
      if let start {
        try start.requireStored(connection.storedPosition(of: projection))
      } else {
        try connection.execute("DELETE FROM \(projection)")
      }
      let position = try body(&connection)
      try connection.store(position, of: projection)
    }
  }
}
