import Expectations
import Journal
import Testing
import WireFormat

@testable import EventSourcing

/// What a program must understand is in the catalogues of other programs, which may be damaged.
@Suite("Catalogues that cannot be read")
struct LostCatalogTests {
  /// A journal that one program began, and another went on with at event 4.
  private func journal<First: BankProgram, Next: BankProgram>(
    _ first: First.Type, _ next: Next.Type
  ) throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let one = try journal.create(Bank<First>.self)
    try one.append(.opened(account: 1), at: .seconds(1))
    for number: Int64 in 1...2 { try one.append(.deposited(account: 1, amount: number), at: .seconds(1 + number)) }
    try one.close()
    let other = try journal.open(Bank<Next>.self)
    try other.append(.opened(account: 2), at: .seconds(9))
    try other.append(.deposited(account: 2, amount: 7), at: .seconds(10))
    try other.close()
    return journal
  }

  /// Bytes of the last segment that damage hits: in the header's time, in its SHA-256, in the catalogue.
  private static let (time, digest, catalog): (UInt64, UInt64, UInt64) = (84, 130, 270)

  @Test(
    "Damage to a catalogue or its header does not hide a slice that must be understood",
    arguments: [[], [time], [digest], [catalog], [time, catalog]])
  func mustUnderstand(offsets: [UInt64]) throws {
    let journal = try journal(Bank1.self, Bank6.self)
    let last = try #require(journal.history(Bank<Bank6>.self).reader.segments.last).file
    for offset in offsets { try journal.damage(last, at: offset) }
    let history = try journal.history(Bank<Bank5>.self)
    let error: HistoryError =
      offsets.contains(Self.catalog) ? .unknownWriter(sequence: 4) : .unknownSlice(sequence: 4, name: "closed")
    #expect(throws: error) { try history.state(at: .end) }
    expectEqual(error.lastDerivable, 3)
    try expectEqual(history.state(at: .sequence(3)).state.accounts[key: 1]?.cents, 300)
    let before = try journal.stamps()
    // Where neither header nor catalogue verifies, the opening is refused as that of a damaged journal.
    #expect {
      try journal.open(Bank<Bank5>.self)
    } throws: {
      offsets.count > 1 || $0 as? HistoryError == error
    }
    try expectEqual(journal.stamps(), before)
  }

  @Test("A program that could read a catalogue once goes on when it can no longer")
  func wentOn() throws {
    let journal = try journal(Bank1.self, Bank2.self)
    try journal.damage("00000000000000000001.seg", at: Self.catalog)
    try expectEqual(journal.history(Bank<Bank2>.self).state(at: .end).state.deposits, 3)
    let store = try journal.open(Bank<Bank2>.self)
    try store.append(.deposited(account: 1, amount: 1), at: .seconds(20))
    try store.close()
    // One that never was there before cannot know what else the journal's first program had.
    #expect(throws: HistoryError.unknownWriter(sequence: 1)) { try journal.open(Bank<Bank3>.self) }
  }
}
