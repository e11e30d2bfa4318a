import Expectations
import Testing

@testable import Journal

@Suite("Room that is reserved ahead of the data")
struct ReservedRoomTests {
  private static let segment = "j/00000000000000000001.seg"
  private static let preallocation = 64 << 10

  private func create(_ files: MemoryFileSystem, _ policy: SyncPolicy, segmentSize: UInt64 = 1 << 20) throws
    -> JournalWriter
  {
    var options = JournalOptions()
    options.syncPolicy = policy
    options.segmentSizeLimit = segmentSize
    options.preallocation = UInt64(Self.preallocation)
    return try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 1, options: options, fileSystem: files)
  }

  private func append(_ count: Int, bytes: Int = 1000, byte: UInt8 = 7, to journal: JournalWriter) throws {
    for _ in 0..<count {
      var batch = JournalBatch()
      try batch.append(payload: [UInt8](repeating: byte, count: bytes), label: 0)
      try journal.append(&batch)
    }
  }

  /// How often the segment was written to.
  private func writes(_ files: MemoryFileSystem) -> Int {
    files.calls.filter { $0 == "write 00000000000000000001.seg" }.count
  }

  @Test(
    "Zeros are written ahead where appends wait for syncs, no more of them than was appended, and not elsewhere",
    arguments: [
      (SyncPolicy.everyCommit, true), (.group(maximumDelayNanoseconds: 1), true), (.interval(nanoseconds: 1), false),
      (.none, false),
    ])
  func zeros(policy: SyncPolicy, isReserved: Bool) throws {
    let files = MemoryFileSystem()
    let journal = try create(files, policy)
    try append(7, to: journal)
    files.forgetCalls()
    try append(1, to: journal)
    // 8 KiB of zeros, less than a page, after eight batches: each of the next ones is one write.
    expectEqual(writes(files), isReserved ? 2 : 1)
    files.forgetCalls()
    try append(4, to: journal)
    expectEqual(writes(files), 4)
    try append(200, to: journal)
    files.forgetCalls()
    try append(120, to: journal)
    // One write of zeros for each 64 KiB by then.
    #expect((isReserved ? 121...123 : 120...120).contains(writes(files)), "\(writes(files))")
    let bytes = try #require(files.files[Self.segment])
    let end = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
    #expect(bytes.count > end && bytes.count <= end + 2 * Self.preallocation)
    try journal.close()
    let closed = try #require(files.files[Self.segment])
    #expect(closed.count <= end + Format.frameHeaderSize + Format.anchorSize + 8)
    let report = try JournalReader(path: "j", fileSystem: files).verify()
    #expect(report.findings == [] && report.wasClosed)
  }

  @Test("Batches of which the room would hold but a few reserve none")
  func large() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, .everyCommit)
    try append(20, bytes: 12_000, to: journal)
    expectEqual(writes(files), 20)
    // Nor does a small one among large ones.
    try append(1, to: journal)
    expectEqual(writes(files), 21)
    try journal.close()
  }

  @Test("A segment whose sync failed gives back what was reserved ahead of it, and no more is reserved on a full disk")
  func failedSync() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, .everyCommit)
    try append(30, to: journal)
    let before = try #require(files.files[Self.segment])
    files.setFault { operation, path, _ in
      operation == "sync" && path == Self.segment ? .error(OperatingSystem.noSpace) : nil
    }
    try append(1, to: journal)
    files.setFault(nil)
    let data = 224 + 31 * 1016
    #expect(before.count > data && files.files[Self.segment]?.count == data)
    files.forgetCalls()
    try append(30, to: journal)
    expectEqual(files.calls.count { $0 == "write 00000000000000000031.seg" }, 30)
    expectEqual(journal.durableSequence, 61)
    try journal.close()
    let report = try JournalReader(path: "j", fileSystem: files).verify()
    #expect(report.isSound && report.lastVerifiedSequence == 61, "\(report.findings)")
  }

  @Test("No more is reserved than the segment will hold")
  func smallSegments() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, .everyCommit, segmentSize: 32 << 10)
    for _ in 0..<200 {
      try append(1, to: journal)
      let longest = files.files.filter { $0.key.hasSuffix(".seg") }.map(\.value.count).max() ?? 0
      #expect(longest <= Self.preallocation)
    }
    let zeros = files.calls.count { $0.hasPrefix("write 0") } - 200
    #expect(zeros < 60, "\(zeros)")
    try journal.close()
  }

  @Test("A segment that is full gives back what was reserved ahead of it")
  func rotation() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, .everyCommit, segmentSize: 32 << 10)
    try append(40, to: journal)
    expectEqual(files.files.keys.filter { $0.hasSuffix(".seg") }.count, 2)
    #expect(try #require(files.files[Self.segment]).count <= 33 << 10)
    try journal.close()
    try expectEqual(JournalReader(path: "j", fileSystem: files).verify().findings, [])
  }

  @Test(
    "Without room for zeros batches are written without them, whether what there was can be given back or not",
    arguments: [true, false])
  func full(canCut: Bool) throws {
    let files = MemoryFileSystem()
    let journal = try create(files, .everyCommit)
    try append(7, to: journal)
    // The batch is written, of the zeros a part, and then nothing more.
    let writes = CallCount()
    files.setFault { operation, _, _ in
      if operation == "setSize", !canCut { return .error(OperatingSystem.deviceError) }
      guard operation == "write" else { return nil }
      switch writes.next() {
      case 2: return .short(1000)
      case 3: return .error(OperatingSystem.noSpace)
      default: return nil
      }
    }
    try append(1, to: journal)
    files.setFault(nil)
    if canCut { #expect(try #require(files.files[Self.segment]).last != 0, "what was taken is given back") }
    files.forgetCalls()
    // Ends in zeros, which must not be taken for those that may be there.
    try append(20, byte: 0, to: journal)
    expectEqual(self.writes(files), 20, "and not asked for again")
    expectEqual(journal.durableSequence, 28)
    try journal.close()
    let reader = try JournalReader(path: "j", fileSystem: files)
    try expectEqual(events(reader).map(\.last), [UInt8](repeating: 7, count: 8) + [UInt8](repeating: 0, count: 20))
    try expectEqual(reader.verify().findings, [])
  }
}

/// Counts calls from 1.
private final class CallCount: Sendable {
  private let count = Lock(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
