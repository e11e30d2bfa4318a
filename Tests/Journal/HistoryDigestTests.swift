import Expectations
import Testing

@testable import Journal

/// What verification says of the running SHA-256 when frames that are steps of it do not verify.
@Suite("The history digest")
struct HistoryDigestTests {
  /// Every frame of a journal that is an anchor or a footer.
  private static func steps(_ sample: SampleJournal) throws -> [(file: String, range: Range<Int>)] {
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem)
    let walker = HistoryWalker(reader.directory, reader.catalog, beyondDamage: true)
    var steps: [(file: String, range: Range<Int>)] = []
    while true {
      switch try walker.next() {
      case .record(let record) where record.type == .anchor || record.type == .footer:
        steps.append((walker.entry.file, Int(record.offset)..<Int(record.end)))
      case .end: return steps
      default: continue
      }
    }
  }

  @Test(
    "An anchor or a footer that does not verify is the only finding: a step that is unknown is not a wrong one",
    arguments: [(60, UInt64(1 << 10)), (2600, UInt64(1 << 16))])
  func hiddenStep(count: Int, segmentSize: UInt64) throws {
    let sample = try SampleJournal(count: count, segmentSize: segmentSize)
    let steps = try Self.steps(sample)
    #expect(Set(steps.map(\.file)).count >= 2 && steps.count >= 4)
    for (file, range) in steps {
      var files = sample.files
      files["\(SampleJournal.path)/\(file)"]?[range.lowerBound + 60] ^= 1
      let report = try JournalReader(path: SampleJournal.path, fileSystem: MemoryFileSystem(files)).verify()
      expectEqual(report.findings.map(\.verdict), [.indexDamaged], "\(file), \(range): \(report.findings)")
      expectEqual(report.findings.first?.file, file)
      expectEqual(report.findings.first.map { Int($0.byteRange.lowerBound) }, range.lowerBound)
      expectEqual(report.eventCount, UInt64(count))
    }
  }

  @Test("The header of the segment after a torn one is not blamed for an anchor that does not verify in it")
  func hiddenStepBeforeTornTail() throws {
    let sample = try SampleJournal(count: 1100, closing: false, segmentSize: 1 << 20)
    let path = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
    let fileSystem = sample.fileSystem
    fileSystem.edit(path) { $0 += [1, 2, 3] }
    let journal = try JournalWriter.open(at: SampleJournal.path, fileSystem: fileSystem)
    try journal.close()
    var files = fileSystem.files
    let torn = try SampleJournal.read(files).report
    expectEqual(torn.findings.map(\.verdict), [.torn(.garbage)], "\(torn.findings)")
    let steps = try Self.steps(sample)
    try #require(steps.count == 1)
    files[path]?[steps[0].range.lowerBound + 60] ^= 1
    let report = try SampleJournal.read(files).report
    expectEqual(Set(report.findings.map(\.verdict)), [.indexDamaged, .torn(.garbage)], "\(report.findings)")
    #expect(report.findings.allSatisfy { path.hasSuffix($0.file) } && report.findings.count == 2)
    expectEqual(report.eventCount, 1100)
  }

  @Test("A digest that is another one than the events give is found in a header, and by the anchor after it")
  func wrongDigest() throws {
    let sample = try SampleJournal(count: 60)
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem)
    let second = try #require(reader.segments.dropFirst().first)
    let path = "\(SampleJournal.path)/\(second.file)"
    var files = sample.files
    var header = try #require(files[path]).prefix(Format.segmentHeaderSize).map { $0 }
    header[88] ^= 1
    let sum = Checksum.crc32(0, Array(header.dropLast(4)))
    for place in 0..<4 { header[header.count - 4 + place] = UInt8(truncatingIfNeeded: sum >> (8 * place)) }
    files[path]?.replaceSubrange(0..<Format.segmentHeaderSize, with: header)
    let report = try JournalReader(path: SampleJournal.path, fileSystem: MemoryFileSystem(files)).verify()
    expectEqual(
      report.findings.map(\.cause),
      [
        "the history digest in its header is wrong", "the anchor is wrong: the history digest differs",
      ], "\(report.findings)")
  }

  @Test("Who asks for checksums only is told of accidents and not of another digest, on one thread and on several")
  func checksumsOnly() throws {
    let sample = try SampleJournal(count: 2600, segmentSize: 1 << 16)
    let steps = try Self.steps(sample)
    let path = "\(SampleJournal.path)/\(steps[0].file)"
    // Another digest under a checksum that is right: nothing that happens by accident.
    var forged = sample.files
    let frame = steps[0].range
    var bytes = try #require(forged[path]?[frame]).map { $0 }
    bytes[Format.frameHeaderSize + 40] ^= 1
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem)
    let seed = try #require(reader.catalog.segments.first?.header.seed)
    let previous = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[8 + $1]) << UInt32(8 * $1) }
    let chain = Checksum.crc32(previous, Array(bytes[12...]))
    var place: [UInt8] = (0..<8).map { UInt8(truncatingIfNeeded: frame.lowerBound >> (8 * $0)) } + bytes[4..<8]
    place += (0..<4).map { UInt8(truncatingIfNeeded: chain >> (8 * $0)) }
    let check = Checksum.crc32(seed, place)
    for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: check >> (8 * index)) }
    forged[path]?.replaceSubrange(frame, with: bytes)
    var damaged = sample.files
    damaged[path]?[frame.lowerBound - 20] ^= 1
    for threads in [1, 2] {
      func findings(_ files: [String: [UInt8]], _ depth: VerificationDepth) throws -> [Finding] {
        let reader = try JournalReader(path: SampleJournal.path, fileSystem: MemoryFileSystem(files))
        let verification = Verification(reader, depth, threads: threads)
        try verification.run()
        expectEqual(verification.report.historyDigest?.count, 32)
        return verification.report.findings
      }
      try expectEqual(findings(forged, .checksums), [])
      #expect(try findings(forged, .digest).contains { $0.cause == "the anchor is wrong: the history digest differs" })
      try expectEqual(findings(damaged, .checksums), findings(damaged, .digest))
      try expectEqual(findings(damaged, .checksums).count, 1)
    }
  }

  @Test("It goes on after a segment whose header does not verify, when the end of that is written again")
  func damagedHeader() throws {
    var digests: [[UInt8]?] = []
    for isDamaged in [false, true] {
      let sample = try SampleJournal(count: 12, segmentSize: 1 << 20)
      let files = sample.fileSystem
      let path = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
      var options = JournalOptions()
      options.syncPolicy = .none
      func append(_ number: UInt8, to journal: JournalWriter) throws {
        var batch = JournalBatch()
        try batch.append(payload: [number], label: 0)
        try journal.append(&batch)
      }
      do {
        let journal = try JournalWriter.open(at: SampleJournal.path, options: options, fileSystem: files)
        try append(1, to: journal)
      }
      if isDamaged { files.edit(path) { $0[82] ^= 1 } }
      let again = try JournalWriter.open(at: SampleJournal.path, options: options, fileSystem: files)
      #expect(again.recovery.beganSegment && again.lastSequence == 13)
      try append(2, to: again)
      try again.close()
      let report = try JournalReader(path: SampleJournal.path, fileSystem: files).verify()
      expectEqual(report.findings.filter(\.isDamage).count, isDamaged ? 1 : 0, "\(report.findings)")
      digests.append(report.historyDigest)
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
  }
}
