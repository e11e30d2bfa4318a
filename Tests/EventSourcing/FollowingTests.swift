import Expectations
import EventSourcing
import Journal
import Synchronization
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Following a history")
struct FollowingTests {
  @Test(
    "It delivers what another program appends, decoded, as soon as it exists", arguments: [ReadLimit.written, .durable])
  func following(limit: ReadLimit) throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) {
      $0.journal.syncPolicy = .everyCommit
      $0.journal.segmentSizeLimit = 1 << 10
    }
    try store.append(.open("Ada"), at: .seconds(1))
    // Readers need no right to write.
    expectEqual(chmod(journal.path, 0o500), 0)
    defer { chmod(journal.path, 0o700) }
    var follower = try journal.history(Ledger.self).follow(after: 0, upTo: limit)
    expectEqual(chmod(journal.path, 0o700), 0)
    let seen = Mutex<UInt64>(0)
    let isStarted = PosixFileSystem().startThread {
      for number in 1...60 {
        _ = try? store.append(.note(["\(number)"]), at: .seconds(2))
        if number % 20 == 0 { _ = try? store.checkpoint() }
        // Sometimes one at a time, sometimes as fast as it goes.
        if number % 3 == 0 { waitUntil { seen.withLock { $0 } == UInt64(number + 1) } }
      }
    }
    #expect(isStarted)
    for sequence in 1...61 as ClosedRange<UInt64> {
      guard case .event(let step)? = try follower.next() else {
        Issue.record("event \(sequence) did not come")
        return
      }
      expectEqual(step.record.sequence, sequence)
      #expect(step.record.event == .noted("\(sequence - 1)") || sequence == 1)
      seen.withLock { $0 = sequence }
    }
    let changes = follower.changes
    #expect(PosixFileSystem().startThread { changes.stop() })
    #expect(try follower.next() == nil)
    #expect(journal.files.filter { $0.hasSuffix(".seg") }.count > 2)
    try store.close()
  }

  @Test("A feed delivers the same to tasks, and ends when the task is cancelled")
  func feed() async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    try store.append(.open("Ada"), at: .seconds(1))
    let history = try journal.history(Ledger.self)
    let seen = Mutex<[UInt64]>([])
    let follower = Task {
      for try await item in history.feed(after: 1) {
        guard case .event(let step) = item, step.before == nil else { continue }
        seen.withLock { $0.append(step.record.sequence) }
      }
    }
    for number in 2...20 {
      try await store.submit(.note(["\(number)"]), at: .seconds(2))
      await waitUntil { seen.withLock { $0.last } == UInt64(number) }
    }
    follower.cancel()
    try await follower.value
    expectEqual(seen.withLock { $0 }, Array(2...20))
    try store.close()
  }
}
