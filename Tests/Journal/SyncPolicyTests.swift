import Expectations
import Synchronization
import Testing

@testable import Journal

@Suite("When a sync comes although nobody asks")
struct SyncPolicyTests {
  static let path = SampleJournal.path

  private func create(_ files: MemoryFileSystem, _ policy: SyncPolicy) throws -> JournalWriter {
    var options = JournalOptions()
    options.syncPolicy = policy
    return try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 1, options: options, fileSystem: files)
  }

  private func append(_ journal: JournalWriter) throws(JournalError) {
    var batch = JournalBatch()
    try batch.append(payload: [1, 2, 3], label: 5)
    try journal.append(&batch)
  }

  private func isSyncPlanned(_ journal: JournalWriter) -> Bool { journal.isSyncPlanned.load(ordering: .acquiring) }

  @Test(
    "How much is durable when an append returns, under every policy",
    arguments: [
      (SyncPolicy.everyCommit, [1, 2, 3]), (.group(maximumDelayNanoseconds: 5), [1, 2, 3]),
      (.interval(nanoseconds: 10), [0, 2, 2]), (.none, [0, 0, 0]),
    ] as [(SyncPolicy, [UInt64])])
  func durable(policy: SyncPolicy, expected: [UInt64]) throws {
    let files = MemoryFileSystem()
    let journal = try create(files, policy)
    var durable: [UInt64] = []
    for _ in 0..<3 {
      files.advance(nanoseconds: 6)
      try append(journal)
      durable.append(journal.durableSequence)
    }
    expectEqual(durable, expected)
    expectEqual(files.pauses, policy == .group(maximumDelayNanoseconds: 5) ? 3 : 0)
    // Nobody appends any more.
    journal.syncAsPlanned()
    expectEqual(journal.durableSequence, 3)
    try expectEqual(JournalReader(path: Self.path, fileSystem: files).durableSequence, 3)
  }

  @Test("Behind the last append the interval's sync comes by itself, and the next append has the next one planned")
  func interval() throws {
    let files = MemoryFileSystem(hasThreads: true)
    let journal = try create(files, .interval(nanoseconds: 1_000_000))
    let crew = Crew()
    // The manual clock stands still after this, so that only the journal's own thread can be the one that syncs.
    files.advance(nanoseconds: 1)
    files.beforeSyncs { _ in crew.tick() }
    try append(journal)
    expectEqual(journal.durableSequence, 0)
    #expect(isSyncPlanned(journal))
    files.advance(nanoseconds: 1_000_000)
    crew.waitForTicks(1)
    // The thread publishes after the sync; whoever syncs next waits for it.
    try journal.sync()
    expectEqual(journal.durableSequence, 1)
    #expect(!isSyncPlanned(journal))
    try append(journal)
    #expect(isSyncPlanned(journal) || journal.durableSequence == 2)
    try journal.close()
  }

  @Test("A planned sync that fails is told by the next append")
  func failedPlan() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, .interval(nanoseconds: 1_000_000))
    try append(journal)
    files.setFault { operation, _, _ in operation == "sync" ? .error(OperatingSystem.deviceError) : nil }
    journal.syncAsPlanned()
    do {
      try append(journal)
      Issue.record("the failure was not noticed")
    } catch {
      expectEqual(error.code, .poisoned)
    }
  }

  @Test("Without threads of its own a journal plans nothing, and its thread ends with it")
  func noThread() throws {
    let background = BackgroundThread(MemoryFileSystem())
    #expect(!background.schedule {} && !background.setAlarm(after: 1) {})
    let crew = Crew()
    let another = BackgroundThread(MemoryFileSystem(hasThreads: true))
    #expect(another.schedule { crew.tick() })
    another.stop()
    // What was waiting when it was stopped is done.
    crew.waitForTicks(1)
    #expect(!another.schedule {} && !another.setAlarm(after: 1) {})
    // Where no thread could be started, nobody takes the sync for planned, and the next append tries again.
    let journal = try create(MemoryFileSystem(), .interval(nanoseconds: 1_000_000))
    try append(journal)
    #expect(!isSyncPlanned(journal))
  }

  @Test("What nobody waits for is synced after the interval, also when its own sync was due")
  func notWaitedFor() throws {
    let files = MemoryFileSystem(hasThreads: true)
    let journal = try create(files, .interval(nanoseconds: 10))
    files.advance(nanoseconds: 10)
    let crew = Crew()
    files.beforeSyncs { _ in crew.tick() }
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 1)
    let written = try journal.write(&batch)
    try #require(written.isSyncDue && isSyncPlanned(journal))
    files.advance(nanoseconds: 10)
    crew.waitForTicks(1)
    try journal.close()
    expectEqual(journal.durableSequence, 1)
  }

  @Test("An interval without end is one, and not over at once")
  func endless() {
    let files = MemoryFileSystem(hasThreads: true)
    files.advance(nanoseconds: 1)
    let background = BackgroundThread(files)
    let crew = Crew()
    files.onClock { crew.tick() }
    let isSet = background.setAlarm(after: .max) { crew.note([1]) }
    #expect(isSet)
    // Once for the alarm's moment, and once when the thread looks whether it has come, which it acts on at once.
    crew.waitForTicks(2)
    files.onClock(nil)
    let done = Crew()
    let isScheduled = background.schedule { done.tick() }
    #expect(isScheduled)
    done.waitForTicks(1)
    background.stop()
    expectEqual(crew.numbers, [])
  }

  @Test(
    "While the first to sync waits for others to join, nothing keeps a segment from being begun or the end from coming")
  func groupDelay() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, .group(maximumDelayNanoseconds: 5))
    let isFree = Mutex(false)
    files.onPauses { [weak journal] _ in
      let isUnlocked = journal?.head.withLockIfAvailable { _ in true } ?? false
      isFree.withLock { $0 = isUnlocked }
    }
    try append(journal)
    #expect(isFree.withLock { $0 } && journal.durableSequence == 1)
    files.onPauses(nil)
  }
}
