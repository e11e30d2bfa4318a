import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

/// An earlier program goes on with the journal of a later one, whose notes it leaves out.
extension UpdateTests {
  /// A journal of program 2: an account, a note and 60 deposits.
  private func noted() throws -> (TemporaryJournal, EventStore<Bank<Bank2>>) {
    let journal = try TemporaryJournal()
    let two = try journal.create(Bank<Bank2>.self) {
      Self.small(&$0)
      $0.keptCheckpointCount = 1
    }
    try two.append(.opened(account: 1), at: .seconds(1))
    try two.append(.noted(text: "a"), at: .seconds(2))
    for number: Int64 in 1...60 { try two.append(.deposited(account: 1, amount: 1), at: .seconds(2 + number)) }
    return (journal, two)
  }

  private func isRefused(_ error: any Error, naming what: String) -> Bool {
    guard case .journal(let reason)? = error as? HistoryError else { return false }
    return reason.code == .badCheckpoint && reason.message.contains("this program left out \(what), ")
  }

  @Test("An earlier program's checkpoint does not take the place of a complete one", arguments: [true, false])
  func sameEvent(isRetired: Bool) throws {
    let (journal, two) = try noted()
    try two.checkpoint()
    if isRetired { #expect(try two.retire(before: .max) > 2) }
    try two.close()
    let one = try journal.open(Bank<Bank1>.self, Self.small)
    let name = "00000000000000000062.ckpt"
    let before = try journal.contents(name)
    #expect(try one.checkpoint() == 62 && journal.contents(name) == before)
    try one.append(.deposited(account: 1, amount: 1), at: .seconds(90))
    try one.checkpoint()
    try one.close()
    try expectEqual(journal.open(Bank<Bank2>.self, Self.small).state.notes, ["a"])
  }

  @Test(
    "An earlier program does not retire what it left out, unless a complete checkpoint stays", arguments: [true, false])
  func retiringWhatIsLeftOut(keepingStates: Bool) throws {
    var (journal, two) = try noted()
    try two.close()
    let one = try journal.open(Bank<Bank1>.self, Self.small)
    try one.append(.deposited(account: 1, amount: 1), at: .seconds(90))
    try one.checkpoint()
    let history = try journal.history(Bank<Bank1>.self)
    let plan = try history.retirementPlan(before: 40, keepingStates: keepingStates)
    #expect(plan.losses == ["type 3 of version 1"] && !plan.isEmpty)
    let files = journal.files
    #expect {
      try one.retire(before: 40, keepingStates: keepingStates)
    } throws: {
      isRefused($0, naming: "type 3 of version 1")
    }
    // What comes before the note may go without it.
    try expectEqual(one.retire(before: 2, keepingStates: keepingStates), 1)
    expectEqual(journal.files, files)
    try one.close()
    two = try journal.open(Bank<Bank2>.self, Self.small)
    expectEqual(two.state.notes, ["a"])
    try two.checkpoint()
    try two.append(.deposited(account: 1, amount: 1), at: .seconds(91))
    try two.close()
    let again = try journal.open(Bank<Bank1>.self, Self.small)
    try expectEqual(
      journal.history(Bank<Bank1>.self).retirementPlan(before: 40, keepingStates: keepingStates).losses, [])
    #expect(try again.retire(before: 40, keepingStates: keepingStates) > 2)
    for number: Int64 in 1...5 {
      try again.append(.deposited(account: 1, amount: 1), at: .seconds(100 + number))
      try again.checkpoint()
    }
    try again.close()
    try expectEqual(journal.open(Bank<Bank2>.self, Self.small).state.notes, ["a"])
  }

  @Test("A fork keeps the complete state with which it begins, however many checkpoints an earlier program writes")
  func forkedNotes() throws {
    let (journal, two) = try noted()
    try two.close()
    let place = try TemporaryJournal()
    try EventStore<Bank<Bank2>>.fork(
      from: try journal.history(Bank<Bank2>.self), at: 40, to: place.path,
      journalID: JournalID(bytes: [UInt8](2...17)) ?? .none,
      createdNanoseconds: 1
    ).close()
    let one = try place.open(Bank<Bank1>.self, Self.small)
    for number: Int64 in 1...5 {
      try one.append(.deposited(account: 1, amount: 1), at: .seconds(100 + number))
      try one.checkpoint()
    }
    try one.close()
    try expectEqual(place.open(Bank<Bank2>.self, Self.small).state.notes, ["a"])
    // Whoever has seen less than the fork begins with is told so.
    let history = try place.history(Bank<Bank2>.self)
    for sequence: UInt64 in [1, 39] {
      #expect(throws: HistoryError.beforeKeptRange(requested: sequence, first: 41)) {
        _ = try history.follow(after: sequence).changes
      }
      #expect {
        _ = try history.reader.follow(after: sequence).lastSequence
      } throws: {
        "\($0)".contains("the events before 41 are not in this journal")
      }
    }
    for sequence: UInt64 in [0, 40] {
      var follower = try history.follow(after: sequence)
      guard case .event(let step)? = try follower.nextIfThere() else {
        Issue.record("nothing is told after event \(sequence)")
        continue
      }
      expectEqual(step.record.sequence, 41)
    }
  }

  @Test("A segment without events before the first one needs no checkpoint to go, and stays until an event goes")
  func emptyFirstSegment() throws {
    let journal = try TemporaryJournal()
    try journal.create(Bank<Bank1>.self, Self.small).close()
    let two = try journal.open(Bank<Bank2>.self, Self.small)
    try two.append(.opened(account: 1), at: .seconds(1))
    for number: Int64 in 1...60 { try two.append(.deposited(account: 1, amount: 1), at: .seconds(number)) }
    let history = try journal.history(Bank<Bank2>.self)
    expectEqual(history.reader.segments.prefix(2).map(\.firstSequence), [1, 1])
    for before: UInt64 in [0, 1, 2] {
      let plan = try history.retirementPlan(before: before, keepingStates: true)
      #expect(plan.isEmpty && !plan.writesCheckpoint && plan.removal.events == nil && plan.removal.firstSequence == 1)
      try expectEqual(two.retire(before: before, keepingStates: true), 1)
    }
    let plan = try history.retirementPlan(before: 40, keepingStates: true)
    #expect(plan.removal.events?.lowerBound == 1 && plan.removal.segments.count > 2)
    try expectEqual(two.retire(before: 40, keepingStates: true), plan.removal.firstSequence)
    try two.close()
    #expect(try journal.history(Bank<Bank2>.self).check().isSound)
  }

  @Test("A rewritten checkpoint is that of a stored one in everything else")
  func rewrittenCheckpoint() throws {
    var state = Bank<Bank1>()
    state.deposits = 3
    var window = IdempotencyWindow()
    window.record(key: [1], fingerprint: [2], sequence: 3, isSealed: true)
    window.record(key: [4], fingerprint: [5], sequence: 4, isSealed: false)
    let stored = StateCheckpoint(of: state, digest: StateDigest(of: state), window: window, by: Bank<Bank1>.self)
    func rewritten<Program: BankProgram>(_ program: Program.Type) throws -> StateCheckpoint {
      try StateCheckpoint(
        bytes: CheckpointRewriting.rewritten(
          stored.encode(), of: Bank<Program>.self, rewriteSlice: { _, bytes in bytes },
          rewriteCommand: { (key: $0, fingerprint: $1) }))
    }
    try expectEqual(rewritten(Bank1.self), stored)
    // A program with another slice finds the one that is missing initial, as in the original.
    let body = try rewritten(Bank2.self)
    #expect(body == stored && body.window.needsKeys)
    try expectEqual(body.restore(as: Bank<Bank2>.self).deposits, 3)
  }
}
