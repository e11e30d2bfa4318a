import Expectations
import SystemCalls
import Testing

@testable import Journal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Several threads on one journal, and readers while it is being written.
@Suite("A journal in use")
struct LiveJournalTests {
  private func options(_ policy: SyncPolicy, segmentSize: UInt64 = 4 << 10) -> JournalOptions {
    var options = JournalOptions()
    options.syncPolicy = policy
    options.segmentSizeLimit = segmentSize
    options.preallocation = 1 << 10
    return options
  }

  @Test(
    "Concurrent appends enter one after the other, durable when they return, across rotations",
    arguments: [SyncPolicy.everyCommit, .group(maximumDelayNanoseconds: 1000), .interval(nanoseconds: 0), .none])
  func concurrentAppends(policy: SyncPolicy) async throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 0, options: options(policy), fileSystem: files)
    let isDurable =
      switch policy {
      case .everyCommit, .group: true
      case .interval, .none: false
      }
    let ranges = try await withThrowingTaskGroup(of: [ClosedRange<UInt64>].self) { group in
      for writer in 0..<8 {
        group.addTask {
          var batch = JournalBatch()
          var ranges: [ClosedRange<UInt64>] = []
          for number in 0..<40 {
            for part in 0...(number % 3) {
              try batch.append(payload: [UInt8(writer), UInt8(number), UInt8(part)], label: 0)
            }
            let range = try journal.append(&batch)
            if isDurable, journal.durableSequence < range.upperBound { return [] }
            ranges.append(range)
          }
          return ranges
        }
      }
      return try await group.reduce(into: [[ClosedRange<UInt64>]]()) { $0.append($1) }
    }
    try journal.close()
    #expect(ranges.allSatisfy { $0.count == 40 })
    let sorted = ranges.flatMap { $0 }.sorted { $0.lowerBound < $1.lowerBound }
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound + 1 == $1.lowerBound })
    let reader = try JournalReader(path: "j", fileSystem: files)
    let served = try events(reader)
    expectEqual(served.count, Int(sorted.last?.upperBound ?? 0))
    for writer in 0..<8 {
      let own = served.filter { $0[0] == UInt8(writer) }.map { Array($0[1...]) }
      var expected: [[UInt8]] = []
      for number in 0..<40 {
        for part in 0...(number % 3) { expected.append([UInt8(number), UInt8(part)]) }
      }
      expectEqual(own, expected)
    }
    try expectEqual(reader.verify().findings, [])
  }

  @Test("A cursor follows a writer over rotations, without a gap and without a double")
  func following() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 0, options: options(.none, segmentSize: 1 << 10), fileSystem: files)
    var cursor = try JournalReader(path: "j", fileSystem: files).cursor()
    var batch = JournalBatch()
    for number in 0..<200 {
      let isThere = try cursor.next() != nil
      #expect(!isThere)
      for _ in 0...(number % 3) { try batch.append(payload: SampleJournal.payload(number), label: 0) }
      let range = try journal.append(&batch)
      if number % 7 == 0 { try expectEqual(JournalReader(path: "j", fileSystem: files).verify().findings, []) }
      for sequence in range {
        guard case .event(let event)? = try cursor.next() else {
          Issue.record("event \(sequence) did not come")
          return
        }
        #expect(event.sequence == sequence && Array(event.payload) == SampleJournal.payload(number))
      }
    }
    try journal.close()
  }

  @Test("A cursor limited to what is durable waits for the sync")
  func durableOnly() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 0, options: options(.none), fileSystem: files)
    var cursor = try JournalReader(path: "j", fileSystem: files).cursor(upTo: .durable)
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 0)
    try journal.append(&batch)
    let early = try cursor.next() != nil
    #expect(!early)
    try journal.sync()
    guard case .event(let event)? = try cursor.next() else {
      Issue.record("the event did not come")
      return
    }
    expectEqual(event.sequence, 1)
    try journal.close()
  }

  @Test("A cursor that met a torn tail goes on when a writer has begun the next segment")
  func followingOverTornTail() throws {
    let sample = try SampleJournal(count: 10, policy: .none, closing: false, segmentSize: 1 << 20)
    let files = sample.fileSystem
    files.edit("j/00000000000000000001.seg") { $0.removeLast(3) }
    var cursor = try JournalReader(path: "j", fileSystem: files).cursor()
    var sequences: [UInt64] = []
    var verdicts: [Verdict] = []
    func drain(_ cursor: inout JournalCursor) throws {
      while let item = try cursor.next() {
        switch item {
        case .event(let event): sequences.append(event.sequence)
        case .finding(let finding): verdicts.append(finding.verdict)
        }
      }
    }
    try drain(&cursor)
    try drain(&cursor)
    #expect(sequences == Array(1...6) && verdicts == [.torn(.short)])
    let journal = try JournalWriter.open(at: "j", fileSystem: files)
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 0)
    try journal.append(&batch)
    try drain(&cursor)
    expectEqual(sequences, Array(1...7))
    try journal.close()
  }

  @Test("A cursor that read what a failed sync left behind meets no break and no event twice")
  func followingOverFailedSync() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 0, options: options(.none), fileSystem: files)
    var cursor = try JournalReader(path: "j", fileSystem: files).cursor()
    var sequences: [UInt64] = []
    for round in 0..<3 {
      for _ in 0..<3 {
        var batch = JournalBatch()
        try batch.append(payload: [1, 2, 3], label: 0)
        try journal.append(&batch)
      }
      if round == 1 {
        files.setFault { operation, path, _ in
          operation == "sync" && path == "j/00000000000000000001.seg" ? .error(OperatingSystem.deviceError) : nil
        }
      }
      while case .event(let event)? = try cursor.next() { sequences.append(event.sequence) }
      try journal.sync()
    }
    let isAtEnd = try cursor.next() == nil
    #expect(isAtEnd && sequences == Array(1...9))
    try journal.close()
  }

  @Test("A crafted segment costs no more than a few passes over it")
  func craftedLengths() throws {
    let sample = try SampleJournal(count: 3, policy: .none, closing: false, segmentSize: 1 << 20)
    let files = sample.fileSystem
    // Every sixteen bytes claim to be the next event, with a payload of 64 KiB.
    files.edit("j/00000000000000000001.seg") { bytes in
      bytes.append(contentsOf: [UInt8](repeating: 0xAA, count: 64))
      let header: [UInt8] = [1, 1, 1, 1, 4, 0, 0, 0x40, 1, 1, 1, 1, 0, 0, 1, 1]
      for _ in 0..<20_000 { bytes += header }
    }
    let window = FileWindow(
      fileSystem: files, file: try files.open("j/00000000000000000001.seg", .read), name: "s")
    let scanner = SegmentScanner(
      window: window, seed: 1, limit: 320_000, offset: 224, sequence: 3, chain: 0)
    let budget = scanner.searchBudget
    let found = try scanner.resynchronize(after: SegmentScanner.Hole(position: 224, partial: nil, reason: .checksum))
    #expect(found == nil && scanner.searchBudget < 1 << 17 && budget < 32 * 320_000)
    try expectEqual(SampleJournal.read(files.files).all.count, 3)
  }

  @Test("On disk, files are for their owner only, and a second writer is refused")
  func onDisk() throws {
    try withTemporaryDirectory { path in
      let journal = try JournalWriter.create(at: path + "/j", id: sampleID, createdNanoseconds: 0)
      defer {
        for name in SystemCalls.names(in: path + "/j").0 { _ = SystemCalls.remove(path + "/j/" + name) }
        _ = OperatingSystem.removeEmptyDirectory(path + "/j")
      }
      for name in SystemCalls.names(in: path + "/j").0 {
        #expect(OperatingSystem.mode(path + "/j/" + name) == 0o600, "\(name)")
      }
      #expect(OperatingSystem.mode(path + "/j") == 0o700)
      #expect(throws: JournalError.self) { _ = try JournalWriter.open(at: path + "/j") }
      let file = try PosixFileSystem().open(path + "/j/LOCK", .update)
      #expect(try !PosixFileSystem().lock(file))
      PosixFileSystem().close(file)
      try journal.close()
      try JournalWriter.open(at: path + "/j/").close()
      #expect(throws: JournalError.self) { _ = try JournalReader(path: path + "/nothing") }
    }
  }

  @Test("A closed file's lock is free, though a process that was being started still has the file")
  func inheritedLock() throws {
    try withTemporaryDirectory { path in
      let files = PosixFileSystem()
      let held = try files.open(path + "/LOCK", .createOrUpdate)
      defer { _ = SystemCalls.remove(path + "/LOCK") }
      #expect(try files.lock(held))
      // What a forked process has: another number for the same opened file.
      let inherited = dup(held.number)
      defer { OperatingSystem.close(inherited) }
      let other = try files.open(path + "/LOCK", .update)
      defer { files.close(other) }
      #expect(try !files.lock(other))
      files.close(held)
      #expect(try files.lock(other))
    }
  }
}
