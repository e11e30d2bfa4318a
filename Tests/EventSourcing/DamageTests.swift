import Expectations
import EventSourcing
import Journal
import Testing
import WireFormat

@Suite("Histories with damaged bytes")
struct DamageTests {
  /// The story, one event to a batch, durable and closed, with one byte of event 6 inverted.
  private func damaged() throws -> (TemporaryJournal, History<Ledger>, [LedgerState]) {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.journal.syncPolicy = .everyCommit }
    try store.tell()
    try store.close()
    let states = try statesFromNothing(journal.history(Ledger.self))
    let reader = try JournalReader(path: journal.path)
    var cursor = try reader.cursor(after: 6)
    guard case .event(let event)? = try cursor.next() else {
      Issue.record("event 7 is missing before anything was damaged")
      return (journal, try journal.history(Ledger.self), states)
    }
    try journal.damage(event.file, at: event.offset + 20)
    return (journal, try journal.history(Ledger.self), states)
  }

  private func lastDerivable(_ body: () throws -> Void) -> UInt64? {
    do {
      try body()
      return nil
    } catch let error as HistoryError {
      guard case .damaged(let last, let finding) = error else { return nil }
      return finding?.isDamage == true ? last : nil
    } catch {
      return nil
    }
  }

  @Test("States up to the damage are known, and later positions are refused with the last known one")
  func states() throws {
    let (journal, history, states) = try damaged()
    for sequence in 0...6 { try expectEqual(history.state(at: .sequence(UInt64(sequence))).state, states[sequence]) }
    for position in [Position.sequence(7), .sequence(8), .end, .time(.max)] {
      expectEqual(lastDerivable { _ = try history.state(at: position) }, 6, "\(position)")
    }
    expectEqual(lastDerivable { _ = try history.lastWrites(to: "/notes") }, 6)
    expectEqual(lastDerivable { _ = try history.divergence(from: history) }, 6)
    expectEqual(lastDerivable { _ = try history.lastSequence() }, 6)
    withExtendedLifetime(journal) {}
  }

  @Test("A time before the damage is resolved")
  func times() throws {
    let (journal, history, _) = try damaged()
    try expectEqual(history.resolve(.time(102_500_000_000)).sequence, 3)
    try expectEqual(history.resolve(.time(103_500_000_000)).sequence, 4)
    expectEqual(lastDerivable { _ = try history.resolve(.time(106_500_000_000)) }, 6)
    withExtendedLifetime(journal) {}
  }

  @Test("A log continues past the damage, without states")
  func log() throws {
    let (journal, history, states) = try damaged()
    var cursor = try history.cursor()
    var sequences: [UInt64] = []
    var findings = 0
    while let item = try cursor.next() {
      switch item {
      case .event(let step):
        sequences.append(step.record.sequence)
        #expect((step.after != nil) == (step.record.sequence <= 6))
        if let after = step.after { expectEqual(after, states[Int(step.record.sequence)]) }
      case .finding(let finding): findings += finding.isDamage ? 1 : 0
      }
    }
    expectEqual(sequences, [1, 2, 3, 4, 5, 6] + Array(8...storyLength))
    expectEqual(findings, 1)
    #expect(cursor.lastDerivable == 6 && cursor.state == nil)
    var stopping = try history.cursor(beyondDamage: false)
    var last: UInt64 = 0
    while let item = try stopping.next() { if case .event(let step) = item { last = step.record.sequence } }
    expectEqual(last, 6)
    withExtendedLifetime(journal) {}
  }

  @Test("A check says how far it got")
  func check() throws {
    let (journal, history, _) = try damaged()
    let report = try history.check()
    #expect(!report.isSound && report.mismatch == nil && report.lastSequence == 6)
    expectEqual(report.obstacle?.lastDerivable, 6)
    withExtendedLifetime(journal) {}
  }

  @Test("A damaged journal is not opened for writing unless the caller gives up what follows the damage")
  func opening() throws {
    let (journal, history, states) = try damaged()
    #expect(throws: HistoryError.self) { try journal.open(Ledger.self) }
    let store = try journal.open(Ledger.self) { $0.onDamage = .continueAfterVerifiedPrefix }
    #expect(store.lastSequence == 6 && store.state == states[6])
    try store.append(.note(["after"]), at: .seconds(500))
    expectEqual(store.lastSequence, 7)
    try expectEqual(store.recordedEvents(after: 5).map(\.sequence), [6, 7])
    try store.close()
    let again = try journal.open(Ledger.self) { $0.onDamage = .continueAfterVerifiedPrefix }
    expectEqual(again.state, store.state)
    try again.close()
    // A history stops at the damage unless it is told to go on.
    var later = try journal.history(Ledger.self)
    expectEqual(lastDerivable { _ = try later.state(at: .end) }, 6)
    for goesBeyondDamage in [false, true] {
      later.goesBeyondDamage = goesBeyondDamage
      var cursor = try later.cursor()
      var known: [UInt64] = []
      while let item = try cursor.next() {
        if case .event(let step) = item, step.after != nil { known.append(step.record.sequence) }
      }
      expectEqual(known, Array(1...(goesBeyondDamage ? 7 : 6)))
      #expect((cursor.obstacle == nil) == goesBeyondDamage)
    }
    try expectEqual(later.state(at: .end).state, store.state)
    withExtendedLifetime(history) {}
  }

  private static let sentences: [(HistoryError, String)] = [
    (
      HistoryError.beforeKeptRange(requested: 3, first: 9),
      "position 3 is before event 9, the first that is still kept. Ask for 9 or a later position."
    ),
    (
      .afterEnd(requested: 12, last: 9),
      "position 12 is after the end: the last event is 9. Ask for 9 or an earlier position."
    ),
    (
      .afterEnd(requested: 1, last: 0),
      "position 1 is after the end: the journal has no events. Ask for 0 or an earlier position."
    ),
    (
      .timeBeforeKeptRange(wallNanoseconds: 0, first: 9),
      "the time is before event 9, the first that is still kept; earlier events are gone. "
        + "Ask for position 9 or a later one."
    ),
    (
      .noStartingState(first: 9),
      "the journal begins with event 9, and no usable checkpoint holds the state before it. "
        + "Use the program version that wrote the checkpoints, or a copy with the earlier segments."
    ),
    (
      .damaged(lastDerivable: 6, nil),
      "the journal is damaged after event 6. Ask for position 6 or an earlier one, or restore the journal from a copy."
    ),
    (
      .damaged(lastDerivable: 0, nil),
      "the journal is damaged before its first event can be read. "
        + "Ask for position 0 or an earlier one, or restore the journal from a copy."
    ),
    (
      .damaged(
        lastDerivable: 6,
        Finding(
          .ioError(5), file: "x", byteRange: 0..<1, cause: "the device failed", evidence: "it said so",
          remedy: "read it again")),
      "the journal cannot be read beyond event 6: the device failed. "
        + "Ask for position 6 or an earlier one, or do this first: read it again."
    ),
    (
      .unknownType(sequence: 5, type: 77, version: 2),
      "event 5 has the unknown type 77 (version 2), which must be understood. "
        + "Use the program version that wrote it, or ask for position 4 or an earlier one."
    ),
    (
      .unknownVersion(sequence: 5, name: "a.b", version: 2),
      "event 5, a.b, has version 2, which this program does not know and must understand. "
        + "Use the program version that wrote it, or ask for position 4 or an earlier one."
    ),
    (
      .undecodable(sequence: 5, name: "a.b", WireError(.truncated, at: 3)),
      "event 5, a.b, has a body that cannot be read: byte 3: the message ends in the middle of a value. "
        + "Look at its bytes, or ask for position 4 or an earlier one."
    ),
    (
      .foreignPayload(sequence: 5, WireError(.truncated, at: 3)),
      "event 5 has an unreadable envelope: byte 3: the message ends in the middle of a value. "
        + "Look at its bytes, or ask for position 4 or an earlier one."
    ),
  ]

  @Test("Every error says what is wrong and what to do", arguments: sentences)
  func descriptions(error: HistoryError, text: String) {
    expectEqual(error.description, text)
  }
}
