import Expectations
import Testing

@testable import Journal

/// Whatever happens to a journal's bytes, reading whole blocks says word for word what reading frames one by one says.
@Suite("Reading damaged blocks")
struct BlockDamageTests {
  /// Everything that anybody learns from a journal.
  private struct Account: Equatable {
    var rows: [VerificationReport.Row] = []
    var summary: [UInt64] = []
    var digest: [UInt8]?
    var items: [Item] = []
    var prefix: [Item] = []
    var findings: [Finding] = []
    var ending: [UInt64] = []
    var entries: [IndexEntry] = []
    var endingDigest: [UInt8]?
    var error: JournalError?
  }

  private enum Item: Equatable {
    case event(sequence: UInt64, chain: UInt32, file: String, offset: UInt64, payload: [UInt8])
    case finding(Finding)
  }

  private static func account(_ files: [String: [UInt8]], byBlocks: Bool) -> Account {
    var account = Account()
    do throws(JournalError) {
      var reader = try JournalReader(path: SampleJournal.path, fileSystem: MemoryFileSystem(files))
      reader.readsBlocks = byBlocks
      let report = try reader.verify()
      account.rows = report.rows
      account.summary = [
        report.lastVerifiedSequence, report.eventCount, report.lastSequence, UInt64(report.lastChain),
      ]
      account.digest = report.historyDigest
      account.items = try items(reader, beyondDamage: true)
      account.prefix = try items(reader, beyondDamage: false)
      let ending = try JournalEnding(reader.directory, reader.catalog, readsBlocks: byBlocks)
      account.findings = ending.findings
      account.ending = [
        ending.sequence, UInt64(ending.chain), ending.validEnd, ending.canContinue ? 1 : 0, ending.isComplete ? 1 : 0,
        UInt64(ending.block?.checksum ?? 0),
      ]
      account.entries = ending.entries + (ending.block.map { [$0.indexEntry] } ?? [])
      account.endingDigest = ending.digest?.value()
    } catch {
      account.error = error
    }
    return account
  }

  private static func items(_ reader: JournalReader, beyondDamage: Bool) throws(JournalError) -> [Item] {
    var cursor = try reader.cursor(beyondDamage: beyondDamage)
    var items: [Item] = []
    while let item = try cursor.next() {
      switch item {
      case .event(let event):
        items.append(
          .event(
            sequence: event.sequence, chain: event.chain, file: event.file, offset: event.offset,
            payload: Array(event.payload)))
      case .finding(let finding): items.append(.finding(finding))
      }
    }
    return items
  }

  /// The journals that are damaged.
  enum Sample: CaseIterable {
    case closed, leftOpen

    func write() throws -> SampleJournal {
      switch self {
      case .closed: try SampleJournal(count: 12, segmentSize: 800, batchesPerBlock: 1)
      case .leftOpen:
        try SampleJournal(count: 8, policy: .none, closing: false, segmentSize: 1 << 20, batchesPerBlock: 1)
      }
    }
  }

  /// Compares both ways of reading `sample` as `change` leaves it in each of `count` cases.
  private func compare(
    _ sample: SampleJournal, _ path: String, cases count: Int, _ what: String, _ change: (Int, inout [UInt8]) -> Void
  ) {
    var failures: [String] = []
    for number in 0..<count {
      var files = sample.files
      files[path].map { bytes in
        var bytes = bytes
        change(number, &bytes)
        files[path] = bytes
      }
      let blocks = Self.account(files, byBlocks: true)
      let frames = Self.account(files, byBlocks: false)
      if blocks != frames { failures.append("\(path), \(what) \(number): \(blocks) is not \(frames)") }
    }
    #expect(failures.isEmpty, "\(failures.count) differences, the first: \(failures.first ?? "")")
  }

  @Test("Samples have several blocks in a segment, and are read by blocks")
  func samples() throws {
    #expect(try Sample.closed.write().anchorsPerSegment().max() ?? 0 >= 3)
    #expect(try Sample.leftOpen.write().anchorsPerSegment().reduce(0, +) >= 2)
  }

  @Test("Any bit that is flipped in any file", arguments: Sample.allCases)
  func flips(sample: Sample) throws {
    let sample = try sample.write()
    // Every fifth bit: one or two of each byte, and each of the eight in turn.
    for path in sample.files.keys.sorted() {
      compare(sample, path, cases: 8 * (sample.files[path]?.count ?? 0) / 5, "fifth bit") { number, bytes in
        bytes[number * 5 / 8] ^= 1 << UInt8(number * 5 % 8)
      }
    }
  }

  @Test("Any length that any file is cut to", arguments: Sample.allCases)
  func cuts(sample: Sample) throws {
    let sample = try sample.write()
    for path in sample.files.keys.sorted() {
      compare(sample, path, cases: sample.files[path]?.count ?? 0, "length") { $1.removeSubrange($0...) }
    }
  }

  @Test("Sectors that are zeroed, swapped, moved or doubled", arguments: [8, 64, 512], Sample.allCases)
  func sectors(size: Int, sample: Sample) throws {
    let sample = try sample.write()
    for path in sample.files.keys.sorted() where path.hasSuffix(".seg") {
      let original = try #require(sample.files[path])
      let count = original.count / size
      // Every sector with every other one: what one anchor covers and what another one covers are among them.
      let stride = size == 8 ? 29 : 1
      compare(sample, path, cases: count * count / stride, "\(size)-byte sectors") { number, bytes in
        let one = number * stride / count * size
        let two = number * stride % count * size
        let change = number % 3
        if one == two { bytes.replaceSubrange(one..<one + size, with: [UInt8](repeating: 0, count: size)) }
        if change < 2 { bytes.replaceSubrange(one..<one + size, with: original[two..<two + size]) }
        if change > 0 { bytes.replaceSubrange(two..<two + size, with: original[one..<one + size]) }
      }
    }
  }

  @Test("A whole block with its anchor in the place of another one, in its own segment or from another")
  func movedBlocks() throws {
    // Every event alike, so that blocks have one length and one can stand exactly in the place of another.
    let files = MemoryFileSystem()
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 10
    var journal = try JournalWriter.create(
      at: SampleJournal.path, id: sampleID, createdNanoseconds: 99, options: options, fileSystem: files)
    var batch = JournalBatch()
    for number in 0..<40 {
      try batch.append(payload: [UInt8](repeating: 7, count: 8), label: 1)
      try journal.append(&batch)
      if number % 4 == 3 {
        try journal.close()
        journal = try JournalWriter.open(at: SampleJournal.path, options: options, fileSystem: files)
      }
    }
    try journal.close()
    let sample = files.files
    let segments = sample.keys.sorted().filter { $0.hasSuffix(".seg") }
    #expect(segments.count >= 2)
    let length = 4 * 24 + 88
    for target in segments {
      for source in segments {
        for place in 0..<3 {
          for other in 0..<3 where (target, place) != (source, other) {
            var changed = sample
            let start = Format.segmentHeaderSize + place * length
            let from = Format.segmentHeaderSize + other * length
            guard let bytes = sample[source], from + length <= bytes.count, let old = sample[target],
              start + length <= old.count, bytes[from..<from + length] != old[start..<start + length]
            else { continue }
            changed[target]?.replaceSubrange(start..<start + length, with: bytes[from..<from + length])
            let account = Self.account(changed, byBlocks: true)
            expectEqual(account, Self.account(changed, byBlocks: false), "\(target) \(place), \(source) \(other)")
            #expect(account.rows.contains { if case .finding = $0 { true } else { false } }, "\(target) \(place)")
          }
        }
      }
    }
  }

  @Test("A receipt or a checkpoint of another history")
  func otherHistory() throws {
    let sample = try Sample.closed.write()
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem)
    for sequence in 1...UInt64(sample.payloads.count) {
      var files = sample.files
      let receipt = HeadReceipt(
        generation: 1 << 20, ordinal: try #require(reader.segments.last).ordinal, offset: 224, sequence: sequence,
        chain: 0xBAD, isClean: false)
      files["\(SampleJournal.path)/HEAD"]?.replaceSubrange(0..<64, with: receipt.encoded(for: sampleID))
      let checkpoint = Checkpoint(sequence: sequence, ordinal: 1, chain: 0xBAD, body: [])
      files["\(SampleJournal.path)/\(checkpoint.file)"] = checkpoint.header(for: sampleID)
      let account = Self.account(files, byBlocks: true)
      expectEqual(account, Self.account(files, byBlocks: false), "event \(sequence)")
      #expect("\(account.rows)".contains("another history"), "event \(sequence)")
    }
  }
}
