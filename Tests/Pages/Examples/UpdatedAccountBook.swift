import EventSourcing
import EventSourcingKit

/// The account book of the tutorial after its update.
enum UpdatedAccountBook {
  enum Entry: EventList {
    case deposited(cents: Int64 = 0, note: String = "")
    case withdrawn(cents: Int64 = 0)
    case credited(cents: Int64 = 0)

    static let types = EventTypes<Entry>("account-book", .deposited(), .withdrawn(), .credited())

    func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Entry {
      switch self {
      case .deposited(let cents, let note):
        try list.event(
          1, "money.deposited", .deposited(cents: list.field(1, "cents", cents), note: list.field(2, "note", note)),
          version: 2)
      case .withdrawn(let cents):
        try list.event(2, "money.withdrawn", .withdrawn(cents: list.field(1, "cents", cents)))
      case .credited(let cents):
        try list.event(3, "interest.credited", .credited(cents: list.field(1, "cents", cents)))
      }
    }
  }

  struct Book: Aggregate {
    var cents: Int64 = 0

    mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "cents", &cents) }

    mutating func apply(_ entry: Entry, _ context: EventContext) {
      switch entry {
      case .deposited(let amount, _), .credited(let amount): cents &+= amount
      case .withdrawn(let amount): cents &-= amount
      }
    }
  }

  static func update(at path: String, print: (String) -> Void) throws {
    let store = try EventStore<Book>.open(at: path, create: true)
    print("The book still holds \(store.state.cents) cents.")
    try store.append(.deposited(cents: 800, note: "refund"), at: .now())
    try store.append(.credited(cents: 25), at: .now())
    try store.close()
  }

  static func list(at path: String, print: (String) -> Void) throws {
    var cursor = try History<Book>(at: path).cursor()
    while let item = try cursor.next() {
      guard case .event(let step) = item, let before = step.before, let after = step.after else { continue }
      let type = "\(step.record.typeName) \(step.record.envelope.version)"
      print("\(step.record.sequence)  \(type)  /cents: \(before.cents) → \(after.cents)")
    }
  }
}
