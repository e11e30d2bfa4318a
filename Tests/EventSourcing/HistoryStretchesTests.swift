import Expectations
import Journal
import Synchronization
import Testing

@testable import EventSourcing

@Suite("Stretches of a history for other threads")
struct HistoryStretchesTests {
  private func journal(every interval: UInt64 = 5, _ count: Int = 60) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) {
      $0.keyframeInterval = interval
      $0.journal.segmentSizeLimit = 2048
    }
    for number in 0..<count {
      let command: LedgerCommand = number % 5 == 0 ? .open("owner \(number)") : .note(["note \(number)"])
      try store.append(command, at: .seconds(Int64(number)))
    }
    try store.close()
    return journal
  }

  /// What one way of reading a history finds: each event, the chain after it and the state it led to.
  private struct Found: Equatable {
    var sequence: UInt64
    var chain: UInt32
    var state: LedgerState?

    init(_ step: HistoryStep<Ledger>) {
      (sequence, chain, state) = (step.record.sequence, step.record.chain, step.after)
    }
  }

  private func inOrder(_ history: History<Ledger>) throws -> [Found] {
    var cursor = try history.cursor()
    var found: [Found] = []
    while let item = try cursor.next() {
      if case .event(let step) = item { found.append(Found(step)) }
    }
    return found
  }

  /// Reads up to `waiting` stretches ahead, folds them as another thread would, and adopts them.
  private func inStretches(
    _ history: History<Ledger>, waiting: Int = 4
  ) throws -> (found: [Found], stretches: Int, refused: Int) {
    var cursor = try history.cursor()
    var stretches = HistoryStretches(of: history)
    var ahead: [HistoryStretch<Ledger>] = []
    var result: (found: [Found], stretches: Int, refused: Int) = ([], 0, 0)
    while true {
      if ahead.count < waiting, let stretch = stretches.readNext(from: &cursor, upTo: nil) {
        ahead.append(stretch)
        result.stretches += 1
      } else if !ahead.isEmpty {
        let stretch = ahead.removeFirst()
        var found: [Found] = []
        if let folded = stretch.fold({ found.append(Found($0)) }), cursor.adopt(folded) {
          result.found += found
        } else {
          result.refused += 1
          stretch.forEachEvent { result.found.append(Found(cursor.step(to: $0))) }
        }
      } else {
        guard let item = try cursor.next() else { return result }
        if case .event(let step) = item { result.found.append(Found(step)) }
      }
    }
  }

  @Test("Folded from keyframe to keyframe, each event has the states that it has in order")
  func same() throws {
    let one = try journal()
    try withExtendedLifetime(one) {
      let history = try History<Ledger>(at: one.path)
      let result = try inStretches(history)
      let expected = try inOrder(history)
      expectEqual(result.found, expected)
      #expect(result.stretches >= 8 && result.refused == 0)
    }
  }

  @Test("Without keyframes nothing is read ahead")
  func withoutKeyframes() throws {
    let one = try journal(every: 0)
    try withExtendedLifetime(one) {
      let history = try History<Ledger>(at: one.path)
      let result = try inStretches(history)
      let expected = try inOrder(history)
      expectEqual(result.found, expected)
      expectEqual(result.stretches, 0)
    }
  }

  @Test("A stretch from a keyframe with another state is refused, and its events are stepped through")
  func otherState() throws {
    let one = try journal()
    let other = try TemporaryJournal()
    let store = try other.create(Ledger.self) { $0.keyframeInterval = 0 }
    try store.append(.open("another owner"), at: .seconds(0))
    try store.close()
    let history = try History<Ledger>(at: one.path)
    let strange = try History<Ledger>(at: other.path).state(at: .end).state
    var cursor = try history.cursor()
    var stretches = HistoryStretches(of: history)
    let next = stretches.readNext(from: &cursor, upTo: nil)
    let stretch = try #require(next)
    let result = stretch.fold { _ in }
    let folded = try #require(result)
    let wrong = FoldedStretch(
      start: Replay<Ledger>(from: strange, after: folded.start.sequence, chain: folded.start.chain), end: folded.end)
    let late = FoldedStretch(start: folded.end, end: folded.end)
    let adopted = [cursor.adopt(wrong), cursor.adopt(late), cursor.adopt(folded), cursor.adopt(folded)]
    expectEqual(adopted, [false, false, true, false])
  }
}
