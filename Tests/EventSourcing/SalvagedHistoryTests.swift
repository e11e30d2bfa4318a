import Expectations
import EventSourcing
import Journal
import Testing

/// Journals that a salvage wrote: events without a payload stand where others are lost.
@Suite("Salvaged histories")
struct SalvagedHistoryTests {
  /// Six notes, of which the third and the fourth are lost.
  private func salvaged() throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.journal.syncPolicy = .everyCommit }
    for number in 1...6 { try store.append(.note(["note \(number)"]), at: .seconds(100 + Int64(number))) }
    try store.close()
    for lost: UInt64 in 3...4 { try journal.damage(event: lost) }
    let copy = try TemporaryJournal()
    let report = try Salvage(of: [journal.path]).write(to: copy.path)
    #expect(report.losses.compactMap(\.events) == [3...4] && report.salvagedCount == 4)
    return copy
  }

  private var lost: HistoryError {
    .damaged(
      lastDerivable: 2,
      Finding(
        .lost, file: "00000000000000000001.seg", byteRange: 0..<0, lostEvents: 3...4,
        cause: "events 3–4 were lost before this journal was salvaged",
        evidence: "events without any content keep the place",
        remedy: "salvage the original files again, with a copy that still has them"))
  }

  @Test("After lost events no state is known: at the end, at numbers and at times")
  func unknownStates() throws {
    let journal = try salvaged()
    let history = try journal.history(Ledger.self)
    #expect(try history.reader.verify().isSound)
    try expectEqual(history.state(at: .sequence(2)).state.notes, ["note 1", "note 2"])
    for position in [Position.end, .sequence(3), .sequence(4), .sequence(6), .time(.max)] {
      do {
        _ = try history.state(at: position)
        Issue.record("there is a state at \(position)")
      } catch {
        guard case .damaged(lastDerivable: 2, let finding?) = error, case .damaged(_, let expected?) = lost else {
          Issue.record("\(error)")
          continue
        }
        #expect(finding.lostEvents == 3...4 && finding.cause == expected.cause && finding.remedy == expected.remedy)
        expectEqual(
          error.message, "the state after event 2 is unknown: events 3–4 were lost before this journal was salvaged")
      }
    }
    let report = try history.check()
    #expect(report.lastSequence == 2 && report.obstacle?.lastDerivable == 2)
  }

  @Test("Events after lost ones keep their numbers, and the loss is reported in its place")
  func telling() throws {
    let journal = try salvaged()
    var cursor = try journal.history(Ledger.self).cursor()
    var told: [String] = []
    while let item = try cursor.next() {
      switch item {
      case .event(let step): told.append("\(step.record.sequence) \(step.after == nil ? "?" : "known")")
      case .finding(let finding): told.append("\(finding.verdict.name) \(finding.lostEvents ?? 0...0)")
      }
    }
    expectEqual(told, ["1 known", "2 known", "lost 3...4", "5 ?", "6 ?"])
    expectEqual(cursor.obstacle?.lastDerivable, 2)
  }

  @Test("A history that goes beyond damage skips lost events")
  func beyond() throws {
    let journal = try salvaged()
    var history = try journal.history(Ledger.self)
    history.goesBeyondDamage = true
    try expectEqual(history.state(at: .end).state.notes, ["note 2", "note 5", "note 6"])
    try expectEqual(history.state(at: .sequence(4)).state.notes, ["note 1", "note 2"])
    try expectEqual(history.resolve(.time(105_500_000_000)).sequence, 5)
    try expectEqual(history.lastSequence(), 6)
    #expect(throws: HistoryError.self) { try history.state(at: .sequence(3)) }
  }

  @Test("A store refuses lost events unless told to continue, or unless a checkpoint covers them")
  func store() throws {
    let journal = try salvaged()
    do {
      _ = try journal.open(Ledger.self)
      Issue.record("it was opened")
    } catch let error as HistoryError {
      expectEqual(error.lastDerivable, 2)
    }
    let store = try journal.open(Ledger.self) { $0.onDamage = .continueAfterVerifiedPrefix }
    expectEqual(store.state.notes, ["note 2", "note 5", "note 6"])
    try store.append(.note(["on"]), at: .seconds(200))
    expectEqual(store.lastSequence, 7)
    try store.checkpoint()
    try store.close()
    let again = try journal.open(Ledger.self)
    #expect(again.state.notes.last == "on" && again.opening.checkpoint == 7)
    try again.close()
  }

  @Test("A store's feed, and reading back, deliver lost events under their numbers and continue")
  func feed() throws {
    let journal = try salvaged()
    let store = try journal.open(Ledger.self) { $0.onDamage = .continueAfterVerifiedPrefix }
    var feed = store.events(after: 0).makeAsyncIterator()
    var told: [String] = []
    while let record = try feed.nextIfThere() {
      told.append("\(record.sequence) \(record.content == .lost ? "lost" : record.typeName)")
    }
    expectEqual(told, ["1 note.added", "2 note.added", "3 lost", "4 lost", "5 note.added", "6 note.added"])
    let records = try store.recordedEvents(after: 2, limit: 3)
    #expect(records.map(\.sequence) == [3, 4, 5] && records.map { $0.event == nil } == [true, true, false])
    expectEqual(records.map(\.obstacle), [.damaged(lastDerivable: 2, nil), .damaged(lastDerivable: 3, nil), nil])
    for cause: UInt64 in 3...4 {
      #expect(throws: StoreError<LedgerRejection>.history(.damaged(lastDerivable: cause - 1, nil))) {
        try store.append(.note(["on"]), at: .seconds(200), cause: cause)
      }
    }
    try store.append(.note(["on"]), at: .seconds(200), cause: 5)
    try expectEqual(feed.nextIfThere()?.sequence, 7)
    try store.close()
  }

  @Test("A follower is told of a loss in its place, wherever the follower begins")
  func following() throws {
    let journal = try salvaged()
    for (start, expected): (UInt64, [String]) in [
      (0, ["1", "2", "lost 3...4", "5", "6"]), (3, ["lost 4...4", "5", "6"]), (4, ["5", "6"]),
    ] {
      var follower = try journal.history(Ledger.self).follow(after: start)
      var told: [String] = []
      while let item = try follower.nextIfThere() {
        switch item {
        case .event(let step): told.append("\(step.record.sequence)")
        case .finding(let finding): told.append("lost \(finding.lostEvents ?? 0...0)")
        }
      }
      expectEqual(told, expected, "after \(start)")
    }
  }
}
