import Expectations
import EventSourcing
import Journal
import Testing

/// Journals that end at a gap, or that were continued after a loss.
@Suite("Histories that end early or resume after a loss")
struct GivenUpHistoryTests {
  /// Notes, each a batch of its own: the one with number n at second 100 + n.
  private func write(_ count: Int64, to store: EventStore<Ledger>, checkpointEvery step: Int64 = .max) throws {
    for number in 1...count {
      try store.append(.note(["note \(number)"]), at: .seconds(100 + number))
      if number % step == 0 { try store.checkpoint() }
    }
  }

  /// Six events that were never synced, the fourth damaged: whether it was ever written is unknown.
  private func gap() throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try write(6, to: store)
    try journal.damage(event: 4)
    // Dropped, not closed: closing would promise that all of it is durable.
    return journal
  }

  /// Six durable events, the fourth damaged and given up with those after it, and one that was written afterwards.
  private func givenUp() throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    var store = try journal.create(Ledger.self) { $0.journal.syncPolicy = .everyCommit }
    try write(6, to: store)
    try store.close()
    try journal.damage(event: 4)
    store = try journal.open(Ledger.self) { $0.onDamage = .continueAfterVerifiedPrefix }
    try store.append(.note(["afterwards"]), at: .seconds(200))
    try store.close()
    return journal
  }

  @Test("At an undecidable gap the history ends, both for times and for the end", arguments: [false, true])
  func timesBeforeGap(goesBeyondDamage: Bool) throws {
    let journal = try gap()
    var history = try journal.history(Ledger.self)
    try expectEqual(history.reader.verify().findings.map(\.verdict), [.unsyncedGap])
    history.goesBeyondDamage = goesBeyondDamage
    let end = try history.state(at: .end)
    expectEqual(end.position.sequence, 3)
    try expectEqual(history.lastSequence(), 3)
    let latest = try history.state(at: .time(.max))
    #expect(latest.position.sequence == 3 && latest.state == end.state)
    try expectEqual(history.resolve(.time(102_500_000_000)), ResolvedPosition(sequence: 2))
    try expectEqual(history.divergence(from: history), .none(length: 3))
    #expect(throws: HistoryError.afterEnd(requested: 5, last: 3)) { try history.state(at: .sequence(5)) }
  }

  @Test("A history told to continue past given-up events does so at the end, at times and in comparisons")
  func beyondGivenUpEvents() throws {
    let journal = try givenUp()
    var history = try journal.history(Ledger.self)
    for position in [Position.end, .time(.max)] {
      #expect(throws: HistoryError.self) { try history.state(at: position) }
    }
    #expect(throws: HistoryError.self) { try history.divergence(from: history) }
    let stopping = history
    history.goesBeyondDamage = true
    let end = try history.state(at: .end)
    expectEqual(end.position.sequence, 4)
    let latest = try history.state(at: .time(.max))
    #expect(latest.position.sequence == 4 && latest.state == end.state)
    try expectEqual(history.resolve(.time(150_000_000_000)).sequence, 3)
    try expectEqual(history.divergence(from: history), .none(length: 4))
    try expectEqual(history.lastSequence(), 4)
    // Each side decides for itself.
    #expect(throws: HistoryError.self) { try history.divergence(from: stopping) }
    #expect(throws: HistoryError.self) { try stopping.divergence(from: history) }
  }

  @Test("Lost events that were not given up stop even a history that goes beyond damage")
  func lostEvents() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.journal.syncPolicy = .everyCommit }
    try write(6, to: store)
    try store.close()
    try journal.damage(event: 4)
    var history = try journal.history(Ledger.self)
    history.goesBeyondDamage = true
    for position in [Position.end, .time(.max)] {
      do {
        _ = try history.state(at: position)
        Issue.record("\(position) has a state after lost events")
      } catch {
        expectEqual(error.lastDerivable, 3, "\(position)")
      }
    }
    #expect(throws: HistoryError.self) { try history.divergence(from: history) }
    try expectEqual(history.resolve(.time(102_500_000_000)).sequence, 2)
  }

  @Test("A search for a time distinguishes a payload without an envelope from damage")
  func foreignPayload() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try write(2, to: store)
    try store.close()
    try journal.appendRaw(payloads: [[0xff]])
    let history = try journal.history(Ledger.self)
    do {
      _ = try history.resolve(.time(.max))
      Issue.record("the time of event 3 is not known, and it was not noticed")
    } catch {
      guard case .foreignPayload(sequence: 3, _) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test("A checkpoint just written is kept, whatever the given-up history left", arguments: [0, 1, 2, 3])
  func checkpointsBehindLoss(kept: Int) throws {
    let journal = try TemporaryJournal()
    var store = try journal.create(Ledger.self) {
      $0.journal.syncPolicy = .everyCommit
      $0.keptCheckpointCount = 9
    }
    try write(30, to: store, checkpointEvery: 10)
    try store.close()
    let stale = (1...3).map { "000000000000000000\($0)0.ckpt" }
    expectEqual(journal.files.filter { $0.hasSuffix(".ckpt") }, stale)
    try journal.damage(event: 4)
    store = try journal.open(Ledger.self) {
      $0.onDamage = .continueAfterVerifiedPrefix
      $0.keptCheckpointCount = kept
    }
    var written: [String] = []
    for sequence in 4...8 {
      try store.append(.note(["afterwards"]), at: .seconds(200))
      try expectEqual(store.checkpoint(), UInt64(sequence))
      written.append("0000000000000000000\(sequence).ckpt")
      let expected = written.suffix(max(1, kept)) + stale
      expectEqual(journal.files.filter { $0.hasSuffix(".ckpt") }, expected)
    }
    try store.close()
    let again = try journal.open(Ledger.self) { $0.onDamage = .continueAfterVerifiedPrefix }
    #expect(again.opening.checkpoint == 8 && again.opening.replayedEvents == 0)
    expectEqual(again.state, store.state)
    try again.close()
  }
}
