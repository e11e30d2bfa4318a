import Expectations
import EventSourcing
import Journal
import Testing

/// Stores that let go of their first events, and stores that go on from an event of another one.
@Suite("Retention and forks")
struct RetentionTests {
  /// A store on 120 notes in small segments, with checkpoints at 40, 80 and 120.
  private func store(_ journal: TemporaryJournal) throws -> EventStore<Ledger> {
    let store = try journal.create(Ledger.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    for number: Int64 in 1...120 {
      try store.append(.note(["note \(number)"]), at: .seconds(100 + number))
      if number % 40 == 0 { try store.checkpoint() }
    }
    return store
  }

  @Test("Events in the oldest checkpoint are removed, later states stay, and earlier positions are errors")
  func retiring() throws {
    let journal = try TemporaryJournal()
    var store = try store(journal)
    let states = try statesFromNothing(journal.history(Ledger.self))
    let first = try store.retire(before: 100)
    #expect(first > 1 && first <= 41)
    try store.append(.note(["on"]), at: .seconds(300))
    try store.close()
    let history = try journal.history(Ledger.self)
    #expect(history.firstSequence == first && history.reader.retirement?.firstSequence == first)
    try expectEqual(history.reader.verify().findings, [])
    for sequence: UInt64 in [40, 41, 79, 80, 120] {
      try expectEqual(history.state(at: .sequence(sequence)).state, states[Int(sequence)])
    }
    #expect(throws: HistoryError.beforeKeptRange(requested: 1, first: first)) { try history.state(at: .sequence(1)) }
    if first < 40 {
      #expect(throws: HistoryError.noStartingState(first: first)) { try history.state(at: .sequence(first)) }
    }
    #expect(throws: HistoryError.beforeKeptRange(requested: 1, first: first)) {
      var follower = try history.follow(after: 1)
      _ = try follower.nextIfThere() == nil
    }
    var last = try history.follow(after: .max)
    #expect(try last.nextIfThere() == nil)
    for start in [0, first - 1] {
      var follower = try history.follow(after: start)
      guard case .event(let step)? = try follower.nextIfThere() else {
        Issue.record("nothing is told after event \(start)")
        continue
      }
      expectEqual(step.record.sequence, first)
    }
    #expect(try history.check().isSound)
    store = try journal.open(Ledger.self) { $0.usesCheckpoints = false }
    expectEqual(store.state.notes.last, "on")
    // The newest checkpoints stay as many as they were, and more events may go behind the oldest of them.
    try store.checkpoint()
    #expect(try store.retire(before: .max) > first)
    try store.close()
    try expectEqual(journal.open(Ledger.self).state.notes.last, "on")
  }

  @Test(
    "A plan says what retiring then does, and every event that stays keeps its states when that is wanted",
    arguments: [1, 30, 41, 60, 100, .max] as [UInt64], [false, true])
  func planned(before sequence: UInt64, keepingStates: Bool) throws {
    let journal = try TemporaryJournal()
    let store = try store(journal)
    let states = try statesFromNothing(journal.history(Ledger.self))
    let plan = try journal.history(Ledger.self).retirementPlan(before: sequence, keepingStates: keepingStates)
    let files = Set(journal.files)
    try expectEqual(store.retire(before: sequence, keepingStates: keepingStates), plan.removal.firstSequence)
    let gone = files.subtracting(journal.files)
    expectEqual(gone, Set(plan.removal.segments.map(\.file) + plan.obsoleteCheckpoints.map(\.file)))
    try store.close()
    let history = try journal.history(Ledger.self)
    let first = plan.removal.firstSequence
    #expect(history.firstSequence == first && (plan.removal.events?.upperBound ?? 0) + 1 == first)
    if first > 1 {
      let known = keepingStates ? first - 1 : 40
      #expect(plan.checkpointSequence == known && plan.revision == Ledger.revision)
      for sequence in known...120 {
        try expectEqual(history.state(at: .sequence(sequence)).state, states[Int(sequence)], "event \(sequence)")
      }
      #expect(throws: HistoryError.self) { try history.state(at: .sequence(known - 1)) }
    }
    #expect(keepingStates || first <= 41)
    #expect(try history.check().isSound && history.reader.verify().findings == [])
    try expectEqual(journal.open(Ledger.self).state, states[120])
  }

  @Test("With its states, a journal without a checkpoint can be retired")
  func keepingStatesWithoutCheckpoint() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    for number: Int64 in 1...60 { try store.append(.note(["note \(number)"]), at: .seconds(100 + number)) }
    let plan = try journal.history(Ledger.self).retirementPlan(before: 50, keepingStates: true)
    #expect(plan.writesCheckpoint && !plan.isEmpty)
    try expectEqual(store.retire(before: 50, keepingStates: true), plan.removal.firstSequence)
    try store.close()
    try expectEqual(journal.open(Ledger.self).state, store.state)
  }

  @Test(
    "A walk that begins before the checkpoint for retired events has states from the checkpoint on",
    arguments: [nil, 39, 60] as [UInt64?])
  func beforeCheckpoint(damaged: UInt64?) throws {
    let journal = try TemporaryJournal()
    let store = try store(journal)
    let states = try statesFromNothing(journal.history(Ledger.self))
    let first = try store.retire(before: 100)
    try store.close()
    try #require(first < 39)
    if let damaged {
      var cursor = try journal.history(Ledger.self).reader.cursor(after: damaged - 1)
      guard case .event(let event)? = try cursor.next() else { throw NotThere() }
      try journal.damage(event.file, at: event.offset + 20)
    }
    let history = try journal.history(Ledger.self)
    // Behind damage it is not known whether a checkpoint in the same segment is of this history.
    let known: UInt64 = damaged == 39 ? 80 : 40
    for start in [first, 38, 40] {
      var cursor = try history.cursor(upToCheckpointFrom: start)
      #expect(cursor.lastDerivable == known && cursor.state == nil)
      var told: [UInt64] = []
      while let item = try cursor.next() {
        guard case .event(let step) = item else { continue }
        let sequence = step.record.sequence
        told.append(sequence)
        let isKnown = sequence >= known && (damaged != 60 || sequence < 60)
        expectEqual(step.before, isKnown && sequence > known ? states[Int(sequence) - 1] : nil, "event \(sequence)")
        expectEqual(step.after, isKnown ? states[Int(sequence)] : nil, "event \(sequence)")
        expectEqual(cursor.state, step.after)
      }
      expectEqual(told, (start...120).filter { $0 != damaged })
      #expect((cursor.obstacle == nil) == (damaged != 60))
      expectEqual(cursor.lastDerivable, damaged == 60 ? 59 : 120)
    }
    #expect(throws: HistoryError.noStartingState(first: first)) {
      _ = try history.cursor(upToCheckpointFrom: known + 1).lastDerivable
    }
  }

  private struct NotThere: Error {}

  @Test("Without a checkpoint, nothing is retired")
  func noCheckpoint() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.tell()
    #expect {
      try store.retire(before: 5)
    } throws: {
      "\($0)".hasSuffix(
        "no usable checkpoint covers the events to retire; write a checkpoint first")
    }
    try store.close()
  }

  @Test("A retired journal and a fork keep the domain and describe every event, and refuse other programs")
  func domain() throws {
    let journal = try TemporaryJournal()
    let fork = try TemporaryJournal()
    let store = try store(journal)
    try store.retire(before: 100)
    try store.close()
    let history = try journal.history(Ledger.self)
    let id = try #require(JournalID(bytes: [UInt8](repeating: 9, count: 16)))
    let forked = try EventStore<Ledger>.fork(
      from: history, at: 110, to: fork.path, journalID: id, createdNanoseconds: 2)
    try forked.append(.note(["on"]), at: .seconds(400))
    try forked.close()
    for path in [journal.path, fork.path] {
      let reader = try JournalReader(path: path)
      expectEqual(reader.domain, LedgerEvent.domain)
      for sequence in [reader.firstSequence, .max] {
        try expectEqual(reader.catalog(at: sequence), Ledger.journalDomain().catalog)
      }
      #expect(History<CountingMachine>(reader).isOfOtherDomain)
      #expect(throws: JournalError.self) {
        _ = try JournalWriter.open(at: path, options: JournalOptions(of: CountingEvent.self))
      }
      try expectEqual(reader.verify().findings, [])
    }
    #expect(throws: JournalError.self) {
      _ = try JournalWriter.fork(
        from: history.reader, at: 110, to: fork.path + "-2", id: id, createdNanoseconds: 2,
        options: JournalOptions(of: CountingEvent.self))
    }
  }

  @Test("A fork has its parent's state, continues by itself, and compares as equal up to the fork")
  func forking() throws {
    let journal = try TemporaryJournal()
    let store = try store(journal)
    try store.journal.sync()
    let history = try journal.history(Ledger.self)
    for sequence: UInt64 in [0, 1, 40, 77, 120] {
      let copy = try TemporaryJournal()
      let id = try #require(JournalID(bytes: [UInt8](repeating: 9, count: 16)))
      let fork = try EventStore<Ledger>.fork(
        from: history, at: sequence, to: copy.path, journalID: id, createdNanoseconds: 2)
      let state = try history.state(at: .sequence(sequence))
      #expect(fork.state == state.state && fork.lastSequence == sequence && fork.journal.lastChain == state.chain)
      try fork.append(.note(["elsewhere"]), at: .seconds(500))
      expectEqual(fork.lastSequence, sequence + 1)
      try fork.close()
      let other = try copy.history(Ledger.self)
      #expect(other.reader.identity.parent?.id == TemporaryJournal.id && other.firstSequence == sequence + 1)
      try expectEqual(other.state(at: .end).state.notes.last, "elsewhere")
      #expect(try other.check().isSound && other.reader.verify().isSound)
    }
    #expect(throws: HistoryError.self) {
      try EventStore<Ledger>.fork(
        from: history, at: 121, to: TemporaryJournal().path, journalID: TemporaryJournal.id, createdNanoseconds: 2)
    }
    try store.close()
  }

  @Test("A command with a key is recognised in a fork as in its parent")
  func keys() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.journal.syncPolicy = .everyCommit }
    try store.append(.note(["once"]), at: .seconds(1), idempotencyKey: [1, 2])
    try store.append(.note(["more"]), at: .seconds(2))
    let copy = try TemporaryJournal()
    let id = try #require(JournalID(bytes: [UInt8](repeating: 9, count: 16)))
    let fork = try EventStore<Ledger>.fork(
      from: journal.history(), at: 2, to: copy.path, journalID: id, createdNanoseconds: 2)
    // The key is known, and the event is the parent's, which is not here.
    let repetition = try fork.append(.note(["once"]), at: .seconds(3), idempotencyKey: [1, 2])
    #expect(repetition.isRepetition && repetition.events.isEmpty)
    #expect(throws: StoreError<Ledger.Rejection>.keyReused(sequence: 1)) {
      try fork.append(.note(["twice"]), at: .seconds(3), idempotencyKey: [1, 2])
    }
    expectEqual(fork.lastSequence, 2)
    try fork.close()
    try store.close()
  }
}
