import Expectations
import Testing

@testable import Journal

/// The blocks of a segment without a footer, found from its last anchor backwards.
@Suite("Blocks from the last anchor backwards")
struct AnchorIndexTests {
  private static func sample() throws -> SampleJournal {
    try SampleJournal(count: 43, segmentSize: 1 << 20, batchesPerBlock: 2)
  }

  private static func path(_ sample: SampleJournal) throws -> String {
    try #require(sample.files.keys.sorted().last { $0.hasSuffix(".seg") })
  }

  /// What the anchors of the last segment say when they are read from the end.
  private static func index(_ files: [String: [UInt8]], after sequence: UInt64 = 0) throws -> [IndexEntry]? {
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: MemoryFileSystem(files))
    let walker = HistoryWalker(
      reader.directory, reader.catalog, from: reader.catalog.segments.count - 1, beyondDamage: false)
    try walker.begin()
    guard let scanner = walker.scanner, let head = reader.catalog.receipt else { return nil }
    return AnchorIndex(reader.directory, scanner, walker.entry, before: head, after: sequence)?.entries
  }

  /// The same when everything is read from the start.
  private static func entries(_ files: [String: [UInt8]]) throws -> [IndexEntry] {
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: MemoryFileSystem(files))
    return try JournalEnding(reader.directory, reader.catalog, readsBlocks: false).entries
  }

  @Test("They are those that reading from the start finds, down to the one that is looked for")
  func sameBlocks() throws {
    let sample = try Self.sample()
    let all = try Self.entries(sample.files)
    #expect(all.count >= 6)
    try expectEqual(Self.index(sample.files), all)
    for sequence in 0...UInt64(sample.payloads.count) {
      let wanted = all.lastIndex { $0.firstSequence <= sequence + 1 } ?? 0
      let found = try #require(try Self.index(sample.files, after: sequence))
      #expect(found == Array(all.suffix(found.count)) && found.count >= all.count - wanted, "\(sequence)")
    }
  }

  @Test("Where any byte is another one they are the same or none, and never others")
  func changedBytes() throws {
    let sample = try Self.sample()
    let path = try Self.path(sample)
    let all = try Self.entries(sample.files)
    var refused = 0
    for offset in 0..<(sample.files[path]?.count ?? 0) {
      var files = sample.files
      files[path]?[offset] ^= 0x11
      let found = try Self.index(files)
      if found == nil { refused += 1 }
      #expect(found == nil || found == all, "byte \(offset)")
    }
    // Every byte of an anchor is looked at.
    #expect(refused > all.count * 88)
  }

  @Test("A cursor begins in the block of its first event, and reads nothing before it")
  func cursors() throws {
    let sample = try SampleJournal(count: 5000, segmentSize: 64 << 20)
    let files = sample.fileSystem
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: files)
    for sequence in [0, 1, 1023, 1024, 3000, 4990, 4999] {
      var cursor = try reader.cursor(after: UInt64(sequence))
      guard case .event(let event)? = try cursor.next() else { continue }
      #expect(event.sequence == UInt64(sequence) + 1 && Array(event.payload) == sample.payloads[sequence])
    }
    var changed = sample.files
    changed[try Self.path(sample)]?[2000] ^= 1
    var cursor = try JournalReader(path: SampleJournal.path, fileSystem: MemoryFileSystem(changed))
      .cursor(after: 4000)
    guard case .event(let event)? = try cursor.next() else {
      Issue.record("damage far before the first event that is wanted")
      return
    }
    expectEqual(event.sequence, 4001)
  }

  @Test("Opening a closed journal reads from the newest checkpoint on, and goes on as if it had read everything")
  func opening() throws {
    let sample = try Self.sample()
    let path = try Self.path(sample)
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem)
    let checkpoint = try #require(reader.checkpoints().first).sequence
    let blocks = try Self.entries(sample.files)
    let first = try #require(blocks.lastIndex { $0.firstSequence <= checkpoint + 1 })
    #expect(first > 2 && first < blocks.count - 1)
    for (number, block) in blocks.enumerated() {
      var files = sample.files
      // In the payload of the block's second frame.
      files[path]?[Int(block.offset) + 60] ^= 1
      let changed = MemoryFileSystem(files)
      if number < first {
        let journal = try JournalWriter.open(at: SampleJournal.path, fileSystem: changed)
        #expect(journal.lastSequence == 43 && !journal.recovery.beganSegment)
        var batch = JournalBatch()
        try batch.append(payload: [1], label: 1)
        try journal.append(&batch)
        try journal.close()
        let findings = try JournalReader(path: SampleJournal.path, fileSystem: changed).verify().findings
        expectEqual(findings.map(\.verdict), [.damaged], "what was not read is still found by verifying: \(findings)")
      } else {
        #expect(throws: JournalError.self) { try JournalWriter.open(at: SampleJournal.path, fileSystem: changed) }
      }
    }
    let files = sample.fileSystem
    let journal = try JournalWriter.open(at: SampleJournal.path, fileSystem: files)
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 1)
    try journal.append(&batch)
    try journal.close()
    let report = try JournalReader(path: SampleJournal.path, fileSystem: files).verify()
    #expect(report.findings == [] && report.eventCount == 44 && report.historyDigest != nil)
  }

  @Test("A journal that was left open is read from the start of its last segment")
  func leftOpen() throws {
    let sample = try SampleJournal(count: 40, closing: false, segmentSize: 1 << 20, batchesPerBlock: 2)
    let path = try Self.path(sample)
    var files = sample.files
    files[path]?[Format.segmentHeaderSize + 60] ^= 1
    #expect(throws: JournalError.self) {
      try JournalWriter.open(at: SampleJournal.path, fileSystem: MemoryFileSystem(files))
    }
  }
}
