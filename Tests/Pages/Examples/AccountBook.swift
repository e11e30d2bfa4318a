import EventSourcing
import EventSourcingKit

// The account book of the tutorial, in the version that it begins with.

enum Entry: EventList {
  case deposited(cents: Int64 = 0)
  case withdrawn(cents: Int64 = 0)

  static let types = EventTypes<Entry>("account-book", .deposited(), .withdrawn())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Entry {
    switch self {
    case .deposited(let cents): try list.event(1, "money.deposited", .deposited(cents: list.field(1, "cents", cents)))
    case .withdrawn(let cents): try list.event(2, "money.withdrawn", .withdrawn(cents: list.field(1, "cents", cents)))
    }
  }
}

struct Book: Aggregate {
  var cents: Int64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "cents", &cents) }

  mutating func apply(_ entry: Entry, _ context: EventContext) {
    switch entry {
    case .deposited(let amount): cents &+= amount
    case .withdrawn(let amount): cents &-= amount
    }
  }

  func check(_ entry: Entry) throws(Refusal) {
    if case .withdrawn(let amount) = entry, amount > cents { throw Refusal("the book holds \(cents) cents only") }
  }
}

enum AccountBook {
  static func writeFirstEvent(at path: String, print: (String) -> Void) throws {
    let store = try EventStore<Book>.open(at: path, create: true)
    try store.append(.deposited(cents: 5_000), at: .now())  // durable once it returns
    print("The book holds \(store.state.cents) cents.")
    try store.close()
  }

  static func refuse(at path: String, print: (String) -> Void) throws {
    let store = try EventStore<Book>.open(at: path, create: true)
    try store.append(.withdrawn(cents: 1_250), at: .now())
    do {
      try store.append(.withdrawn(cents: 4_000), at: .now())
    } catch {
      print("Refused: \(error.message).")
    }
    try store.close()
  }

  static func travel(at path: String, print: (String) -> Void) throws {
    let history = try History<Book>(at: path)
    print("After the first event: \(try history.state(at: .sequence(1)).state.cents) cents.")
    print("At the end: \(try history.state(at: .end).state.cents) cents.")
    for change in try history.diff(.sequence(1), .end).changes { print("\(change.path) differs.") }
  }
}
