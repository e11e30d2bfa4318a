import Expectations
import Journal
import Synchronization
import Testing

@testable import EventSourcing

/// Everything at once, on a real disk: what the thread sanitizer is to look at.
@Suite("A store used by many tasks at once")
struct ConcurrentUseTests {
  /// What a follower saw, and what it should have seen.
  private func follow(_ store: EventStore<Ledger>, from start: UInt64) async throws -> Bool {
    var last = start
    for try await record in store.events(after: start) {
      guard record.sequence == last + 1, record.sequence <= store.lastSequence else { return false }
      last = record.sequence
    }
    return last == store.lastSequence
  }

  /// Reads states until the store is closed: versions never go back, and a state belongs to its version.
  private func look(at store: EventStore<Ledger>) async -> Bool {
    var last: UInt64 = 0
    while !store.waiting.withLock({ $0.isClosed }) {
      let version = store.version
      guard version.sequence >= last, UInt64(version.state.notes.count) == min(3, version.sequence) else {
        return false
      }
      last = version.sequence
      await Task.yield()
    }
    return true
  }

  @Test(
    "Threads append, tasks submit, others read states, follow and write checkpoints, and one closes the store",
    arguments: [
      SyncPolicy.everyCommit, .group(maximumDelayNanoseconds: 100_000), .interval(nanoseconds: 1_000_000), .none,
    ])
  func everything(policy: SyncPolicy) async throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self) { options in
      options.journal.syncPolicy = policy
      options.journal.segmentSizeLimit = 4 << 10
    }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for start in [UInt64(0), 0] {
        group.addTask { try await follow(store, from: start) }
        group.addTask { await look(at: store) }
      }
      let writers = (0..<4).map { writer in
        Task {
          for number in 0..<40 {
            let command = LedgerCommand.note(["\(writer) \(number)"])
            if writer % 2 == 0 {
              try await store.submit(command, at: .seconds(1))
            } else {
              try store.append(command, at: .seconds(1))
            }
            if writer == 3, number % 16 == 0 { try store.checkpoint() }
            await Task.yield()
          }
        }
      }
      for writer in writers { try await writer.value }
      // A task still appends when the store is closed, and receives an error.
      let late = Task { () -> Bool in
        for _ in 0..<1000 {
          do { try store.append(.note(["late"]), at: .seconds(2)) } catch { return true }
          await Task.yield()
        }
        return true
      }
      try await Task.detached { try store.close() }.value
      _ = await late.value
      for try await isRight in group { #expect(isRight) }
    }
    #expect(store.lastSequence >= 160)
    let again = try journal.open()
    #expect(again.lastSequence == store.lastSequence && again.state == store.state)
    try expectEqual(journal.history().reader.verify().findings, [])
    try again.close()
  }
}
