import Expectations
import Testing

@testable import Journal

/// Ranges of a file that were never written are not read to find out that they are zeros.
@Suite("A sparse file")
struct SparseFileTests {
  private static let tenGigabytes: UInt64 = 10 << 30

  private func reads(_ files: MemoryFileSystem) -> Int { files.calls.count { $0.hasPrefix("read ") } }

  private func lastSegment(_ sample: SampleJournal) throws -> String {
    try #require(sample.files.keys.sorted().last { $0.hasSuffix(".seg") })
  }

  @Test("Ten gigabytes of zeros after the data are a normal end for everybody, and nobody reads them")
  func tail() throws {
    let sample = try SampleJournal(count: 12, closing: false, segmentSize: 1 << 20)
    let files = sample.fileSystem
    files.extend(try lastSegment(sample), by: Self.tenGigabytes)
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: files)
    #expect(try reader.verify().findings == [] && events(reader) == sample.payloads)
    #expect(reads(files) < 100)
    let journal = try JournalWriter.open(at: SampleJournal.path, fileSystem: files)
    #expect(journal.lastSequence == 12 && !journal.recovery.beganSegment)
    #expect(reads(files) < 150)
  }

  @Test("Behind a torn write they are searched for frames without being read")
  func tornTail() throws {
    let sample = try SampleJournal(count: 12, policy: .none, closing: false, segmentSize: 1 << 20)
    let path = try lastSegment(sample)
    let files = sample.fileSystem
    files.edit(path) { $0 += [1, 2, 3, 4, 5, 6, 7, 8] }
    files.extend(path, by: Self.tenGigabytes)
    let report = try JournalReader(path: SampleJournal.path, fileSystem: files).verify()
    #expect(report.eventCount == 12 && report.findings.map(\.verdict) == [.torn(.short)])
    expectEqual(report.findings.first?.byteRange.count, 8)
    #expect(reads(files) < 200)
  }

  @Test("A salvage searches them without reading them, and finds the journal on the other side")
  func pile() throws {
    let sample = try SampleJournal(count: 12, segmentSize: 1 << 20)
    let path = try lastSegment(sample)
    let files = sample.fileSystem
    files.extend(path, by: Self.tenGigabytes)
    try expectEqual(Salvage(of: ["j"], fileSystem: files).journals, [SalvageableJournal(id: sampleID, eventCount: 12)])
    #expect(reads(files) < 200)
    let segment = try #require(sample.files[path])
    try withTemporaryDirectory { directory in
      let fileSystem = PosixFileSystem()
      for offset: UInt64 in [0, 8, 4097] {
        let file = try fileSystem.open(directory + "/disk", .replace)
        defer { fileSystem.close(file) }
        _ = try segment.withUnsafeBytes { try fileSystem.write(file, $0, at: 64 << 20 + offset) }
        let salvage = try Salvage(of: [directory + "/disk"], fileSystem: fileSystem)
        expectEqual(salvage.journals, [SalvageableJournal(id: sampleID, eventCount: 12)])
      }
    }
  }

  @Test("What stands after megabytes of zeros is found, whether the file system knows of them or not")
  func dataBehindZeros() throws {
    let sample = try SampleJournal(count: 12, segmentSize: 1 << 20)
    let path = try lastSegment(sample)
    let end = try #require(sample.files[path]).count
    var expected: [Finding]?
    for offset in [0, 8, 4096] {
      let zeros = Int(FileWindow.bytesBetweenHoles) * 2 + offset
      let files = sample.fileSystem
      files.edit(path) { $0 += [UInt8](repeating: 0, count: zeros) + [7] }
      let findings = try JournalReader(path: SampleJournal.path, fileSystem: files).verify().findings
      expectEqual(findings.map(\.byteRange), [UInt64(end)..<UInt64(end + zeros + 1)], "\(offset)")
      expectEqual(findings.map(\.verdict), (expected ?? findings).map(\.verdict))
      expected = findings
    }
  }

  @Test("Frames after a stretch of zeros are found, whether the file system knows of the zeros or not")
  func framesBehindZeros() throws {
    let sample = try SampleJournal(
      count: 12, segmentSize: 16 << 20, embedding: [UInt8](repeating: 9, count: 3 << 20))
    let path = try lastSegment(sample)
    var bytes = try #require(sample.files[path])
    var cursor = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem).cursor(after: 6)
    guard case .event(let event)? = try cursor.next() else { return }
    let start = Int(event.offset)
    expectEqual(event.payload.count, 3 << 20)
    for length in [16 + 3 << 20, 1 << 20, 2 << 20 + 24] {
      bytes.replaceSubrange(start..<start + length, with: [UInt8](repeating: 0, count: length))
      var files = sample.files
      files[path] = bytes
      let knowing = try JournalReader(path: SampleJournal.path, fileSystem: MemoryFileSystem(files)).verify()
      let other = try JournalReader(
        path: SampleJournal.path, fileSystem: MemoryFileSystem(files, knowsHoles: false)
      ).verify()
      expectEqual(knowing.rows, other.rows)
      #expect(knowing.eventCount == 11 && knowing.lastSequence == 12)
    }
  }

  @Test("The system's own file system says where data are, or that it does not know")
  func realFile() throws {
    try withTemporaryDirectory { directory in
      let fileSystem = PosixFileSystem()
      let file = try fileSystem.open(directory + "/sparse", .replace)
      defer { fileSystem.close(file) }
      try fileSystem.setSize(of: file, to: 1 << 30)
      let end = try [1, 2, 3].withUnsafeBytes { try fileSystem.write(file, $0, at: 0) }
      #expect(end == 24 && fileSystem.nextData(in: file, from: 0) == 0)
      let behind = fileSystem.nextData(in: file, from: 1 << 20)
      #expect(behind == nil || behind == 1 << 20)
    }
  }
}
