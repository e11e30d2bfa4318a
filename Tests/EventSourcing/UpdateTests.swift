import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

/// Programs that follow each other on one journal.
@Suite("Updates")
struct UpdateTests {
  /// Small segments, so that events can be retired.
  static func small(_ options: inout StoreOptions) {
    options.journal.segmentSizeLimit = 1 << 10
    options.journal.preallocation = 0
    options.keyframeInterval = 0
  }

  /// A journal that program 1 wrote: account 1, and deposits of 1 to `count` euros, with a checkpoint after each event in
  /// `checkpoints`.
  private func journal(count: Int64 = 60, checkpoints: [UInt64] = []) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Bank<Bank1>.self, Self.small)
    try store.append(.opened(account: 1, owner: "Ada"), at: .seconds(1))
    for euros in 1...count {
      try store.append(.deposited(account: 1, amount: euros), at: .seconds(1 + euros))
      if checkpoints.contains(UInt64(euros) + 1) { try store.checkpoint() }
    }
    try store.close()
    return journal
  }

  /// The same, with a checkpoint after event 40 and the events before it retired.
  private func retired() throws -> TemporaryJournal {
    let journal = try journal(checkpoints: [40])
    let store = try journal.open(Bank<Bank1>.self, Self.small)
    #expect(try store.retire(before: 40) > 1)
    try store.close()
    return journal
  }

  private static let sum: Int64 = (1...60).reduce(0, +) * 100

  // MARK: - Checkpoints

  @Test("New types, versions, fields and slices keep the checkpoints of a retired journal valid")
  func additions() throws {
    let journal = try retired()
    func open<Program: BankProgram>(_ program: Program.Type) throws {
      let store = try journal.open(Bank<Program>.self, Self.small)
      #expect(store.opening.checkpoint == 40 && store.opening.checkpointNotes == [], "program \(Program.number)")
      #expect(store.state.accounts[key: 1]?.cents == Self.sum && store.state.deposits == 60)
      #expect(store.state.notes == [] && store.state.accounts[key: 1]?.limit == 0)
      try store.close()
      let report = try journal.history(Bank<Program>.self).check()
      #expect(report.isSound && report.digestsCompared > 20 && report.digestsOfOtherPrograms == 0)
    }
    try open(Bank2.self)
    try open(Bank3.self)
  }

  @Test("Keyframes of the program before stay valid")
  func keyframes() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Bank<Bank1>.self) { $0.keyframeInterval = 16 }
    try store.append(.opened(account: 1), at: .seconds(1))
    for number: Int64 in 1...40 { try store.append(.deposited(account: 1, amount: number), at: .seconds(number)) }
    try store.close()
    let history = try journal.history(Bank<Bank2>.self)
    try expectEqual(history.state(at: .sequence(33)).origin, .keyframe(32))
    try expectEqual(history.check().keyframesCompared, 2)
    try expectEqual(journal.open(Bank<Bank2>.self).opening.keyframe, 32)
  }

  @Test("A checkpoint whose bytes differ from what was recorded is refused, also where slices were added")
  func changedSlices() throws {
    let state = Bank<Bank1>()
    var body = StateCheckpoint(
      of: state, digest: StateDigest(of: state), window: IdempotencyWindow(), by: Bank<Bank1>.self)
    try expectEqual(body.restore(as: Bank<Bank2>.self), Bank<Bank2>())
    body.slices[1].bytes = [0x10, 7]
    #expect(throws: CheckpointRefusal.self) { try body.restore(as: Bank<Bank2>.self) }
    body = StateCheckpoint(of: state, digest: StateDigest(of: state), window: IdempotencyWindow(), by: Bank<Bank1>.self)
    body.slices.append(body.slices[0])
    #expect(throws: CheckpointRefusal.repeatedSlice(name: "accounts")) { try body.restore(as: Bank<Bank1>.self) }
  }

  @Test("A slice that an earlier program does not know is left out if it may be, and the checkpoint refused if not")
  func unknownSlices() throws {
    var state = Bank<Bank2>()
    state.notes = ["a"]
    var body = StateCheckpoint(
      of: state, digest: StateDigest(of: state), window: IdempotencyWindow(), by: Bank<Bank2>.self)
    try expectEqual(body.restore(as: Bank<Bank1>.self), Bank<Bank1>())
    expectEqual(body.lacking(at: 9, in: Bank<Bank1>.sliceNames).parts, [OmittedContent.Part(slice: "notes", last: 9)])
    body.slices[2].bytes[1] ^= 1
    #expect(throws: CheckpointRefusal.self) { try body.restore(as: Bank<Bank1>.self) }
    let later = StateCheckpoint(
      of: Bank<Bank6>(), digest: StateDigest(of: Bank<Bank6>()), window: IdempotencyWindow(), by: Bank<Bank6>.self)
    #expect(throws: CheckpointRefusal.unknownSlice(name: "closed")) { try later.restore(as: Bank<Bank5>.self) }
  }

  @Test("What an earlier program left out is recorded in its checkpoints, which a later program then does not use")
  func leftOut() throws {
    let journal = try journal(count: 3)
    var two = try journal.open(Bank<Bank2>.self, Self.small)
    try two.append(.noted(text: "a"), at: .seconds(9))
    try two.checkpoint()
    try two.close()
    // Program 1 goes on from a state with a slice that it leaves out.
    let one = try journal.open(Bank<Bank1>.self, Self.small)
    expectEqual(one.opening.checkpoint, 5)
    try one.append(.deposited(account: 1, amount: 7), at: .seconds(10))
    try one.checkpoint()
    try one.close()
    two = try journal.open(Bank<Bank2>.self, Self.small)
    expectEqual(two.opening.checkpointNotes.map(\.refusal), [.leftOut(what: "the slice notes")])
    #expect(two.opening.checkpoint == 5 && two.state.notes == ["a"] && two.state.deposits == 4)
    try two.append(.noted(text: "b"), at: .seconds(11))
    try two.close()
    // It also does when it has left out the events themselves, and once it was only one of several.
    let again = try journal.open(Bank<Bank1>.self) { $0.usesCheckpoints = false }
    try again.checkpoint()
    try again.close()
    let body = try StateCheckpoint(
      bytes: journal.history(Bank<Bank1>.self).reader.body(
        of: journal.history(Bank<Bank1>.self).reader.checkpoints()[0]))
    expectEqual(body.leftOut.parts, [OmittedContent.Part(type: 3, version: 1, last: 7)])
    let report = try journal.history(Bank<Bank2>.self).check()
    #expect(report.isSound && report.digestsOfOtherPrograms == 1 && report.notes.count == 2)
    try expectEqual(journal.open(Bank<Bank2>.self).state.notes, ["a", "b"])
  }

  /// A journal that program 1 went on with after program 2 had noted something and retired the past.
  private func retiredNotes(checkpoints: Int) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let two = try journal.create(Bank<Bank2>.self, Self.small)
    try two.append(.opened(account: 1), at: .seconds(1))
    try two.append(.noted(text: "a"), at: .seconds(2))
    for number: Int64 in 1...60 { try two.append(.deposited(account: 1, amount: 1), at: .seconds(number)) }
    #expect(try two.retire(before: 40, keepingStates: true) > 2)
    try two.close()
    let one = try journal.open(Bank<Bank1>.self, Self.small)
    for number: Int64 in 1...Int64(checkpoints) {
      try one.append(.deposited(account: 1, amount: number), at: .seconds(100 + number))
      try one.checkpoint()
    }
    try one.close()
    return journal
  }

  @Test("A complete checkpoint is preferred to a later one that lacks what is retired")
  func completeCheckpoint() throws {
    let journal = try retiredNotes(checkpoints: 1)
    let history = try journal.history(Bank<Bank2>.self)
    let first = history.firstSequence
    for _ in 0..<2 {
      let two = try journal.open(Bank<Bank2>.self, Self.small)
      #expect(two.opening.checkpoint == first - 1 && two.state.notes == ["a"] && two.state.deposits == 61)
      try two.close()
    }
    #expect(try journal.history(Bank<Bank2>.self).check().isSound)
  }

  @Test("However many checkpoints the earlier program writes, the complete one of a retired journal stays")
  func keptCheckpoint() throws {
    let journal = try retiredNotes(checkpoints: 5)
    let first = try journal.history(Bank<Bank2>.self).firstSequence
    let two = try journal.open(Bank<Bank2>.self, Self.small)
    #expect(two.opening.checkpoint == first - 1 && two.state.notes == ["a"] && two.state.deposits == 65)
    #expect(two.opening.checkpointNotes.count < 5)
    // Once a complete one follows, it goes too.
    for number: Int64 in 1...3 {
      try two.append(.noted(text: "b"), at: .seconds(200 + number))
      try two.checkpoint()
    }
    try expectEqual(journal.history(Bank<Bank2>.self).reader.checkpoints().map(\.sequence), [68, 69, 70].reversed())
  }

  @Test("What a state lacks does not matter once the events are retired")
  func leftOutAndRetired() throws {
    let journal = try TemporaryJournal()
    let two = try journal.create(Bank<Bank2>.self, Self.small)
    try two.append(.opened(account: 1), at: .seconds(1))
    try two.append(.noted(text: "a"), at: .seconds(2))
    try two.close()
    let one = try journal.open(Bank<Bank1>.self, Self.small)
    for number: Int64 in 1...40 { try one.append(.deposited(account: 1, amount: 1), at: .seconds(number)) }
    try one.checkpoint()
    #expect(throws: HistoryError.self) { try one.retire(before: .max) }
    // Whoever does it all the same, below the store, has lost it.
    let checkpoint = try #require(journal.history(Bank<Bank1>.self).reader.checkpoints().first)
    #expect(try one.journal.retire(before: .max, after: checkpoint) > 2)
    try expectEqual(journal.history(Bank<Bank1>.self).retirementPlan(before: .max).losses, [])
    try one.close()
    let store = try journal.open(Bank<Bank2>.self, Self.small)
    #expect(store.opening.checkpoint == 42 && store.state.deposits == 40 && store.state.notes == [])
    // What follows is as complete as it can be.
    try store.append(.noted(text: "b"), at: .seconds(50))
    try store.checkpoint()
    try store.close()
    let again = try journal.open(Bank<Bank2>.self, Self.small)
    #expect(again.opening.checkpoint == 43 && again.opening.checkpointNotes == [] && again.state.notes == ["b"])
  }

  @Test("No stored state hides an event that must be understood", arguments: [true, false])
  func hiddenEvents(byCheckpoint: Bool) throws {
    let journal = try journal(count: 3)
    let three = try journal.open(Bank<Bank3>.self) { $0.keyframeInterval = byCheckpoint ? 0 : 1 }
    try three.append(.deposited(account: 1, amount: 5), at: .seconds(9))
    if byCheckpoint { try three.checkpoint() }
    try three.close()
    let error = HistoryError.unknownVersion(sequence: 5, name: "money.deposited", version: 2)
    try expectRefusal(error, of: Bank<Bank2>.self, journal, saying: "event 5, money.deposited, has version 2")
    #expect(throws: error) { try journal.history(Bank<Bank2>.self).state(at: .end) }
  }

  @Test("A state that this program stored itself counts, whatever another one wrote before it")
  func ownState() throws {
    let journal = try journal(count: 3)
    let three = try journal.open(Bank<Bank3>.self, Self.small)
    try three.append(.noted(text: "a"), at: .seconds(9))
    try three.checkpoint()
    try three.close()
    let two = try journal.open(Bank<Bank2>.self, Self.small)
    #expect(two.opening.checkpointNotes.map(\.refusal) == [.unknownEvents] && two.state.notes == ["a"])
    try two.append(.noted(text: "b"), at: .seconds(9))
    try two.checkpoint()
    try two.close()
    try expectEqual(journal.open(Bank<Bank2>.self, Self.small).opening.checkpoint, 6)
  }

  @Test("States are not compared after an event that was left out and may have changed any part of them")
  func uncomparable() throws {
    let journal = try journal(count: 3)
    let later = try journal.open(Bank<Bank1Noting>.self) { $0.keyframeInterval = 1 }
    try later.append(.noted(text: "a"), at: .seconds(9))
    try later.append(.deposited(account: 1, amount: 1), at: .seconds(10))
    try later.checkpoint()
    try later.close()
    let report = try journal.history(Bank<Bank1>.self).check()
    #expect(report.isSound && report.digestsCompared == 4 && report.digestsOfOtherPrograms == 2)
    expectEqual(report.notes.map(\.refusal), [.unknownEvents, .unknownEvents])
    // What the later program itself computes is compared.
    try expectEqual(journal.history(Bank<Bank1Noting>.self).check().digestsCompared, 6)
  }

  // MARK: - Revisions

  @Test("A raised revision folds everything anew where the events are there, and writes nothing about it")
  func raisedRevision() throws {
    let journal = try journal(count: 100, checkpoints: [40])
    let store = try journal.open(Bank<Bank4>.self, Self.small)
    #expect(store.opening.checkpoint == nil && store.lastSequence == 101)
    let cents: Int64 = 505_100
    expectEqual(store.state.accounts[key: 1]?.cents, cents)
    try store.close()
    let report = try journal.history(Bank<Bank4>.self).check()
    #expect(report.isSound && report.otherRevisions == [1] && report.digestsOfOtherRevisions == 101)
  }

  @Test("A raised revision takes over the stored state of a retired journal, records that, and reaches the same again")
  func migration() throws {
    let journal = try retired()
    let store = try journal.open(Bank<Bank4>.self, Self.small)
    #expect(store.lastSequence == 62 && store.state.accounts[key: 1]?.cents == Self.sum)
    try store.append(.deposited(account: 1, amount: 20_000), at: .seconds(99))
    try store.close()
    let history = try journal.history(Bank<Bank4>.self)
    var cursor = try history.cursor(after: .sequence(61))
    guard case .event(let step)? = try cursor.next(), case .migration(let migration) = step.record.content else {
      Issue.record("no migration is recorded")
      return
    }
    #expect((migration.from, migration.to, migration.checkpoint) == (1, 2, 40))
    #expect(step.record.typeName == "state.migrated" && step.changes?.isEmpty == true)
    expectEqual(migration.after, StateDigest(of: try history.state(at: .sequence(40)).state).combined.bytes)
    expectEqual(step.record.fields.fields.compactMap(\.name), ["from", "to", "checkpoint", "before", "after"])
    let report = try history.check()
    #expect(report.isSound && report.isConclusive && report.otherRevisions == [1])
    for _ in 0..<2 {
      let again = try journal.open(Bank<Bank4>.self, Self.small)
      #expect(again.lastSequence == 63 && again.opening.checkpoint == 62)
      expectEqual(again.state.accounts[key: 1]?.cents, Self.sum + 20_100)
      try again.close()
    }
    // The next program knows it too, and the one before must not go on.
    try expectEqual(journal.open(Bank<Bank5>.self, Self.small).lastSequence, 63)
    try expectRefusal(
      .laterRevision(sequence: 62, revision: 2, current: 1), of: Bank<Bank3>.self, journal,
      saying: "event 62, state.migrated, took the state over to revision 2 of the rules")
  }

  @Test("A migration that was cut short is finished by the next opening, and recorded once")
  func interrupted() throws {
    let journal = try retired()
    let store = try journal.open(Bank<Bank4>.self, Self.small)
    try store.close()
    try journal.remove("00000000000000000062.ckpt")
    let again = try journal.open(Bank<Bank4>.self, Self.small)
    #expect(again.lastSequence == 62 && again.state == store.state)
    #expect(journal.files.contains("00000000000000000062.ckpt"))
    try again.close()
  }

  @Test("A state that cannot be taken over, or becomes another one than recorded, is refused, and nothing is written")
  func failedMigration() throws {
    let journal = try retired()
    try expectRefusal(
      .notMigrated(checkpoint: 40, from: 1, to: 3, reason: nil), of: Bank<Bank7>.self, journal,
      saying: "cannot bring it forward")
    try journal.open(Bank<Bank4>.self, Self.small).close()
    try journal.remove("00000000000000000062.ckpt")
    let history = try journal.history(Bank<Bank4Changed>.self)
    let error = HistoryError.otherMigration(sequence: 62, checkpoint: 40)
    #expect(throws: error) { try history.state(at: .end) }
    try expectEqual(history.check().obstacle, error)
    #expect(throws: error) { try journal.open(Bank<Bank4Changed>.self, Self.small) }
  }

  @Test("A check compares a recorded migration on any number of threads")
  func migrationOnThreads() throws {
    let journal = try retired()
    let other = try TemporaryJournal()
    try other.create(Bank<Bank1>.self).close()
    for name in other.files { try other.remove(name) }
    for name in journal.files { try journal.copy(name, to: other) }
    try journal.open(Bank<Bank4>.self, Self.small).close()
    // The keyframes agree with the changed program, and the record does not.
    try other.open(Bank<Bank4Changed>.self, Self.small).close()
    try other.history(Bank<Bank4Changed>.self).rebuildKeyframes(every: 4)
    try other.copy("KEYFRAMES", to: journal)
    try journal.remove("00000000000000000062.ckpt")
    let history = try journal.history(Bank<Bank4Changed>.self)
    for threads in [1, 4] {
      let report = try history.check(threads: threads)
      #expect(report.obstacle == .otherMigration(sequence: 62, checkpoint: 40) && report.keyframesCompared > 1)
    }
  }

  // MARK: - Going back

  @Test("Going back is refused by the name of what must be understood, and writes nothing")
  func goingBack() throws {
    var journal = try journal(count: 3)
    let three = try journal.open(Bank<Bank3>.self, Self.small)
    try three.append(.deposited(account: 1, amount: 5), at: .seconds(9))
    try three.close()
    try expectRefusal(
      .unknownVersion(sequence: 5, name: "money.deposited", version: 2), of: Bank<Bank2>.self, journal,
      saying: "event 5, money.deposited, has version 2")
    journal = try self.journal(count: 3)
    let five = try journal.open(Bank<Bank5>.self, Self.small)
    try five.append(.limited(account: 1, cents: 5), at: .seconds(9))
    try five.close()
    try expectRefusal(
      .unknownType(sequence: 5, type: 4, version: 1), of: Bank<Bank4>.self, journal, saying: "the unknown type 4")
    journal = try self.journal(count: 3)
    let six = try journal.open(Bank<Bank6>.self, Self.small)
    try six.append(.opened(account: 2), at: .seconds(9))
    try six.close()
    try expectRefusal(
      .unknownSlice(sequence: 5, name: "closed"), of: Bank<Bank5>.self, journal,
      saying: "has the slice closed in its state")
    // What came before is still known.
    try expectEqual(journal.history(Bank<Bank5>.self).state(at: .sequence(4)).state.deposits, 3)
    var cursor = try journal.history(Bank<Bank5>.self).cursor()
    while let item = try cursor.next() {
      if case .event(let step) = item, step.record.sequence == 5 { #expect(step.after == nil) }
    }
    expectEqual(cursor.obstacle, .unknownSlice(sequence: 5, name: "closed"))
  }

  @Test("Going back without anything that must be understood goes on, and so does the later program after it")
  func goingBackWorks() throws {
    let journal = try journal(count: 3)
    let six = try journal.open(Bank<Bank6>.self, Self.small)
    try six.close()
    let one = try journal.open(Bank<Bank1>.self, Self.small)
    try one.append(.deposited(account: 1, amount: 5), at: .seconds(9))
    try one.close()
    let again = try journal.open(Bank<Bank6>.self, Self.small)
    #expect(again.state.deposits == 4 && again.state.accounts[key: 1]?.cents == 1_100)
  }

  /// Expects that a program does not open the journal, says why, and changes no byte and no stamp of its folder.
  func expectRefusal<Machine: Decider>(
    _ error: HistoryError, of machine: Machine.Type, _ journal: TemporaryJournal, saying words: String
  ) throws {
    #expect(error.message.contains(words), "\(error.message)")
    let before = try journal.stamps()
    #expect(throws: error) { try journal.open(Machine.self, Self.small) }
    try expectEqual(journal.stamps(), before)
  }
}
