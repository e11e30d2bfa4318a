import Expectations
import EventSourcing
import EventSourcingTesting
import Forensics
import Testing

/// A book that answers no question: what a domain need not say has defaults.
private struct Tin: Aggregate, RedecidingDomain {
  var cents: Int64 = 0

  static let questions: [QuestionForm<Int>] = []

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) { try field(1, "cents", &cents) }

  mutating func apply(_ entry: Entry, _ context: EventContext) {
    switch entry {
    case .deposited(let amount, _): cents &+= amount
    case .withdrawn(let amount): cents &-= amount
    }
  }

  static func verdict(on question: Int, in tin: Tin, at moment: Moment, explanation: inout Explanation) -> Bool {
    false
  }

  static func words(of verdict: Bool) -> QuestionAnswer { QuestionAnswer("no", reason: "nothing is asked") }
}

@Suite("A domain that answers nothing")
struct DefaultAnswersTests {
  /// The entries of the account book, in a journal of the tin.
  private func history() throws -> History<Tin> {
    let disk = MemoryDisk()
    let store = try disk.store(of: Tin.self)
    for (index, entry) in BookFolder.entries.enumerated() { try store.append(entry, at: BookFolder.minute(index + 1)) }
    return try disk.history(of: Tin.self)
  }

  @Test("Its log shows the changes, and its statistics count no finding")
  func log() throws {
    let history = try history()
    let change = StateDiff(from: Tin().tree(), to: Tin(cents: 5_000).tree())
    var bytes: [UInt8] = []
    #expect(EventHeadline<Tin>(ValueText(.on)).append(BookFolder.entries[0], changing: change, to: &bytes) == nil)
    expectEqual(
      EventSummary(change, of: Tin.self, type: "money.deposited").appendText(ValueText(.on), to: &bytes) { _ in }, 0)
    expectEqual(String(decoding: bytes, as: UTF8.self), "/cents: 0 → 5000")
    let statistics = try HistoryStatistics(of: history)
    #expect(statistics.events == 4 && statistics.findings.isEmpty && statistics.isStateKnown)
  }

  @Test("Its timeline has the events, and no lane for a value")
  func timeline() throws {
    let timeline = try #require(try Timeline.read(history(), .on))
    expectEqual(timeline.events.map(\.sequence), [1, 2, 3, 4])
    #expect(timeline.lanes.map(\.label) == ["events"] && timeline.spans.isEmpty && timeline.answers.isEmpty)
  }

  @Test("What would have happened without an event is known all the same")
  func whatIf() throws {
    var edits = HistoryEdits<Tin>()
    try edits.drop(2...2)
    let outcome = try WhatIf(
      edits, in: history(), from: Tin(), after: (0, BookFolder.minute(0)), upTo: 4)
    #expect(outcome.real.cents == 550 && outcome.imagined.cents == 1_800)
    expectEqual(outcome.tally.count, 0)
  }
}
