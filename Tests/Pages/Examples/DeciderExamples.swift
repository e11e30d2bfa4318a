import EventSourcing
import EventSourcingKit
import WireFormat

// Commands of the account book that are not its events.

enum Instruction: Equatable, Sendable {
  case pay(cents: Int64)
  case empty
}

enum Bookkeeper: Decider {
  typealias State = Book
  typealias Event = Entry

  static let fee: Int64 = 25
  static var initialState: Book { Book() }

  static func reduce(into book: inout Book, _ entry: Entry, _ context: EventContext) { book.apply(entry, context) }

  static func decide(
    _ command: Instruction, in book: Book, at next: EventContext, explanation: inout Explanation
  ) throws(Refusal) -> DecidedEvents<Self> {
    switch command {
    case .pay(let cents):
      guard cents > 0 else { throw Refusal("\(cents) cents cannot be paid") }
      let isCovered = explanation.evaluate(
        "pay.1", "the book holds the amount and the fee", fee <= book.cents && cents <= book.cents - fee)
      guard isCovered else { throw Refusal("the book holds \(book.cents) cents only, and the fee is \(fee)") }
      return DecidedEvents([.withdrawn(cents: cents), .withdrawn(cents: fee)], in: book, at: next)
    case .empty:
      return DecidedEvents(book.cents > 0 ? [.withdrawn(cents: book.cents)] : [], in: book, at: next)
    }
  }

  static func encode(_ command: Instruction, into writer: inout WireWriter) {
    switch command {
    case .pay(let cents): writer.writePresent(1, signed: cents)
    case .empty: writer.writePresent(2, unsigned: 1)
    }
  }
}

func payRent(at path: String, print: (String) -> Void) throws {
  let store = try EventStore<Bookkeeper>.open(at: path, create: false)
  let payment = try store.append(.pay(cents: 1_000), at: .now(), idempotencyKey: Array("rent 2026-10".utf8))
  print("\(payment.events.count) events, \(store.state.cents) cents left")
  let again = try store.append(.pay(cents: 1_000), at: .now(), idempotencyKey: Array("rent 2026-10".utf8))
  print(again.isRepetition ? "paid before" : "paid twice")
  do {
    try store.append(.pay(cents: 9_000), at: .now())
  } catch {
    print("Refused: \(error.message).")
  }
  try store.close()
}
