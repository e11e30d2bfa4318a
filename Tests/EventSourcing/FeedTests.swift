import Journal
import Synchronization
import Testing

@testable import EventSourcing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("A feed whose events cannot be read for a while, or whose store is closed meanwhile")
struct FeedTests {
  @Test("A feed that met bytes it could not read goes on when they can be read again")
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
    #expect(try feed.nextIfThere()?.sequence == 1)
    try journal.damage(file, at: place)
    feed = store.events(after: 1).makeAsyncIterator()
    for _ in 0..<2 {
      #expect(throws: HistoryError.damaged(lastDerivable: 1, nil)) { try feed.nextIfThere() }
    }
    try journal.damage(file, at: place)
    for sequence in 2...4 { #expect(try feed.nextIfThere()?.sequence == UInt64(sequence)) }
    #expect(try feed.nextIfThere() == nil)
    try store.close()
  }

  @Test("Closing lets the command under way finish, and feeds tell its events before they end")
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
    #expect(try await follower.value == [1])
    #expect(store.lastSequence == 1)
    #expect(throws: StoreError<LedgerRejection>.self) { try store.append(.note(["late"]), at: .seconds(2)) }
    try store.close()
  }
}
