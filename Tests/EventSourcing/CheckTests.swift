import Expectations
import EventSourcing
import Journal
import Testing
import WireFormat

@Suite("Checking a history against what was recorded")
struct CheckTests {
  @Test("A history replayed by the rules that wrote it is sound")
  func sound() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.tell(story.prefix(6))
    try store.checkpoint()
    try store.tell(story.dropFirst(6))
    try store.checkpoint()
    try store.close()
    let report = try journal.history(Ledger.self).check()
    #expect(report.isSound && report.notes.isEmpty)
    #expect(report.events == storyLength && report.lastSequence == storyLength)
    // One digest for each command.
    expectEqual(report.digestsCompared, UInt64(story.count))
    expectEqual(report.checkpointsCompared, 2)
    expectEqual(report.stateDigest, StateDigest(of: store.state))
  }

  /// Event 7 moves 90, the first amount that the changed rules treat differently.
  @Test("A reducer changed without raising its revision is found at its event and path", arguments: [false, true])
  func plantedChange(withCheckpoint: Bool) throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.tell()
    if withCheckpoint { try store.checkpoint() }
    try store.close()
    let report = try journal.history(LedgerMachine<SilentlyChangedRules>.self).check()
    let mismatch = try #require(report.mismatch)
    #expect(!report.isSound)
    #expect(mismatch.sequence == 7 && mismatch.lastAgreement == 6)
    expectEqual(mismatch.recordedDigest.count, 8)
    #expect(!mismatch.computedDigest.combined.begins(with: mismatch.recordedDigest))
    expectEqual(
      mismatch.suspects.map(\.path),
      [
        "/accounts/a1/balance", "/accounts/a2/balance", "/totals/transfers", "/totals/lastTransferTime",
      ])
    if withCheckpoint {
      // The checkpoint proves which of the values is wrong: that of the receiver.
      let evidence = try #require(mismatch.evidence)
      expectEqual(evidence.sequence, storyLength)
      expectEqual(
        evidence.diff.changes,
        [
          StateChange(path: "/accounts/a1/balance", before: .integer(-10), after: .integer(-12)),
          StateChange(path: "/accounts/a3/balance", before: .integer(60), after: .integer(59)),
        ])
      expectEqual(mismatch.paths, ["/accounts/a1/balance"])
      expectEqual(mismatch.slices, ["accounts"])
    } else {
      #expect(mismatch.evidence == nil)
      expectEqual(mismatch.paths, mismatch.suspects.map(\.path))
      expectEqual(mismatch.slices, ["accounts", "totals"])
    }
    // Every event is replayed all the same.
    expectEqual(report.events, storyLength)
  }

  @Test("Without recorded digests, a checkpoint reveals the change since the last agreement")
  func checkpointOnly() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.recordsStateDigest = false }
    try store.tell(story.prefix(4))
    try store.checkpoint()
    try store.tell(story[4..<7])
    try store.checkpoint()
    try store.close()
    let report = try journal.history(LedgerMachine<SilentlyChangedRules>.self).check()
    let mismatch = try #require(report.mismatch)
    #expect(report.digestsCompared == 0 && report.checkpointsCompared == 2)
    #expect(mismatch.sequence == 8 && mismatch.lastAgreement == 4)
    #expect(mismatch.recordedDigest.isEmpty)
    expectEqual(mismatch.paths, ["/accounts/a1/balance"])
  }

  @Test("A changed reducer with another revision does not compare checkpoints, and the report says so")
  func otherRevision() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.recordsStateDigest = false }
    try store.tell()
    try store.checkpoint()
    try store.close()
    let report = try journal.history(LedgerMachine<NextRules>.self).check()
    #expect(report.mismatch == nil && report.checkpointsCompared == 0)
    expectEqual(
      report.notes,
      [
        CheckpointNote(sequence: storyLength, refusal: .otherReducer(recorded: 3, current: 4))
      ])
  }

  /// The ledger's rules, where the start of a process says which revision computes from there on.
  enum RecordingMachine<Rules: LedgerRules>: Reducer {
    typealias Base = LedgerMachine<Rules>
    static var revision: UInt32 { Base.revision }
    static var initialState: LedgerState { Base.initialState }
    static var processStart: UInt32? { 9 }
    static func reduce(into state: inout LedgerState, _ event: LedgerEvent, _ context: EventContext) {
      Base.reduce(into: &state, event, context)
    }
    static func recordedRevision(in event: LedgerEvent) -> UInt32? { event == .started ? 3 : nil }
  }

  @Test("Records of another revision are not a mismatch; the same change under the same revision is")
  func recordedRevisions() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.keyframeInterval = 4 }
    try store.tell()
    try store.checkpoint()
    try store.close()
    let raised = try journal.history(RecordingMachine<NextRules>.self).check()
    #expect(raised.isSound && raised.digestsCompared == 0)
    expectEqual(raised.digestsOfOtherRevisions, UInt64(story.count))
    #expect(raised.keyframesCompared == 0 && raised.checkpointsCompared == 0)
    expectEqual(raised.notes.map(\.isKeyframe), [true, false])
    let kept = try journal.history(RecordingMachine<SilentlyChangedRules>.self).check()
    #expect(kept.mismatch?.sequence == 7 && kept.digestsOfOtherRevisions == 0)
    // The keyframe after event 7 is the first to show what was recorded.
    #expect(kept.mismatch?.evidence?.sequence == 8 && kept.mismatch?.paths == ["/accounts/a1/balance"])
    expectEqual(kept.keyframesCompared, 2)
    let same = try journal.history(RecordingMachine<CurrentRules>.self).check()
    #expect(same.isSound && same.digestsCompared == UInt64(story.count) && same.keyframesCompared == 3)
  }

  /// Counts accounts and notes, and does not mark that it counted a note.
  enum CarelessMachine: Decider {
    struct State: MachineState {
      var accounts: UInt64 = 0 { didSet { changed.insert(0) } }
      var notes: UInt64 = 0
      private var changed = ChangedSlices()

      static let sliceNames = ["accounts", "notes"]

      func encodeSlice(_ index: Int, into writer: inout WireWriter) {
        writer.write(1, unsigned: index == 0 ? accounts : notes)
      }

      mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
        while let field = try reader.nextField() {
          let number = try reader.unsigned(field)
          if index == 0 { accounts = number } else { notes = number }
        }
      }

      mutating func takeChangedSlices() -> ChangedSlices? { changed.removeAll() }

      func tree() -> StateTree {
        .members([
          .init("accounts", .integer(Int64(clamping: accounts))), .init("notes", .integer(Int64(clamping: notes))),
        ])
      }
    }

    static var revision: UInt32 { 1 }
    static var initialState: State { State() }

    static func reduce(into state: inout State, _ event: LedgerEvent, _ context: EventContext) {
      switch event {
      case .opened: state.accounts += 1
      case .noted: state.notes += 1
      case .moved, .closed, .started: break
      }
    }

    static func decide(
      _ command: LedgerCommand, in state: State, at next: EventContext, explanation: inout Explanation
    ) throws(LedgerRejection) -> DecidedEvents<Self> {
      if case .note(let texts) = command { return DecidedEvents(texts.map { .noted($0) }, in: state, at: next) }
      return DecidedEvents([.opened(account: state.accounts + 1, owner: "", email: nil)], in: state, at: next)
    }
  }

  @Test("A state that does not mark what it writes is found at the event, because a store compares whole slices")
  func careless() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(CarelessMachine.self)
    for command: LedgerCommand in [.open("a"), .open("b"), .note(["c"]), .open("d")] {
      try store.append(command, at: .seconds(1))
    }
    try store.close()
    let report = try journal.history(CarelessMachine.self).check()
    #expect(report.mismatch?.sequence == 3 && report.mismatch?.lastAgreement == 2)
    expectEqual(report.mismatch?.suspects.map(\.path), ["/notes"])
  }

  @Test("The report says where the replay had to stop")
  func stopped() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.tell()
    try store.close()
    try journal.appendRaw([Envelope(type: 77, at: .seconds(1))])
    let report = try journal.history(Ledger.self).check()
    expectEqual(report.obstacle, .unknownType(sequence: storyLength + 1, type: 77, version: 1))
    #expect(report.mismatch == nil && !report.isSound && report.lastSequence == storyLength)
  }

  @Test("Nothing after the place where the replay stopped is reported as missing")
  func notReached() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { $0.keyframeInterval = 4 }
    try store.tell()
    try store.checkpoint()
    try store.close()
    var cursor = try JournalReader(path: journal.path).cursor(after: 4)
    guard case .event(let event)? = try cursor.next() else {
      Issue.record("no event")
      return
    }
    try journal.damage(event.file, at: event.offset + 20)
    let report = try journal.history(Ledger.self).check()
    #expect(report.obstacle != nil && report.lastSequence == 4 && report.keyframesCompared == 1)
    expectEqual(report.notes.map(\.refusal), [.notReached, .notReached])
    expectEqual(report.notes.map(\.sequence), [8, storyLength])
    expectEqual(report.notes.first?.description, "the keyframe at event 8 is not used: the replay did not get there")
  }
}
