import EventSourcing

// The account book of the tutorial, with a note.

enum Entry: EventList {
  case deposited(cents: Int64 = 0, note: String = "")
  case withdrawn(cents: Int64 = 0)

  static let types = EventTypes<Entry>("account-book", .deposited(), .withdrawn())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Entry {
    switch self {
    case .deposited(let cents, let note):
      try list.event(
        1, "money.deposited",
        .deposited(cents: list.field(1, "cents", cents), note: list.field(2, "note", note, privacy: .account)))
    case .withdrawn(let cents): try list.event(2, "money.withdrawn", .withdrawn(cents: list.field(1, "cents", cents)))
    }
  }
}

struct Book: Aggregate {
  var cents: Int64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "cents", &cents) }

  mutating func apply(_ entry: Entry, _ context: EventContext) {
    switch entry {
    case .deposited(let amount, _): cents &+= amount
    case .withdrawn(let amount): cents &-= amount
    }
  }

  func check(_ entry: Entry) throws(Refusal) {
    if case .withdrawn(let amount) = entry, amount > cents { throw Refusal("the book holds \(cents) cents only") }
  }
}
