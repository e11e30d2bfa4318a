import Expectations
import Synchronization
import Testing

@testable import Journal

@Suite("Following a journal")
struct FollowerTests {
  static let path = SampleJournal.path

  private static func append(_ number: Int, to journal: JournalWriter) throws {
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
    let journal = try JournalWriter.create(
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
          if let again = try? JournalWriter.open(at: Self.path, options: options, fileSystem: files) { journal = again }
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
      expectEqual(event.sequence, expected)
      if limit == .durable {
        #expect(event.sequence <= (try JournalReader(path: Self.path, fileSystem: files).durableSequence))
      }
      expected = event.sequence + 1
    }
    #expect(expected == total + 1 && follower.lastSequence == total)
    #expect(try JournalReader(path: Self.path, fileSystem: files).segments.count > 4)
    #expect(try follower.next() == nil, "it stays stopped")
  }

  @Test("Bytes after the end of a journal that was closed since are judged as by somebody who comes later")
  func foreignEnd() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(at: Self.path, id: sampleID, createdNanoseconds: 0, fileSystem: files)
    try Self.append(0, to: journal)
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    for number in 1..<3 { try Self.append(number, to: journal) }
    try journal.close()
    files.edit("j/00000000000000000001.seg") { $0 += [UInt8](repeating: 0xAB, count: 40) }
    func findings(_ reader: JournalReader) throws -> [Finding] {
      var cursor = try reader.cursor()
      var findings: [Finding] = []
      while let item = try cursor.next() {
        if case .finding(let finding) = item { findings.append(finding) }
      }
      return findings
    }
    let later = try findings(JournalReader(path: Self.path, fileSystem: files))
    #expect(try findings(reader) == later && later.map(\.verdict) == [.indexDamaged])
  }

  @Test("Events that are not durable yet are kept back from those who ask for durable ones")
  func durable() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
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
      expectEqual(event.sequence, sequence)
    }
    #expect(try follower.nextIfThere() == nil)
  }

  @Test("A checkpoint that comes says that events are durable, also where HEAD lags behind")
  func durableByCheckpoint() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 0, options: options(.none), fileSystem: files)
    try Self.append(2, to: journal)
    var follower = try JournalReader(path: Self.path, fileSystem: files).follow(upTo: .durable)
    #expect(try follower.nextIfThere() == nil)
    let head = try #require(files.files["j/HEAD"])
    try journal.writeCheckpoint(sequence: 3, body: [1])
    files.edit("j/HEAD") { $0 = head }
    for sequence in 1...3 as ClosedRange<UInt64> {
      guard case .event(let event)? = try follower.nextIfThere() else {
        Issue.record("event \(sequence) did not come")
        return
      }
      expectEqual(event.sequence, sequence)
    }
    try Self.append(0, to: journal)
    #expect(try follower.nextIfThere() == nil)
    // Where nothing has changed, HEAD and the names are all that is read.
    files.forgetCalls()
    #expect(try follower.nextIfThere() == nil)
    #expect(!files.calls.contains { $0.hasPrefix("open") && !$0.hasSuffix("HEAD") }, "\(files.calls)")
  }

  @Test(
    "What lies after the end of a closed journal is told once, also when it comes later", arguments: [false, true])
  func behindClosedEnd(isClosedBefore: Bool) throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 0, options: options(.everyCommit), fileSystem: files)
    try Self.append(2, to: journal)
    if isClosedBefore { try journal.close() }
    var follower = try JournalReader(path: Self.path, fileSystem: files).follow()
    for _ in 1...3 { #expect(try follower.nextIfThere() != nil) }
    #expect(try follower.nextIfThere() == nil)
    if !isClosedBefore {
      try journal.close()
      #expect(try follower.nextIfThere() == nil)
    }
    files.edit("j/00000000000000000001.seg") { $0 += [7, 7, 7] }
    let expected = try JournalReader(path: Self.path, fileSystem: files).verify().findings
    expectEqual(expected.count, 1)
    guard case .finding(let finding)? = try follower.nextIfThere() else {
      Issue.record("the bytes after the end were not told")
      return
    }
    expectEqual([finding], expected)
    #expect(try follower.nextIfThere() == nil)
    files.edit("j/00000000000000000001.seg") { $0 += [8] }
    #expect(try follower.nextIfThere() == nil)
    // Whoever opens it again goes on after the end.
    let again = try JournalWriter.open(at: Self.path, options: options(.everyCommit), fileSystem: files)
    try Self.append(0, to: again)
    var last: UInt64 = 0
    while let item = try follower.nextIfThere() { if case .event(let event) = item { last = event.sequence } }
    expectEqual(last, 4)
    try again.close()
  }

  @Test("Whether a journal is closed is known by HEAD and the end of the files, and asking again reads HEAD alone")
  func closedEnd() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 0, options: options(.everyCommit), fileSystem: files)
    try Self.append(2, to: journal)
    var end = try JournalReader(path: Self.path, fileSystem: files).closedEnd
    #expect(try end.lastSequence() == nil)
    try journal.close()
    try expectEqual(end.lastSequence(), 3)
    files.forgetCalls()
    try expectEqual(end.lastSequence(), 3)
    #expect(!files.calls.contains { !$0.hasSuffix("HEAD") }, "\(files.calls)")
    let again = try JournalWriter.open(at: Self.path, options: options(.everyCommit), fileSystem: files)
    #expect(try end.lastSequence() == nil)
    for number in 0..<40 { try Self.append(number, to: again) }
    try again.close()
    let last = again.lastSequence
    try expectEqual(end.lastSequence(), last)
    let name = try #require(files.files.keys.filter { $0.hasSuffix(".seg") }.max())
    files.edit(name) { $0 += [1] }
    var late = try JournalReader(path: Self.path, fileSystem: files).closedEnd
    #expect(try late.lastSequence() == nil)
  }

  @Test("Damage is told at its place, and what lies after it as well")
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
    let journal = try JournalWriter.create(
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
    expectEqual(seen.withLock { $0 }, Array(1...60))
    try journal.close()
  }

  @Test("A segment that is sealed while a follower has trouble reading it is no shorter than it should be")
  func sealedMeanwhile() throws {
    for size in stride(from: 600, through: 700, by: 8) {
      let files = MemoryFileSystem()
      let journal = try JournalWriter.create(
        at: Self.path, id: sampleID, createdNanoseconds: 0, options: options(.none), fileSystem: files)
      var batch = JournalBatch()
      try batch.append(payload: [UInt8](repeating: 1, count: size), label: 0)
      try journal.append(&batch)
      var follower = try JournalReader(path: Self.path, fileSystem: files).follow()
      files.setFault { operation, path, _ in
        operation == "read" && path.hasSuffix(".seg") ? .error(OperatingSystem.deviceError) : nil
      }
      #expect(throws: JournalError.self) { _ = try follower.nextIfThere() == nil }
      files.setFault(nil)
      // The footer and its trailer go where zeros were, and beyond.
      try batch.append(payload: [UInt8](repeating: 2, count: 900), label: 0)
      try journal.append(&batch)
      try expectEqual(JournalReader(path: Self.path, fileSystem: files).segments.count, 2)
      try #expect(Self.next(&follower) == 1, "\(size) bytes")
      try #expect(Self.next(&follower) == 2, "\(size) bytes")
    }
  }

  /// The number of the next event; `nil` when something else comes.
  private static func next(_ follower: inout JournalFollower) throws -> UInt64? {
    guard case .event(let event)? = try follower.nextIfThere() else { return nil }
    return event.sequence
  }

  @Test("A journal whose directory is gone is an error, and no end")
  func gone() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 0, options: options(.everyCommit), fileSystem: files)
    var follower = try JournalReader(path: Self.path, fileSystem: files).follow()
    try journal.close()
    files.setFault { operation, _, _ in operation == "list" ? .error(OperatingSystem.noEntry) : nil }
    #expect(throws: JournalError.self) { _ = try follower.next() != nil }
  }
}
