import Expectations
import Testing

@testable import Journal

/// Several threads verify what one does, and say the same.
@Suite("Verifying on several threads")
struct ReadingAheadTests {
  /// Everything that a verification gives.
  private static func account(_ files: MemoryFileSystem, threads: Int) throws -> String {
    let verification = Verification(try JournalReader(path: SampleJournal.path, fileSystem: files), threads: threads)
    try verification.run()
    return "\(verification.report)"
  }

  @Test("A sound journal, closed or left open", arguments: [true, false])
  func sound(closing: Bool) throws {
    for count in [0, 1, 3, 40, 200] {
      let sample = try SampleJournal(count: count, closing: closing, segmentSize: 600, batchesPerBlock: 3)
      let one = try Self.account(MemoryFileSystem(sample.files, hasThreads: true), threads: 1)
      for threads in 2...5 {
        try expectEqual(
          Self.account(MemoryFileSystem(sample.files, hasThreads: true), threads: threads), one, "\(count) events")
      }
      #expect(!one.contains("finding"))
    }
  }

  @Test("A byte that changes anywhere, in any file")
  func damaged() throws {
    let sample = try SampleJournal(count: 30, segmentSize: 700, batchesPerBlock: 2)
    #expect(sample.files.keys.count { $0.hasSuffix(".seg") } >= 3)
    for path in sample.files.keys.sorted() {
      for offset in stride(from: 0, to: sample.files[path]?.count ?? 0, by: 3) {
        var files = sample.files
        files[path]?[offset] ^= 0x21
        let changed = MemoryFileSystem(files, hasThreads: true)
        try expectEqual(Self.account(changed, threads: 2), Self.account(changed, threads: 1), "\(path), byte \(offset)")
      }
    }
  }

  @Test("Segments that are missing, cut, swapped or of another history")
  func segments() throws {
    let sample = try SampleJournal(count: 60, segmentSize: 600, batchesPerBlock: 2)
    let paths = sample.files.keys.sorted().filter { $0.hasSuffix(".seg") }
    for (number, path) in paths.enumerated() {
      let next = paths[(number + 1) % paths.count]
      let bytes = try #require(sample.files[path])
      for change in [nil, [UInt8](bytes.prefix(bytes.count / 2)), sample.files[next], bytes + [1, 2, 3]] {
        var files = sample.files
        files[path] = change
        let changed = MemoryFileSystem(files, hasThreads: true)
        try expectEqual(Self.account(changed, threads: 3), Self.account(changed, threads: 1), "\(path)")
      }
    }
  }

  @Test("More segments than one round takes")
  func rounds() throws {
    let sample = try SampleJournal(count: 400, segmentSize: 300)
    #expect(sample.files.keys.count { $0.hasSuffix(".seg") } > 20)
    let one = try Self.account(MemoryFileSystem(sample.files, hasThreads: true), threads: 1)
    try expectEqual(Self.account(MemoryFileSystem(sample.files, hasThreads: true), threads: 2), one)
  }

  @Test("What was read ahead is not read again")
  func onceOnly() throws {
    let sample = try SampleJournal(count: 2000, segmentSize: 1 << 14)
    func bytesRead(_ threads: Int) throws -> Int {
      let files = MemoryFileSystem(sample.files, hasThreads: true)
      _ = try Self.account(files, threads: threads)
      return files.bytesRead
    }
    let one = try bytesRead(1)
    #expect(try bytesRead(2) < 2 * one)
  }

  @Test("A device that fails says the same at the end, whoever met the failure")
  func failing() throws {
    let sample = try SampleJournal(count: 40, segmentSize: 600, batchesPerBlock: 2)
    let paths = sample.files.keys.sorted().filter { $0.hasSuffix(".seg") }
    for path in paths.dropFirst() {
      func account(_ threads: Int) throws -> String {
        let files = MemoryFileSystem(sample.files, hasThreads: true)
        let verification = Verification(
          try JournalReader(path: SampleJournal.path, fileSystem: files), threads: threads)
        files.setFault { operation, name, _ in operation == "read" && name == path ? .error(5) : nil }
        try verification.run()
        return "\(verification.report)"
      }
      try expectEqual(account(1), account(2))
    }
  }
}
