import Synchronization
import Testing

@testable import Journal

@Suite("Following a journal")
struct FollowerTests {
  static let path = SampleJournal.path

  private static func append(_ number: Int, to journal: Journal) throws {
    var batch = JournalBatch()
    for part in 0...(number % 3) { try batch.append(payload: [UInt8(number), UInt8(part)], label: 0) }
    try journal.append(&batch)
  }

  private func options(_ policy: SyncPolicy) -> JournalOptions {
    var options = JournalOptions()
    options.syncPolicy = policy
    options.segmentSizeLimit = 1 << 10
    options.preallocation = 1 << 10
    return options
  }

  @Test(
    "It serves what is there and what comes, over segments, checkpoints, closing and opening again",
    arguments: [ReadLimit.written, .durable], [UInt64(0), 10])
  func everything(limit: ReadLimit, start: UInt64) throws {
    let files = MemoryFileSystem()
    let options = options(.none)
    let journal = try Journal.create(
      at: Self.path, id: sampleID, createdNanoseconds: 0, options: options, fileSystem: files)
    let writer = Mutex(journal)
    for number in 0..<8 { try Self.append(number, to: journal) }
    let total = (0..<100).reduce(0) { $0 + UInt64($1 % 3) + 1 }
    var follower = try JournalReader(path: Self.path, fileSystem: files).follow(after: start, upTo: limit)
    let changes = follower.changes
    // Whenever there is nothing more to serve, something happens.
    files.onPauses { count in
      writer.withLock { journal in
        let number = count + 7
        if number < 100 { try? Self.append(number, to: journal) }
        if count % 5 == 0 { try? journal.sync() }
        if count % 11 == 0 { _ = try? journal.writeCheckpoint(sequence: journal.lastSequence, body: [1]) }
        if count % 13 == 0 {
          try? journal.close()
          if let again = try? Journal.open(at: Self.path, options: options, fileSystem: files) { journal = again }
        }
        if count == 120 { try? journal.sync() }
        if count == 140 { changes.stop() }
      }
    }
    var expected = start + 1
    while let item = try follower.next() {
      guard case .event(let event) = item else {
        Issue.record("a finding about a sound journal: \(item)")
        continue
      }
      #expect(event.sequence == expected)
      if limit == .durable {
        #expect(event.sequence <= (try JournalReader(path: Self.path, fileSystem: files).durableSequence))
      }
      expected = event.sequence + 1
    }
    #expect(expected == total + 1 && follower.lastSequence == total)
    #expect(try JournalReader(path: Self.path, fileSystem: files).segments.count > 4)
    #expect(try follower.next() == nil, "it stays stopped")
  }

  @Test("Events that are not durable yet are kept back from those who ask for durable ones")
  func durable() throws {
    let files = MemoryFileSystem()
    let journal = try Journal.create(
      at: Self.path, id: sampleID, createdNanoseconds: 0, options: options(.none), fileSystem: files)
    try Self.append(2, to: journal)
    var follower = try JournalReader(path: Self.path, fileSystem: files).follow(upTo: .durable)
    #expect(try follower.nextIfThere() == nil)
    try journal.sync()
    for sequence in 1...3 as ClosedRange<UInt64> {
      guard case .event(let event)? = try follower.nextIfThere() else {
        Issue.record("event \(sequence) did not come")
        return
      }
      #expect(event.sequence == sequence)
    }
    #expect(try follower.nextIfThere() == nil)
  }

  @Test("Damage is told at its place, and what lies behind it as well")
  func damage() throws {
    let sample = try SampleJournal(count: 10, segmentSize: 1 << 20)
    let files = sample.fileSystem
    files.edit("j/00000000000000000001.seg") { $0[300] ^= 1 }
    var follower = try JournalReader(path: Self.path, fileSystem: files).follow()
    let changes = follower.changes
    files.onPauses { _ in changes.stop() }
    var findings: [Verdict] = []
    var sequences: [UInt64] = []
    while let item = try follower.next() {
      switch item {
      case .event(let event): sequences.append(event.sequence)
      case .finding(let finding): findings.append(finding.verdict)
      }
    }
    #expect(findings == [.damaged] && sequences.count == 9 && sequences.last == 10)
  }

  @Test("A feed tells a task the same, and ends when the task is cancelled", arguments: [true, false])
  func feed(hasThreads: Bool) async throws {
    let files = MemoryFileSystem(hasThreads: hasThreads)
    let journal = try Journal.create(
      at: Self.path, id: sampleID, createdNanoseconds: 0, options: options(.everyCommit), fileSystem: files)
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    let seen = Mutex<[UInt64]>([])
    let follower = Task {
      for try await element in reader.feed(upTo: .durable) {
        guard case .event(let sequence, _, let payload) = element, payload.count == 2 else { continue }
        seen.withLock { $0.append(sequence) }
      }
    }
    for number in 0..<30 {
      try Self.append(number, to: journal)
      await Task.yield()
    }
    while seen.withLock({ $0.count }) < 60 { await Task.yield() }
    follower.cancel()
    try await follower.value
    #expect(seen.withLock { $0 } == Array(1...60))
    try journal.close()
  }

  @Test("A journal whose directory is gone is an error, and no end")
  func gone() throws {
    let files = MemoryFileSystem()
    let journal = try Journal.create(
      at: Self.path, id: sampleID, createdNanoseconds: 0, options: options(.everyCommit), fileSystem: files)
    var follower = try JournalReader(path: Self.path, fileSystem: files).follow()
    try journal.close()
    files.setFault { operation, _, _ in operation == "list" ? .error(Platform.noEntry) : nil }
    #expect(throws: JournalError.self) { _ = try follower.next() != nil }
  }
}
