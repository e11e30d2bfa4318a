import Expectations
import EventSourcing
import Forensics
import Journal
import Testing

@Suite("Trusting, saving and dividing the history of an account book")
struct TrustTests {
  @Test("A sound journal verifies, and its recorded states are those that its events lead to")
  func verifyAndCheck() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    let bytes = try history.reader.verify()
    #expect(bytes.isSound && bytes.eventCount == 4 && bytes.lastSequence == 4)
    let states = try history.check()
    #expect(states.isSound && states.isConclusive && states.events == 4 && states.digestsCompared == 4)
  }

  @Test("A damaged event is found, and the states after it are not made up")
  func damage() throws {
    let folder = try BookFolder()
    try folder.write()
    try folder.damage("Bob")
    let history = try History<Book>(at: folder.path())
    let report = try history.reader.verify()
    #expect(!report.isSound && report.lostEvents == [3...3])
    try expectEqual(history.state(at: .sequence(2)).state.cents, 3_750)
    #expect(throws: HistoryError.self) { try history.state(at: .end) }
  }

  @Test("What is left of a damaged journal is salvaged under the numbers that it had")
  func salvage() throws {
    let folder = try BookFolder()
    try folder.write()
    try folder.damage("Bob")
    let report = try Salvage(of: [folder.path()]).write(to: folder.path("salvaged"))
    #expect(report.events == 1...4 && report.salvagedCount == 3 && report.lostCount == 1)
    var cursor = try History<Book>(at: folder.path("salvaged")).events()
    var entries: [UInt64: Entry] = [:]
    while let item = try cursor.next() {
      if case .event(let step) = item { entries[step.record.sequence] = step.record.event }
    }
    expectEqual(entries, [1: BookFolder.entries[0], 2: BookFolder.entries[1], 4: BookFolder.entries[3]])
  }

  @Test("A fork shares the events before it, continues by itself, and names its parent")
  func fork() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    let store = try EventStore<Book>.fork(
      from: history, at: 2, to: folder.path("fork"), journalID: BookFolder.id(2), createdNanoseconds: 2)
    expectEqual(store.state.cents, 3_750)
    try store.append(.withdrawn(cents: 3_000), at: BookFolder.minute(3))
    try store.close()
    let fork = try History<Book>(at: folder.path("fork"))
    expectEqual(fork.firstSequence, 3)
    try expectEqual(fork.state(at: .end).state, Book(cents: 750, withdrawals: 2))
    expectEqual(fork.reader.identity.parent?.id, BookFolder.id(1))
    let comparison = try HistoryComparison(ComparedSide(history), ComparedSide(fork))
    #expect(comparison.kind == .differentEvents && comparison.lastSame?.first == 2)
  }

  @Test("Retired events leave their state, from which the others go on")
  func retire() throws {
    let folder = try BookFolder()
    let deposits = (1...40).map { _ in Entry.deposited(cents: 100) }
    try folder.write(deposits, segmentSizeLimit: 1 << 10)
    let store = try EventStore<Book>.open(at: folder.path())
    let first = try store.retire(before: 30, keepingStates: true)
    try store.close()
    #expect((2...30).contains(first))
    let history = try History<Book>(at: folder.path())
    expectEqual(history.firstSequence, first)
    try expectEqual(history.state(at: .sequence(first)).state.cents, Int64(first) * 100)
    try expectEqual(history.state(at: .end).state.cents, 4_000)
    try expectEqual(HistoryStatistics(of: history).events, 41 - first)
    #expect(throws: HistoryError.self) { try history.state(at: .sequence(first - 2)) }
  }
}
