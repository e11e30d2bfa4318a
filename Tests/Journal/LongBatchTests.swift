import Expectations
import Testing

@testable import Journal

/// Batches that are longer than what is read at once.
@Suite("Long batches")
struct LongBatchTests {
  private let segment = "j/00000000000000000001.seg"
  /// Blocks above 1 MiB are read frame by frame.
  private static let count = 6000

  /// A journal of one batch of small events.
  private func sample(closing: Bool = true) throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    var options = JournalOptions()
    options.preallocation = 0
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 9, options: options, fileSystem: files)
    var batch = JournalBatch()
    for number in 0..<Self.count {
      try batch.append(payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 224), label: 1)
    }
    try journal.append(&batch)
    if closing { try journal.close() }
    try files.remove("j/LOCK")
    return MemoryFileSystem(files.files)
  }

  /// The reads and the bytes that a piece of work takes.
  private func cost(_ files: MemoryFileSystem, _ body: (any FileSystem) throws -> Void) rethrows -> (
    reads: Int, bytes: Int
  ) {
    let counting = CountingFileSystem(files)
    let before = files.bytesRead
    try body(counting)
    return (counting.reads, files.bytesRead - before)
  }

  @Test("A long batch is read in few pieces, whoever reads it")
  func fewReads() throws {
    for isClosed in [true, false] {
      let files = try sample(closing: isClosed)
      let size = try #require(files.files[segment]).count
      #expect(size > 1 << 20)
      let works: [(String, (any FileSystem) throws -> Void)] = [
        (
          "verifying",
          { fileSystem in
            let report = try JournalReader(path: "j", fileSystem: fileSystem).verify()
            #expect(report.findings == [] && report.eventCount == UInt64(Self.count))
          }
        ),
        (
          "reading",
          { fileSystem in
            let served = try events(JournalReader(path: "j", fileSystem: fileSystem))
            expectEqual(served.count, Self.count)
          }
        ),
        (
          "salvaging",
          { fileSystem in
            let report = try Salvage(of: ["j"], fileSystem: fileSystem).write(to: "s")
            expectEqual(report.salvagedCount, UInt64(Self.count))
          }
        ),
        (
          "opening",
          { fileSystem in
            let journal = try JournalWriter.open(at: "j", fileSystem: fileSystem)
            expectEqual(journal.lastSequence, UInt64(Self.count))
            try journal.close()
          }
        ),
      ]
      for (what, work) in works {
        let (reads, bytes) = try cost(files, work)
        #expect(reads < 200 && bytes < 8 * size, "\(what): \(reads) reads, \(bytes) bytes of \(size)")
      }
    }
  }

  @Test("A long batch with damage in it or at its end is read in few pieces too", arguments: [100, 1 << 19, 1 << 20])
  func damaged(after offset: Int) throws {
    let files = try sample()
    let frames = SampleFrame.all(in: try #require(files.files[segment]))
    let hit = try #require(frames.first { $0.offset > offset })
    files.edit(segment) { $0[hit.offset + 20] ^= 1 }
    let size = try #require(files.files[segment]).count
    let (reads, bytes) = try cost(files) { fileSystem in
      let reader = try JournalReader(path: "j", fileSystem: fileSystem)
      let report = try reader.verify()
      #expect(report.lostEvents.count == 1 && report.eventCount == UInt64(Self.count - 1))
      try expectEqual(events(reader, beyondDamage: true).count, Self.count - 1)
    }
    #expect(reads < 300 && bytes < 20 * size, "\(reads) reads, \(bytes) bytes of \(size)")
  }

  @Test("No more than a batch is read ahead, and no more than the file holds")
  func bounded() throws {
    let files = MemoryFileSystem(["f": [UInt8](repeating: 1, count: 3 << 20)])
    let file = try files.open("f", .read)
    let window = FileWindow(fileSystem: files, file: file, name: "f")
    for offset in stride(from: UInt64(0), to: 3 << 20, by: 64) {
      #expect(try window.bytes(at: offset, 64, keeping: 0) != nil)
    }
    expectEqual(files.bytesRead, 3 << 20)
    // A request that keeps nothing reads what it needs.
    window.invalidate()
    #expect(try window.bytes(at: 0, 1 << 20, keeping: 0) != nil)
    #expect(files.bytesRead <= 4 << 20)
  }
}
