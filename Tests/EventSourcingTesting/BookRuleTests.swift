import EventSourcing
import EventSourcingTesting
import Testing

@Suite("The rules of the account book")
struct BookRuleTests {
  @Test("A withdrawal lowers the balance")
  func withdrawal() throws {
    try given(Book.self, .deposited(cents: 5_000))
      .when(.withdrawn(cents: 1_250))
      .then(.withdrawn(cents: 1_250)) { $0.cents = 3_750 }
  }

  @Test("The book is never overdrawn, however often one asks")
  func overdrawn() throws {
    try given(Book.self, .deposited(cents: 5_000), .withdrawn(cents: 4_000))
      .when(.withdrawn(cents: 1_001)).then(Refusal("the book holds 1000 cents only"))
      .when(.withdrawn(cents: 1_000)).then(.withdrawn(cents: 1_000))
      .when(.withdrawn(cents: 1)).then(Refusal("the book holds 0 cents only"))
  }

  @Test("A deposit that was acknowledged survives a power cut, and one that was cut off leaves no trace")
  func powerCut() throws {
    let (disk, clock) = (MemoryDisk(), TestClock())
    let store = try disk.store(of: Book.self)
    disk.cutPower(inAppend: 2, keeping: 20)
    try store.append(.deposited(cents: 100), at: clock.now)
    clock.advance(by: .seconds(60))
    #expect(throws: (any Error).self) { try store.append(.deposited(cents: 200), at: clock.now) }
    disk.restorePower()
    #expect(try disk.store(of: Book.self).state.cents == 100)
    #expect(try disk.history(of: Book.self).check().isSound)
  }
}
