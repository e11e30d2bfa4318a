import EventSourcing

// The account book of the tutorial, with what the questions about a history ask of a domain.

/// What happens in an account book.
enum Entry: EventList {
  case deposited(cents: Int64 = 0, payer: String = "")
  case withdrawn(cents: Int64 = 0)

  static let types = EventTypes<Entry>("account-book", .deposited(), .withdrawn())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Entry {
    switch self {
    case .deposited(let cents, let payer):
      try list.event(
        1, "money.deposited",
        .deposited(cents: list.field(1, "cents", cents), payer: list.field(2, "payer", payer, privacy: .account)))
    case .withdrawn(let cents): try list.event(2, "money.withdrawn", .withdrawn(cents: list.field(1, "cents", cents)))
    }
  }
}

/// What it adds up to.
struct Book: Aggregate {
  var cents: Int64 = 0
  var withdrawals: UInt64 = 0

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "cents", &cents)
    try field(2, "withdrawals", &withdrawals)
  }

  mutating func apply(_ entry: Entry, _ context: EventContext) {
    switch entry {
    case .deposited(let amount, _): cents &+= amount
    case .withdrawn(let amount):
      cents &-= amount
      withdrawals += 1
    }
  }

  func check(_ entry: Entry) throws(Refusal) {
    if case .withdrawn(let amount) = entry, amount > cents { throw Refusal("the book holds \(cents) cents only") }
  }
}

/// A withdrawal that leaves little.
struct NearlyEmpty: HistoryFinding, CustomStringConvertible {
  let rule = "B-1"
  let description = "the book is nearly empty"
}

extension Book: HistoryDomain {
  static func findings(for entry: Entry, before: Book, after: Book) -> [NearlyEmpty] {
    after.cents < 1_000 && after.withdrawals > before.withdrawals ? [NearlyEmpty()] : []
  }

  static func describe(_ entry: Entry, in headline: Headline) {
    switch entry {
    case .deposited(let cents, _), .withdrawn(let cents):
      headline.add(cents)
      headline.addChange(of: "cents", before: " cents, ")
    }
  }
}

extension Book: QuestionDomain {
  /// Whether the book holds as much.
  enum Question: Equatable, Sendable {
    case affords(Int64)
  }

  static let questions = [
    QuestionForm<Question>(
      "affords", [QuestionParameter("cents") { Int64($0) != nil }], answers: QuestionAnswers(["yes", "no"]),
      "whether the book holds as much"
    ) { values in values.first.flatMap { Int64($0) }.map(Question.affords) }
  ]

  static func verdict(
    on question: Question, in book: Book, at moment: Moment, explanation: inout Explanation
  ) -> Bool {
    switch question {
    case .affords(let amount):
      explanation.evaluate(
        "book.affords", "the book holds \(amount) cents", book.cents >= amount,
        reads: [.init("/cents", .integer(book.cents))], decides: true)
    }
  }

  static func words(of verdict: Bool) -> QuestionAnswer {
    verdict
      ? QuestionAnswer("yes", rule: "book.affords", reason: "the book holds as much")
      : QuestionAnswer("no", rule: "book.affords", reason: "the book holds less")
  }

  static func changes(
    considering steps: [Explanation.Step], for question: Question, in book: Book, at moment: Moment
  ) -> [PossibleChange<Book>] {
    guard case .affords(let amount) = question, amount > book.cents else { return [] }
    var later = book
    later.cents = amount
    return [PossibleChange(.fact, of: "cents", "deposit \(amount - book.cents) cents", later)]
  }

  static let timeline = TimelineTable(
    [LaneGroup("Money", [LaneRule("/cents", label: "balance", text: "* cents")], types: ["money"])],
    questions: [("/cents", "affords(4000)")])
}

extension Book: RedecidingDomain {}
