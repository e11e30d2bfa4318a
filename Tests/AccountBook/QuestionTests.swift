import Expectations
import EventSourcing
import Forensics
import Journal
import Testing

@Suite("Questions about the history of an account book")
struct QuestionTests {
  /// The events at which a condition flips, with whether it holds from there on.
  private func flips(of text: String, in history: History<Book>) throws -> [UInt64: Bool?] {
    var flips: [UInt64: Bool?] = [:]
    _ = try Bisection(
      of: StateCondition<Book>(state: text), in: history, from: Book(), after: 0, at: BookFolder.minute(0), upTo: 4
    ) { flip in
      flips[flip.sequence] = flip.holds
      return true
    }
    return flips
  }

  @Test("Bisecting finds every event at which a condition on a value or on an answer flips")
  func bisect() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    try expectEqual(flips(of: "/cents >= 4000", in: history), [1: true, 2: false, 3: true, 4: false])
    try expectEqual(flips(of: "affords(4000) = no", in: history), [1: false, 2: true, 3: false, 4: true])
    try expectEqual(flips(of: "/withdrawals = 2 and not affords(600) = yes", in: history), [4: true])
  }

  @Test("A misspelled question is refused with those of the domain")
  func misspelled() throws {
    let error = #expect(throws: FilterError.self) { try QuestionText<Book>(parsing: "afords(1)") }
    expectEqual(error?.description.contains("affords"), true)
    #expect(throws: FilterError.self) { try QuestionText<Book>(parsing: "affords(much)") }
    try expectEqual(QuestionText<Book>(parsing: "affords(4000)").question, .affords(4_000))
  }

  @Test("An answer is explained by the rule, the value that it read and the events that changed it")
  func explain() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    var explanation = Explanation(recording: true)
    let book = try history.state(at: .end).state
    let answer = Book.answer(.affords(4_000), in: book, at: BookFolder.minute(4), explanation: &explanation)
    #expect(answer.name == "no" && answer.rule == "book.affords")
    expectEqual(explanation.steps.flatMap(\.reads), [Explanation.Read("/cents", .integer(550))])

    var answers: [String] = []
    let asked = try AnswerHistory<Book>(
      of: .affords(4_000), in: history, from: Book(), after: (0, BookFolder.minute(0)), upTo: 4,
      writersOf: ["/cents"]
    ) { answers.append("\($0.first)–\($0.last) \($0.answer.name)") }
    expectEqual(answers, ["0–0 no", "1–1 yes", "2–2 no", "3–3 yes", "4–4 no"])
    #expect(asked.current.type == "money.withdrawn" && asked.previous?.answer.name == "yes")
    expectEqual(asked.writers, ["/cents": 4])

    let advice = Advice<Book>(
      for: .affords(4_000), in: book, at: BookFolder.minute(4), instead: answer, explanation.steps)
    expectEqual(advice.items.map(\.texts), [["deposit 3450 cents"]])
    expectEqual(advice.items.map(\.answer.name), ["yes"])
  }

  /// What would have happened with an edit.
  private func outcome(
    in history: History<Book>, _ edit: (inout HistoryEdits<Book>) throws -> Void
  ) throws -> WhatIf<Book> {
    var edits = HistoryEdits<Book>()
    try edit(&edits)
    return try WhatIf(edits, in: history, from: Book(), after: (0, BookFolder.minute(0)), upTo: 4)
  }

  @Test("Without an event, the book adds up to another sum, and the rules refuse what it no longer covers")
  func drop() throws {
    let folder = try BookFolder()
    let outcome = try outcome(in: folder.write()) { try $0.drop(1...1) }
    #expect(outcome.real.cents == 550 && outcome.imagined.cents == -4_450)
    #expect(outcome.partsAt == 1 && outcome.imaginedLast == 3 && outcome.counts.dropped == 1)
    #expect(outcome.tally.redecided == 2 && outcome.tally.count == 2)
    expectEqual(outcome.affected.map(\.events), [2...2, 4...4])
    expectEqual(
      outcome.affected.map(\.basis),
      [
        .redecided(.refused(rule: "check", reason: "the book holds 0 cents only")),
        .redecided(.refused(rule: "check", reason: "the book holds -450 cents only")),
      ])
  }

  @Test("With another event in its place, only the decisions that rest on it are affected")
  func change() throws {
    let folder = try BookFolder()
    let outcome = try outcome(in: folder.write()) {
      try $0.replace(1, with: .event(.deposited(cents: 4_000, payer: "Ada"), at: nil))
    }
    #expect(outcome.imagined.cents == -450 && outcome.imagined.withdrawals == 2)
    expectEqual(outcome.difference.changes, [StateChange(path: "/cents", before: .integer(550), after: .integer(-450))])
    expectEqual(outcome.affected.map(\.events), [4...4])
  }

  @Test("An imagined journal is one like any other, with the imagined state at its end")
  func imagined() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    var edits = HistoryEdits<Book>()
    try edits.drop(2...2)
    let journal = try ImaginedJournal(
      at: folder.path("imagined"), imagining: history, after: 0, edits, words: "without event 2",
      createdNanoseconds: 2, fileSystem: PosixFileSystem())
    _ = try WhatIf(
      edits, in: history, from: Book(), after: (0, BookFolder.minute(0)), upTo: 4,
      emit: { (event, numbering, state) throws(HistoryError) in try journal.append(event, numbering, state) })
    try journal.finish()
    let imagined = try History<Book>(at: folder.path("imagined"))
    try expectEqual(imagined.state(at: .end).state, Book(cents: 1_800, withdrawals: 1))
    #expect(try imagined.check().digestsCompared == 3 && imagined.reader.verify().isSound)
    expectEqual(imagined.reader.identity.parent?.id, BookFolder.id(1))
  }

  @Test("What the rules refuse cannot be inserted")
  func insert() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    #expect {
      try outcome(in: history) { try $0.insert(.command(.withdrawn(cents: 600), at: nil), after: 4) }
    } throws: { error in
      guard case WhatIfError.refused(after: 4, rule: "check", let reason) = error else { return false }
      return reason == "the book holds 550 cents only"
    }
  }
}
