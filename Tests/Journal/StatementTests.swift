import Expectations
import Testing

@testable import Journal

/// What anchors, footers and headers say of the events, written and compared.
@Suite("What a segment's bookkeeping states")
struct StatementTests {
  private static let first = "j/00000000000000000001.seg"

  private func create(
    _ files: MemoryFileSystem, segmentSize: UInt64 = 1 << 20, preallocation: UInt64 = 0
  ) throws -> JournalWriter {
    var options = JournalOptions()
    options.syncPolicy = .none
    options.segmentSizeLimit = segmentSize
    options.preallocation = preallocation
    return try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 1, options: options, fileSystem: files)
  }

  private func append(_ journal: JournalWriter, count: Int = 1) throws {
    var batch = JournalBatch()
    for _ in 0..<count { try batch.append(payload: [1, 2, 3], label: 5) }
    try journal.append(&batch)
  }

  private func verify(_ files: MemoryFileSystem) throws -> VerificationReport {
    try JournalReader(path: "j", fileSystem: files).verify()
  }

  /// The labels in all anchors, in order.
  private func anchoredLabels(_ files: MemoryFileSystem) throws -> [LabelRange] {
    let reader = try JournalReader(path: "j", fileSystem: files)
    let walker = HistoryWalker(reader.directory, reader.catalog, beyondDamage: false)
    var labels: [LabelRange] = []
    while true {
      switch try walker.next() {
      case .record(let record) where record.type == .anchor:
        if let anchor = Anchor(try walker.payload(of: record)) { labels.append(anchor.labels) }
      case .end: return labels
      default: break
      }
    }
  }

  @Test("Labels of events that were written again are unknown, in every anchor", arguments: [9, 1023, 1024, 2100])
  func rescuedLabels(count: Int) throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    try append(journal, count: count)
    files.setFault { operation, path, _ in
      operation == "sync" && path == Self.first ? .error(OperatingSystem.deviceError) : nil
    }
    try journal.sync()
    try journal.close()
    let labels = try anchoredLabels(files)
    #expect(!labels.isEmpty && labels.allSatisfy { $0 == .unknown }, "\(labels)")
    // What the failed sync left behind is there to be seen, and does no harm.
    #expect(try verify(files).isSound)
  }

  @Test("A segment whose footer is in place is sealed, though the space after it could not be given back")
  func sealedWithSpaceBehind() throws {
    let files = MemoryFileSystem()
    let journal = try create(files, segmentSize: 1 << 10, preallocation: 1 << 12)
    try append(journal)
    files.setFault { operation, path, _ in
      operation == "setSize" && path == Self.first ? .error(OperatingSystem.deviceError) : nil
    }
    for _ in 0..<100 { try append(journal) }
    try journal.close()
    let reader = try JournalReader(path: "j", fileSystem: files)
    #expect(reader.segments.count > 2)
    #expect(reader.segments.dropFirst().allSatisfy { $0.predecessorEnd == .sealed })
    try expectEqual(events(reader).count, 101)
    try expectEqual(reader.verify().findings, [])
  }

  @Test("A segment whose footer can list no more blocks is sealed, however small it is")
  func fullIndex() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    for _ in 0..<3 { try append(journal) }
    // As after so many closings with an event between them.
    try journal.core.withLock { core throws(JournalError) in
      guard let segment = core.segment else { return }
      let entry = IndexEntry(firstSequence: 1, offset: 224, chain: 0, eventCount: 1, labels: .empty)
      segment.entries = Array(repeating: entry, count: Format.maximumIndexEntries - 1)
      try core.writeAnchor(segment)
    }
    try append(journal)
    try journal.close()
    let report = try verify(files)
    let reader = try JournalReader(path: "j", fileSystem: files)
    expectEqual(reader.segments.map(\.firstSequence), [1, 4])
    expectEqual(reader.segments.last?.predecessorEnd, .sealed)
    expectEqual(report.eventCount, 4)
    // The footer can be read: all that is wrong with it is what this test made up.
    expectEqual(report.findings.map(\.cause), ["the footer is wrong: its index differs"])
  }

  /// Changes a footer's payload and gives it checksums that are right.
  private func changeFooter(_ bytes: inout [UInt8], at place: Int, count: Int) {
    let seed = Checksum.segmentSeed(sampleID, ordinal: 1)
    guard let start = Trailer.footerOffset(Array(bytes.suffix(Format.trailerSize)), seed: seed).map({ Int($0) }) else {
      Issue.record("the segment has no footer")
      return
    }
    let header = bytes.withUnsafeBytes { buffer in buffer.baseAddress.map { FrameHeader($0 + start) } }
    guard let header else { return }
    var payload = Array(bytes[(start + Format.frameHeaderSize)...].prefix(header.payloadLength))
    for index in place..<place + count { payload[index] ^= 0x55 }
    let frame = FrameHeader.encoded(
      .footer, payload: payload, sequence: UInt64(header.sequenceBits), chain: header.previous, at: UInt64(start),
      seed: seed)
    bytes.replaceSubrange(start..<start + frame.count, with: frame)
  }

  private func changeHeader(_ bytes: inout [UInt8], at place: Int) {
    guard var record = FixedRecord(Array(bytes.prefix(224)), size: 224) else { return }
    record.set(UInt32(77), at: place)
    record.seal()
    bytes.replaceSubrange(..<224, with: record.bytes)
  }

  @Test("What is written down twice is compared, also where its checksums are right")
  func comparisons() throws {
    let sample = try SampleJournal()
    let second = try #require(sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted().dropFirst().first)
    let changes: [(file: String, cause: String, change: @Sendable (inout [UInt8]) -> Void)] = [
      (Self.first, "the footer is wrong: its labels differ", { changeFooter(&$0, at: 24, count: 16) }),
      (Self.first, "the footer is wrong: the history digest differs", { changeFooter(&$0, at: 40, count: 32) }),
      (second, "its header counts other events in the segment before", { changeHeader(&$0, at: 120) }),
      (second, "its header has another creation time than JOURNAL", { changeHeader(&$0, at: 80) }),
    ]
    try expectEqual(verify(sample.fileSystem).findings, [])
    for (file, cause, change) in changes {
      let files = sample.fileSystem
      files.edit(file, change)
      let report = try verify(files)
      expectEqual(report.findings.map(\.verdict), [.indexDamaged], "\(cause)")
      expectEqual(report.findings.map(\.cause), [cause])
      expectEqual(report.findings.map(\.file), [String(file.dropFirst(2))])
      #expect(!report.isSound && report.lastVerifiedSequence == 40)
    }
  }

  @Test("A device that fails costs verification one segment, and is no damage")
  func unreadableSegment() throws {
    let sample = try SampleJournal()
    let paths = sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted()
    #expect(paths.count > 2)
    for (index, path) in paths.enumerated() {
      for operation in ["open", "read"] {
        let files = sample.fileSystem
        let reader = try JournalReader(path: "j", fileSystem: files)
        let expected = reader.segments[index].firstSequence - 1
        files.setFault { called, place, _ in
          called == operation && place == path ? .error(OperatingSystem.deviceError) : nil
        }
        let report = try reader.verify()
        #expect(report.findings.map(\.verdict) == [.ioError(OperatingSystem.deviceError)], "\(operation) \(path)")
        #expect(report.findings.first?.file == String(path.dropFirst(2)))
        #expect(report.findings.first?.byteRange.isEmpty == false)
        #expect(!report.isSound && report.lastVerifiedSequence == expected)
        let next = index + 1 < paths.count ? reader.segments[index + 1].firstSequence - 1 : 40
        expectEqual(report.eventCount, 40 - (next - expected))
      }
    }
  }
}
