import Expectations
import Testing

@testable import Journal

/// Files cut at every length: every length has a verdict, and no event is ever wrong.
@Suite("A cut file")
struct TruncationTests {
  @Test("A closed journal with any file cut anywhere is not sound, and loses nothing before the cut")
  func closedJournal() throws {
    let sample = try SampleJournal()
    var failures: [String] = []
    for path in sample.files.keys.sorted() {
      for length in 0..<(sample.files[path]?.count ?? 0) {
        let place = "\(path) cut to \(length)"
        do {
          let reading = try SampleJournal.read(cut(sample.files, path, length))
          if reading.report.isSound { failures.append("\(place): sound") }
          if sample.wrong(reading.all) > 0 { failures.append("\(place): wrong event") }
          let lost = sample.payloads.count - reading.all.count
          if reading.report.lostEvents.reduce(0, { $0 + $1.count }) != lost {
            failures.append("\(place): lost \(lost), reported \(reading.report.lostEvents)")
          }
          if !path.hasSuffix(".seg"), lost > 0 { failures.append("\(place): lost \(lost)") }
        } catch {
          failures.append("\(place): \(error)")
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.count) failures, the first: \(failures.prefix(12))")
  }

  @Test("Where only the frame is cut that a closed journal ends with, no event is said to be missing")
  func closingFrame() throws {
    let sample = try SampleJournal(count: 9, segmentSize: 1 << 20)
    let path = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
    let bytes = try #require(sample.files[path])
    let anchor = try #require(SampleFrame.all(in: bytes).last)
    expectEqual(anchor.type, .anchor)
    for length in [anchor.end - 50, anchor.offset + 20] {
      var files = cut(sample.files, path, length)
      for hasHead in [true, false] {
        if !hasHead { files["j/HEAD"] = nil }
        let report = try SampleJournal.read(files).report
        let finding = try #require(report.findings.last)
        expectEqual(finding.cause, "the write of a frame without an event is not complete", "cut to \(length)")
        #expect(report.eventCount == 9 && report.lostEvents.isEmpty)
      }
    }
  }

  @Test("Without any sync a cut is a torn tail or a clean end, and whole batches before it are served")
  func unsyncedJournal() throws {
    let sample = try SampleJournal(count: 20, policy: .none, closing: false, segmentSize: 1 << 20)
    let path = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
    var ends: [Int] = []
    for length in Format.segmentHeaderSize..<(sample.files[path]?.count ?? 0) {
      let reading = try SampleJournal.read(cut(sample.files, path, length))
      #expect(reading.report.isSound, "cut to \(length)")
      #expect(sample.wrong(reading.all) == 0 && reading.all == reading.prefix, "cut to \(length)")
      let verdicts = reading.report.findings.map(\.verdict)
      #expect(verdicts == [] || verdicts == [.torn(.short)], "cut to \(length): \(verdicts)")
      if verdicts == [] { ends.append(reading.all.count) }
    }
    expectEqual(ends, [0, 1, 3, 6, 10, 11, 13, 16], "a clean end is where a batch ends")
  }

  @Test("A torn tail is not damage: the next writer leaves it, goes on in a fresh segment, and the journal is sound")
  func reopening() throws {
    let sample = try SampleJournal(count: 20, policy: .none, closing: false, segmentSize: 1 << 20)
    let path = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
    for length in Format.segmentHeaderSize..<(sample.files[path]?.count ?? 0) {
      let files = MemoryFileSystem(cut(sample.files, path, length))
      let before = files.files[path]
      let journal = try JournalWriter.open(at: SampleJournal.path, fileSystem: files)
      let kept = journal.lastSequence
      var batch = JournalBatch()
      try batch.append(payload: [1, 1, 1], label: 0)
      try expectEqual(journal.append(&batch), (kept + 1)...(kept + 1))
      try journal.close()
      let reader = try JournalReader(path: SampleJournal.path, fileSystem: files)
      let report = try reader.verify()
      #expect(report.isSound && report.eventCount == kept + 1, "cut to \(length): \(report.findings)")
      expectEqual(reader.segments.count, journal.recovery.beganSegment ? 2 : 1)
      if journal.recovery.beganSegment { expectEqual(files.files[path], before, "the torn bytes stay as they were") }
    }
  }

  @Test("Zeros after the data are a normal end, and are written over")
  func zeroTail() throws {
    let sample = try SampleJournal(count: 10, closing: false, segmentSize: 1 << 20, preallocation: 4 << 10)
    try expectEqual(SampleJournal.read(sample.files).report.findings, [])
    let files = sample.fileSystem
    let journal = try JournalWriter.open(at: SampleJournal.path, fileSystem: files)
    #expect(!journal.recovery.beganSegment && !journal.recovery.wasClosed)
    try journal.close()
    try expectEqual(JournalReader(path: SampleJournal.path, fileSystem: files).verify().findings, [])
  }

  @Test("A zeroed, swapped or duplicated sector is damage, and no event is wrong", arguments: [512, 64, 8])
  func sectors(size: Int) throws {
    let sample = try SampleJournal(count: 60)
    for path in sample.files.keys.sorted() where path.hasSuffix(".seg") {
      let bytes = try #require(sample.files[path])
      for start in stride(from: 0, to: bytes.count - 2 * size, by: size) {
        let one = start..<start + size
        let two = start + size..<start + 2 * size
        var zeroed = bytes
        zeroed.replaceSubrange(one, with: [UInt8](repeating: 0, count: size))
        var swapped = bytes
        swapped.replaceSubrange(one, with: bytes[two])
        swapped.replaceSubrange(two, with: bytes[one])
        var doubled = bytes
        doubled.replaceSubrange(two, with: bytes[one])
        for changed in [zeroed, swapped, doubled] where changed != bytes {
          var files = sample.files
          files[path] = changed
          let reading = try SampleJournal.read(files)
          #expect(!reading.report.isSound && sample.wrong(reading.all) == 0, "\(path) sector at \(start)")
        }
      }
    }
  }

  @Test("A journal inside a payload is never read as frames, not even after damage")
  func embedded() throws {
    let inner = try SampleJournal(count: 12, segmentSize: 1 << 20)
    let embedding = try #require(inner.files.first { $0.key.hasSuffix(".seg") }).value
    let sample = try SampleJournal(count: 12, segmentSize: 1 << 20, embedding: embedding)
    let path = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
    for offset in stride(from: Format.segmentHeaderSize, to: sample.files[path]?.count ?? 0, by: 3) {
      var files = sample.files
      files[path]?[offset] ^= 0x10
      let reading = try SampleJournal.read(files)
      #expect(sample.wrong(reading.all) == 0 && reading.all.count >= 11, "byte \(offset)")
    }
  }

  private func cut(_ files: [String: [UInt8]], _ path: String, _ length: Int) -> [String: [UInt8]] {
    var files = files
    files[path]?.removeSubrange(length...)
    return files
  }
}
