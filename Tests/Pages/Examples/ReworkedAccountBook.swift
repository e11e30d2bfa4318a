import EventSourcing
import EventSourcingKit
import WireFormat

/// The account book of the tutorial after a field has got another meaning.
enum ReworkedAccountBook {
  enum EntryWithNote: EventList {
    case deposited(cents: Int64 = 0, note: String = "")

    static let types = EventTypes<EntryWithNote>("account-book", .deposited())

    func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> EntryWithNote {
      switch self {
      case .deposited(let cents, let note):
        try list.event(
          1, "money.deposited", .deposited(cents: list.field(1, "cents", cents), note: list.field(2, "note", note)),
          version: 2)
      }
    }
  }

  enum Entry: EventList {
    case deposited(cents: Int64 = 0, payer: String = "", purpose: String = "")
    case withdrawn(cents: Int64 = 0)
    case credited(cents: Int64 = 0)

    static let types = EventTypes<Entry>("account-book", .deposited(), .withdrawn(), .credited())
      .upcasting { (old: EntryWithNote) in
        switch old {
        case .deposited(let cents, let note): .deposited(cents: cents, purpose: note)
        }
      }

    func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Entry {
      switch self {
      case .deposited(let cents, let payer, let purpose):
        try list.event(
          1, "money.deposited",
          .deposited(
            cents: list.field(1, "cents", cents), payer: list.field(3, "payer", payer),
            purpose: list.field(4, "purpose", purpose)),
          version: 3)
      case .withdrawn(let cents):
        try list.event(2, "money.withdrawn", .withdrawn(cents: list.field(1, "cents", cents)))
      case .credited(let cents):
        try list.event(3, "interest.credited", .credited(cents: list.field(1, "cents", cents)))
      }
    }
  }

  struct Book: Aggregate {
    var cents: Int64 = 0

    static let revision: UInt32 = 2

    static func migrate(_ stored: StoredState<Book>) throws(WireError) -> Book? { try stored.decoded() }

    mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "cents", &cents) }

    mutating func apply(_ entry: Entry, _ context: EventContext) {
      switch entry {
      case .deposited(let amount, _, _), .credited(let amount): cents &+= amount
      case .withdrawn(let amount): cents &-= amount
      }
    }
  }

  static func run(at path: String, print: (String) -> Void) throws {
    let store = try EventStore<Book>.open(at: path, create: true)
    try store.append(.deposited(cents: 1_200, payer: "Ada", purpose: "rent"), at: .now())
    try store.close()
    var cursor = try History<Book>(at: path).events()
    while let item = try cursor.next() {
      guard case .event(let step) = item, case .deposited(let cents, let payer, let purpose)? = step.record.event
      else { continue }
      print("\(step.record.sequence)  \(cents) cents, payer: \"\(payer)\", purpose: \"\(purpose)\"")
    }
  }
}
