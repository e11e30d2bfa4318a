import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

/// An earlier program meets fields of slices that only a later one has.
extension UpdateTests {
  /// A journal in which a later program limited account 1 and retired that, with 60 deposits since.
  private func retiredLimit<Program: BankProgram>(by program: Program.Type) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(Bank<Program>.self, Self.small)
    try store.append(.opened(account: 1), at: .seconds(1))
    try store.append(.limited(account: 1, cents: 5), at: .seconds(2))
    for number: Int64 in 1...60 { try store.append(.deposited(account: 1, amount: 1), at: .seconds(2 + number)) }
    #expect(try store.retire(before: 40, keepingStates: true) > 3)
    try store.close()
    return journal
  }

  @Test("A field that must be understood stops an earlier program by its name, and nothing is written")
  func unknownField() throws {
    let journal = try retiredLimit(by: Bank5.self)
    let first = try journal.history(Bank<Bank5>.self).firstSequence
    let error = HistoryError.unknownField(checkpoint: first - 1, field: "1.4", slice: "accounts")
    try expectRefusal(
      error, of: Bank<Bank4>.self, journal, saying: "field 1.4 of the slice accounts, which this program does not know")
    let history = try journal.history(Bank<Bank4>.self)
    #expect(throws: error) { try history.state(at: .end) }
    try expectEqual(journal.open(Bank<Bank5>.self, Self.small).state.accounts[key: 1]?.limit, 5)
    // Without a value in it, the field is nothing to understand.
    let unlimited = try TemporaryJournal()
    let store = try unlimited.create(Bank<Bank5>.self, Self.small)
    try store.append(.opened(account: 1), at: .seconds(1))
    for number: Int64 in 1...60 { try store.append(.deposited(account: 1, amount: 1), at: .seconds(2 + number)) }
    #expect(try store.retire(before: 40, keepingStates: true) > 1)
    try store.close()
    try expectEqual(unlimited.open(Bank<Bank4>.self, Self.small).state.deposits, 60)
  }

  @Test("A field that may be left out is named when an earlier program opens the journal, and is there for a later one")
  func ignorableField() throws {
    let journal = try retiredLimit(by: Bank1Limiting.self)
    let first = try journal.history(Bank<Bank1Limiting>.self).firstSequence
    for attempt in 1...3 {
      let one = try journal.open(Bank<Bank1>.self, Self.small)
      expectEqual(one.opening.leftOut, ["field 1.4 of the slice accounts"], "attempt \(attempt)")
      if attempt == 1 {
        expectEqual(
          one.opening.checkpointNotes.map(\.description),
          [
            "the checkpoint at event \(first - 1) is not used: field 1.4 of the part accounts of its state is unknown to "
              + "this program"
          ])
      } else {
        expectEqual(one.opening.checkpointNotes, [])
      }
      expectEqual(one.state.deposits, UInt64(59 + attempt))
      try one.append(.deposited(account: 1, amount: 1), at: .seconds(100))
      try one.checkpoint()
      try one.close()
      #expect(try journal.history(Bank<Bank1>.self).check().isSound)
    }
    let later = try journal.open(Bank<Bank1Limiting>.self, Self.small)
    #expect(later.opening.checkpoint == first - 1 && later.opening.leftOut == [])
    #expect(later.state.accounts[key: 1]?.limit == 5 && later.state.deposits == 63)
    #expect(later.opening.checkpointNotes.map(\.refusal).contains(.leftOut(what: "field 1.4 of the slice accounts")))
    try later.close()
    #expect(try journal.history(Bank<Bank1Limiting>.self).check().isSound)
  }

  @Test("A slice that is left out does not hide a field that is dropped from another one")
  func fieldBehindSlice() throws {
    var state = Bank<Bank5>()
    state.notes = ["a"]
    for limit: Int64 in [0, 5] {
      var account = BankAccount<Bank5>(number: 1)
      account.limit = limit
      state.accounts.set(account)
      var body = StateCheckpoint(
        of: state, digest: StateDigest(of: state), window: IdempotencyWindow(), by: Bank<Bank5>.self)
      body.reducerRevision = 1
      let restored = Result { try body.restore(as: Bank<Bank1>.self).accounts.count }
      if limit == 0 {
        try expectEqual(restored.get(), 1)
      } else {
        #expect(throws: CheckpointRefusal.unknownField(field: "1.4", slice: "accounts")) { try restored.get() }
      }
    }
  }

  @Test("What a program drops of a message is found at any depth, and what only it has does not count")
  func unreadFields() {
    func message(_ fields: (inout WireWriter) -> Void) -> [UInt8] {
      var writer = WireWriter()
      fields(&writer)
      return writer.bytes
    }
    func row(_ number: UInt64, _ more: UInt64 = 0) -> (inout WireWriter) -> Void {
      {
        $0.write(1, unsigned: number)
        $0.write(9, unsigned: more)
      }
    }
    let rows = message {
      $0.write(2, message: row(1))
      $0.write(2, message: row(2))
    }
    let cases: [(stored: [UInt8], kept: [UInt8], first: String?)] = [
      (rows, rows, nil), ([], rows, nil), (rows, [], "2"),
      (message { $0.write(2, message: row(1)) }, rows, nil),
      (rows, message { $0.write(2, message: row(1)) }, "2"),
      (
        rows,
        message {
          $0.write(1, unsigned: 7)
          $0.write(2, message: row(1))
          $0.write(2, message: row(2, 5))
        }, nil
      ),
      (message { $0.write(2, message: row(1, 5)) }, message { $0.write(2, message: row(1)) }, "2.9"),
      (message { $0.write(3, unsigned: 1) }, message { $0.write(3, unsigned: 2) }, "3"),
      (message { $0.write(3, string: "\u{8}") }, message { $0.write(3, string: "ab") }, "3"),
    ]
    for (index, example) in cases.enumerated() {
      expectEqual(UnreadFields.first(in: example.stored, keptAs: example.kept), example.first, "case \(index)")
    }
  }
}
