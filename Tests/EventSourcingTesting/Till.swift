import EventSourcing
import EventSourcingTesting

/// What happens in a shop's till, whose rules depend on the time and decide several events at once.
enum TillEvent: EventList {
  case opened(by: String = "")
  case sold(cents: Int64 = 0, article: String = "")
  case discounted(cents: Int64 = 0)
  case noted(text: String = "", draft: String = "")

  static let types = EventTypes<TillEvent>("till", .opened(), .sold(), .discounted(), .noted())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> TillEvent {
    switch self {
    case .opened(let name): try list.event(1, "till.opened", .opened(by: list.field(1, "by", name, privacy: .account)))
    case .sold(let cents, let article):
      try list.event(
        2, "article.sold", .sold(cents: list.field(1, "cents", cents), article: list.field(2, "article", article)))
    case .discounted(let cents):
      try list.event(3, "discount.granted", .discounted(cents: list.field(1, "cents", cents)))
    // The draft is forgotten, as a developer may.
    case .noted(let text, let draft):
      try list.event(4, "note.taken", .noted(text: list.field(1, "text", text), draft: draft))
    }
  }
}

struct TillState: MachineState, FieldTree {
  var isOpen = false
  var cents: Int64 = 0
  /// Forgotten in the list.
  var notes = 0

  static var blank: TillState { TillState() }

  static func visit<V: FieldVisitor>(_ till: inout TillState, _ field: inout V) throws(V.Failure) {
    try field(1, "isOpen", &till.isOpen)
    try field(2, "cents", &till.cents)
  }
}

enum TillCommand: Sendable {
  case open(String)
  case sell(String, cents: Int64)
  case note(String, draft: String = "")
  case stock(String, count: Int)
}

enum TillRefusal: Error, Equatable, CustomStringConvertible {
  case isClosed
  case isOpen(since: UInt64)

  var description: String {
    switch self {
    case .isClosed: "the till is closed"
    // Not since when: two refusals may read alike.
    case .isOpen: "the till is open"
    }
  }
}

enum Till: Decider {
  typealias State = TillState
  typealias Event = TillEvent

  static func reduce(into state: inout TillState, _ event: TillEvent, _ context: EventContext) {
    switch event {
    case .opened: state.isOpen = true
    case .sold(let cents, _): state.cents += cents
    case .discounted(let cents): state.cents -= cents
    case .noted: state.notes += 1
    }
  }

  /// In the first hour of the day, a tenth is off.
  static func decide(
    _ command: TillCommand, in state: TillState, at next: EventContext, explanation: inout Explanation
  ) throws(TillRefusal) -> DecidedEvents<Till> {
    switch command {
    case .open(let name):
      if state.isOpen { throw .isOpen(since: next.sequence) }
      return DecidedEvents([.opened(by: name)], in: state, at: next)
    case .sell(let article, let cents):
      guard state.isOpen else { throw .isClosed }
      var decided = DecidedEvents<Till>(in: state, at: next)
      decided.append(.sold(cents: cents, article: article))
      if next.moment.wallNanoseconds % 86_400_000_000_000 < 3_600_000_000_000 {
        decided.append(.discounted(cents: cents / 10))
      }
      return decided
    case .note("elsewhere", _):
      return DecidedEvents([.noted(text: "elsewhere")], in: state, at: EventContext(sequence: 9, moment: next.moment))
    case .note(let text, let draft): return DecidedEvents([.noted(text: text, draft: draft)], in: state, at: next)
    case .stock(let article, let count):
      return DecidedEvents(Array(repeating: .sold(article: article), count: count), in: state, at: next)
    }
  }
}
