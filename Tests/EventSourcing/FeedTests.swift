import Expectations
import Journal
import Synchronization
import Testing

@testable import EventSourcing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Feeds with temporarily unreadable events or a store that closes")
struct FeedTests {
  @Test("A feed that met unreadable bytes continues once they are readable again")
  func readingAgain() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    for number in 1...4 { try store.append(.note(["\(number)"]), at: .seconds(1)) }
    var cursor = try JournalReader(path: journal.path).cursor(after: 1)
    guard case .event(let event)? = try cursor.next() else {
      Issue.record("event 2 is missing")
      return
    }
    let (file, place) = (event.file, event.offset + 17)
    var feed = store.events(after: 0).makeAsyncIterator()
    try expectEqual(feed.nextIfThere()?.sequence, 1)
    try journal.damage(file, at: place)
    feed = store.events(after: 1).makeAsyncIterator()
    for _ in 0..<2 {
      #expect(throws: HistoryError.damaged(lastDerivable: 1, nil)) { try feed.nextIfThere() }
    }
    try journal.damage(file, at: place)
    for sequence in 2...4 { try expectEqual(feed.nextIfThere()?.sequence, UInt64(sequence)) }
    #expect(try feed.nextIfThere() == nil)
    try store.close()
  }

  /// The place of an event's payload.
  private func place(of sequence: UInt64, in journal: TemporaryJournal) throws -> (file: String, offset: UInt64) {
    var cursor = try JournalReader(path: journal.path).cursor(after: sequence - 1)
    guard case .event(let event)? = try cursor.next() else { throw HistoryError.afterEnd(requested: sequence, last: 0) }
    return (event.file, event.offset + 17)
  }

  @Test(
    "A request is answered completely or not at all, wherever bytes are damaged",
    arguments: 1...5 as ClosedRange<UInt64>)
  func wholeOrNot(damaged: UInt64) throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    for number in 1...5 { try store.append(.note(["\(number)"]), at: .seconds(1)) }
    let (file, offset) = try place(of: damaged, in: journal)
    try journal.damage(file, at: offset)
    #expect(throws: HistoryError.damaged(lastDerivable: damaged - 1, nil)) { try store.recordedEvents(after: 0) }
    #expect(throws: HistoryError.damaged(lastDerivable: damaged - 1, nil)) {
      try store.recordedEvents(after: damaged - 1, limit: 1)
    }
    let before = damaged == 1 ? [] : try store.recordedEvents(after: 0, limit: Int(damaged) - 1)
    expectEqual(before.map(\.sequence), Array(1..<damaged))
    let behind = try store.recordedEvents(after: damaged)
    expectEqual(behind.map(\.sequence), Array((damaged + 1)..<6))
    var feed = store.events(after: 0).makeAsyncIterator()
    for sequence in 1..<damaged { try expectEqual(feed.nextIfThere()?.sequence, sequence) }
    #expect(throws: HistoryError.damaged(lastDerivable: damaged - 1, nil)) { try feed.nextIfThere() }
    try store.close()
  }

  @Test("A repeated command is not answered with only some of its events")
  func repetition() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    let command = LedgerCommand.note(["first", "second", "third"])
    let result = try store.append(command, at: .seconds(1), idempotencyKey: [1])
    let (file, offset) = try place(of: 3, in: journal)
    try journal.damage(file, at: offset)
    #expect(throws: StoreError<LedgerRejection>.history(.damaged(lastDerivable: 0, nil))) {
      try store.append(command, at: .seconds(1), idempotencyKey: [1])
    }
    try journal.damage(file, at: offset)
    let again = try store.append(command, at: .seconds(1), idempotencyKey: [1])
    #expect(again.isRepetition && again.events == result.events)
    try store.close()
  }

  @Test("A command whose cause is unreadable is refused, and does not begin a story")
  func cause() throws {
    let journal = try TemporaryJournal()
    var store = try journal.create(Ledger.self)
    for number in 1...3 { try store.append(.note(["\(number)"]), at: .seconds(1)) }
    try store.close()
    // A store that was opened again remembers no stories.
    store = try journal.open(Ledger.self)
    let (file, offset) = try place(of: 3, in: journal)
    try journal.damage(file, at: offset)
    #expect(throws: StoreError<LedgerRejection>.history(.damaged(lastDerivable: 2, nil))) {
      try store.append(.note(["caused"]), at: .seconds(2), cause: 3)
    }
    expectEqual(store.lastSequence, 3)
    try journal.damage(file, at: offset)
    try store.append(.note(["caused"]), at: .seconds(2), cause: 3)
    try expectEqual(store.recordedEvents(after: 3).map(\.envelope.correlation), [3])
    try store.close()
  }

  @Test("Retired events are reported as retired")
  func retired() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
    }
    for number in 1...60 { try store.append(.note(["note \(number)"]), at: .seconds(1)) }
    try store.checkpoint()
    let first = try store.retire(before: 50)
    #expect(first > 1)
    let error = HistoryError.beforeKeptRange(requested: 0, first: first)
    #expect(throws: error) { try store.recordedEvents(after: 0) }
    var feed = store.events(after: 0).makeAsyncIterator()
    #expect(throws: error) { try feed.nextIfThere() }
    try expectEqual(store.recordedEvents(after: first - 1).map(\.sequence), Array(first...60))
    try store.close()
  }

  @Test("Closing lets the command in progress finish, and feeds deliver its events before they end")
  func closingDuringCommand() async throws {
    let journal = try TemporaryJournal()
    let files = HookedFileSystem()
    let store = try EventStore<Ledger>.create(
      at: journal.path, journalID: TemporaryJournal.id, createdNanoseconds: 1, fileSystem: files)
    let follower = Task {
      var seen: [UInt64] = []
      for try await record in store.events(after: 0) { seen.append(record.sequence) }
      return seen
    }
    let closing = Mutex<Task<Void, any Error>?>(nil)
    let wasClosedEarly = Atomic(false)
    files.beforeNextWrite { _ in
      closing.withLock { $0 = Task.detached { try store.close() } }
      // The others get their turns; a store that closes at once is seen to.
      for _ in 0..<20_000 where !wasClosedEarly.load(ordering: .relaxed) {
        sched_yield()
        if store.waiting.withLock({ $0.isClosed }) { wasClosedEarly.store(true, ordering: .relaxed) }
      }
    }
    try store.append(.note(["under way"]), at: .seconds(1))
    try await closing.withLock { $0 }?.value
    let wasClosed = wasClosedEarly.load(ordering: .relaxed)
    #expect(!wasClosed, "the store was closed while a command was under way")
    try await expectEqual(follower.value, [1])
    expectEqual(store.lastSequence, 1)
    #expect(throws: StoreError<LedgerRejection>.self) { try store.append(.note(["late"]), at: .seconds(2)) }
    try store.close()
  }
}
