import Expectations
import Testing

@testable import Journal

/// Whatever a writer takes, readers take; what they would not, it refuses by name.
@Suite("Limits of the journal's files")
struct FormatLimitTests {
  private func create(_ files: MemoryFileSystem, domain: JournalDomain? = nil) throws -> JournalWriter {
    var options = JournalOptions()
    options.syncPolicy = .none
    options.preallocation = 0
    options.domain = domain
    return try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 9, options: options, fileSystem: files)
  }

  private func code(_ body: () throws(JournalError) -> Void) -> JournalError.Code? {
    do throws(JournalError) { try body() } catch { return error.code }
    return nil
  }

  /// Bytes that zlib makes no shorter.
  private func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 7
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  @Test("The longest payload is read back, in the longest batch, and no batch takes a byte more")
  func longestBatch() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    let longest = [UInt8](repeating: 5, count: Format.maximumPayloadLength)
    let rest = Format.maximumBatchLength - (Format.maximumPayloadLength + 2 * Format.frameHeaderSize)
    var batch = JournalBatch()
    expectEqual(code { () throws(JournalError) in try batch.append(payload: longest + [5], label: 0) }, .tooLarge)
    try batch.append(payload: longest, label: 0)
    let one = [UInt8](repeating: 6, count: rest + 1)
    expectEqual(code { () throws(JournalError) in try batch.append(payload: one, label: 0) }, .tooLarge)
    try batch.append(payload: Array(one.dropLast()), label: 0)
    expectEqual(batch.encodedLength, Format.maximumBatchLength)
    expectEqual(code { () throws(JournalError) in try batch.append(payload: [], label: 0) }, .tooLarge)
    try journal.append(&batch)
    try journal.close()
    let reader = try JournalReader(path: "j", fileSystem: files)
    let read = try events(reader)
    #expect(read.map(\.count) == [longest.count, rest] && read.first == longest && read.last?.last == 6)
    try expectEqual(reader.verify().findings, [])
  }

  @Test("As many events as a batch takes are read back as one, and one more is refused")
  func mostEvents() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    var batch = JournalBatch()
    for _ in 0..<Format.maximumBatchEvents { try batch.append(payload: [1], label: 0) }
    expectEqual(code { () throws(JournalError) in try batch.append(payload: [1], label: 0) }, .tooLarge)
    try journal.append(&batch)
    try journal.close()
    let reader = try JournalReader(path: "j", fileSystem: files)
    let report = try reader.verify()
    #expect(report.findings == [] && report.eventCount == UInt64(Format.maximumBatchEvents))
  }

  @Test("The longest name of a domain is read back from JOURNAL and from segments, and a longer one is refused")
  func longestDomain() throws {
    let name = String(repeating: "d", count: DomainName.maximumLength)
    let files = MemoryFileSystem()
    let journal = try create(files, domain: JournalDomain(name: name, catalog: [1]))
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 0)
    try journal.append(&batch)
    try journal.close()
    let reader = try JournalReader(path: "j", fileSystem: files)
    #expect(reader.domain == name && reader.catalog.segments.map(\.header.domain) == [name])
    expectEqual(code { () throws(JournalError) in _ = try JournalDomain(name: name + "d", catalog: [1]) }, .outOfRange)
  }

  @Test("The longest catalogue is read back, also where deflating makes it longer, and a longer one is refused")
  func longestCatalog() throws {
    let catalog = noise(Format.maximumCatalogLength)
    let files = MemoryFileSystem()
    let journal = try create(files, domain: JournalDomain(name: "d", catalog: catalog))
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 0)
    try journal.append(&batch)
    try journal.close()
    let reader = try JournalReader(path: "j", fileSystem: files)
    #expect(try reader.catalog(at: 1) == catalog && reader.verify().findings == [])
    let domain = code { () throws(JournalError) in _ = try JournalDomain(name: "d", catalog: catalog + [1]) }
    #expect(domain == .tooLarge && JournalDomain.maximumCatalogLength == Format.maximumCatalogLength)
  }

  @Test("The longest keyframe is read back, and a longer one is not written")
  func longestKeyframe() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    var batch = JournalBatch()
    for _ in 0..<2 { try batch.append(payload: [1], label: 0) }
    try journal.append(&batch)
    let body = [UInt8](repeating: 3, count: Keyframe.maximumBodyLength)
    do {
      var keyframes = try KeyframeWriter(journal, after: 2) { _ in true }
      try keyframes.append(sequence: 1, chain: 7, body: body)
      try keyframes.append(sequence: 2, chain: 7, body: body + [3])
      expectEqual(keyframes.lastSequence, 1)
    }
    try journal.close()
    let file = try #require(try JournalReader(path: "j", fileSystem: files).keyframes())
    let last = try #require(try file.last(notAfter: 2))
    #expect(try last.sequence == 1 && file.body(of: last) == body)
  }

  @Test("The longest checkpoint that a writer takes is the longest that readers take")
  func longestCheckpoint() {
    let longest = Format.maximumCheckpointLength
    #expect(code { () throws(JournalError) in try Checkpoint.checkLength(longest, sequence: 1) } == nil)
    expectEqual(code { () throws(JournalError) in try Checkpoint.checkLength(longest + 1, sequence: 1) }, .tooLarge)
    // Readers judge the header: LeftFilesTests.
    var checkpoint = Checkpoint(sequence: 1, ordinal: 1, chain: 7, body: [])
    for (length, isRead) in [(longest, true), (longest + 1, false)] {
      checkpoint.bodyLength = UInt64(length)
      let read = Checkpoint(checkpoint.header(for: sampleID), file: checkpoint.file, of: sampleID)
      #expect((read?.bodyLength == UInt64(length)) == isRead)
    }
  }
}
