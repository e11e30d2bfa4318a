import PlainText

extension JournalReader {
  /// Reads every byte and reports its findings. Safe on a journal that is being written: it then reports only what has
  /// been written.
  ///
  /// The segments of a large journal are read on as many threads as there are processors, with the same result as on
  /// one. Memory does not grow with the journal. O(bytes). Bytes that the device does not deliver, or that need a newer
  /// program, become a finding, and reading continues with the next segment. When events are retired before they were
  /// read, or their writer takes back what was not durable yet, it starts again with the current segments, up to 100
  /// times.
  ///
  /// - Parameter depth: whether to compute the history digest too, which takes most of the time.
  /// - Throws: `inputOutput` and `unsupportedFormat` where the error concerns no file of the journal; `retired`
  ///   when events were retired or taken back each time before they were read.
  public func verify(_ depth: VerificationDepth = .digest) throws(JournalError) -> VerificationReport {
    var reader = self
    for _ in 0..<Self.verificationAttempts {
      let verification = Verification(reader, depth)
      do throws(JournalError) {
        try verification.run()
        return verification.report
      } catch {
        // Each time a writer has given up further segments, so that there are fewer; or events that were not durable yet.
        guard error.code == .retired || error.code == .conflict else { throw error }
        reader = JournalReader(directory: directory, catalog: try JournalCatalog(directory))
        reader.readsBlocks = readsBlocks
      }
    }
    throw JournalError(
      .retired, "events were retired or taken back \(Self.verificationAttempts) times before they were read",
      remedy: "verify a copy, or verify again while less is changed", file: directory.path)
  }

  /// If events are retired that fast, a longer reading would not finish either.
  private static let verificationAttempts = 100
}

/// One pass over a journal that compares everything that is recorded twice: the events with the chain values, counts
/// and checksums in headers, anchors, footers, HEAD and checkpoints, footers with the anchors they sum up, headers with
/// JOURNAL and the headers before them, and the history digest wherever it is stated. Labels of events are in anchors
/// alone.
final class Verification {
  let directory: JournalDirectory
  let catalog: JournalCatalog
  private let walker: HistoryWalker
  var report = VerificationReport()

  /// The stretch without a finding that is being read.
  private var files: [String] = []
  private var events: ClosedRange<UInt64>?
  /// The last event that was counted.
  private var counted: UInt64 = 0
  private var currentFile = ""
  private var isPrefixBroken = false
  /// Whether only a contradiction between KEPT and the first segment breaks the prefix, and no event has been lost
  /// since.
  private(set) var contradictsKept = false

  private var block: BlockTracker?
  private var entries: [IndexEntry] = []
  /// Set when bytes of the current block, or a block of the segment, were not counted.
  private var isBlockPartial = false
  private var isIndexPartial = false
  /// `nil` where it is unknown, and always when it is not requested.
  private var digest: HistoryDigest?
  private let depth: VerificationDepth
  /// The segment that was read last.
  private var previous: SegmentEntry?

  let claims: HistoryClaims
  /// The files of the findings among the first rows of the report.
  var damagedFiles: (rows: Int, names: Set<String>) = (0, [])
  private let ahead: ReadingAhead?
  /// What was read ahead of the segment that has begun.
  private var prefix: VerifiedPrefix?

  /// Below this many bytes a thread costs more than it saves.
  private static let sizeForThreads: UInt64 = 4 << 20

  /// - Parameter threads: how many threads read; `nil` for as many as there are processors, one for a small journal.
  init(_ reader: JournalReader, _ depth: VerificationDepth = .digest, threads: Int? = nil) {
    self.depth = depth
    let size = reader.catalog.segments.reduce(0) { $0 &+ $1.length }
    let threads = threads ?? (size < Self.sizeForThreads ? 1 : OperatingSystem.processorCount)
    claims = HistoryClaims(reader.catalog)
    ahead =
      threads > 1 && reader.readsBlocks && reader.catalog.segments.count > 1
      ? ReadingAhead(reader.directory, reader.catalog, depth, threads: threads) : nil
    directory = reader.directory
    catalog = reader.catalog
    walker = HistoryWalker(reader.directory, reader.catalog, beyondDamage: true, readsBlocks: reader.readsBlocks)
    report.durableSequence = reader.durableSequence
    report.wasClosed = reader.wasClosed
    report.knowsEnd = reader.knowsEnd
    // Events that were retired, or are the parent's, count as verified: a checkpoint replaces them.
    report.lastVerifiedSequence = catalog.firstSequence - 1
    report.lastSequence = catalog.firstSequence - 1
    report.lastChain = catalog.retirement?.chainIn ?? catalog.identity.parent?.chain ?? 0
  }

  func run() throws(JournalError) {
    for finding in catalog.findings { report.rows.append(.finding(finding)) }
    for checkpoint in catalog.checkpoints { try check(checkpoint) }
    checkRetirement()
    var isAtEnd = false
    while !isAtEnd {
      do throws(JournalError) {
        isAtEnd = try !advance()
      } catch {
        guard let finding = obstacle(error) else { throw error }
        add(finding)
        isAtEnd = !walker.leaveUnread()
      }
    }
    flush()
    report.hasStart = hasStart
  }

  /// Takes one step; `false` at the end.
  private func advance() throws(JournalError) -> Bool {
    if let prefix, !walker.hasPending {
      self.prefix = nil
      skip(prefix)
    }
    switch try walker.next() {
    case .segment(let entry): begin(entry)
    case .events(let run, let isWhole): try check(run, isWhole: isWhole)
    case .record(let record): try check(record)
    case .finding(let finding):
      add(finding)
      if hidesFrames(finding) { digest = nil }
    case .end: return false
    }
    return true
  }

  /// The error that keeps the rest of the current segment from being read; `nil` without a segment.
  private func obstacle(_ error: JournalError) -> Finding? {
    guard walker.index < walker.catalog.segments.count else { return nil }
    let start = walker.scanner == nil ? 0 : walker.validEnd
    let end = max(walker.entry.length, walker.scanner?.limit ?? 0, start)
    return obstacle(error, file: error.file ?? walker.entry.file, start..<end)
  }

  func obstacle(_ error: JournalError, file: String, _ range: Range<UInt64>) -> Finding? {
    guard error.code == .inputOutput || error.code == .unsupportedFormat else { return nil }
    let isDevice = error.code == .inputOutput
    let facts = RecoveryFacts(
      deviceFailed: isDevice, formatSupported: isDevice, hole: .none, declaredEnd: false, eventsAfter: false,
      historyContinues: false, provenDurable: false)
    let row = Recovery.row(for: facts)
    return Finding(
      Recovery.verdict(for: facts, errorNumber: error.errorNumber ?? 0), file: file, byteRange: range,
      cause: error.message, evidence: row.reason, remedy: row.outcome.remedy)
  }

  // MARK: - Rows

  private func flush() {
    if !files.isEmpty { report.rows.append(.sound(files: files, events: events)) }
    files = []
    events = nil
  }

  private func add(_ finding: Finding) {
    flush()
    report.rows.append(.finding(finding))
    isBlockPartial = true
    isIndexPartial = true
    if finding.lostEvents != nil || finding.endsPrefix {
      contradictsKept =
        !isPrefixBroken && finding.lostEvents == nil && catalog.retirement != nil && walker.index == 0
        && finding.byteRange == 0..<0
      isPrefixBroken = true
      digest = nil
    }
  }

  /// Whether an anchor may be among the bytes that do not verify, so that a step of the digest is unknown.
  private func hidesFrames(_ finding: Finding) -> Bool {
    let start = finding.byteRange.lowerBound
    return finding.file == currentFile && walker.sealedEnd == nil && start >= UInt64(walker.entry.header.size)
      && start < walker.statement?.validLength ?? .max
  }

  private func begin(_ entry: SegmentEntry) {
    currentFile = entry.file
    files.append(entry.file)
    let before = digest?.step()
    compareHeader(entry)
    previous = entry
    if entry.headerFault == nil {
      if walker.continuesHistory, let before, let stated = entry.header.digestIn, before != stated {
        add(
          bookkeeping(
            88..<120, "the history digest in its header is wrong", "the events before it give another SHA-256"))
        files.append(entry.file)
      }
      digest = depth == .digest ? entry.header.beginDigest() : nil
    } else if !walker.continuesHistory {
      digest = nil
    }
    block = BlockTracker(
      start: UInt64(entry.header.size), firstSequence: entry.header.firstSequence, chain: entry.header.chainIn)
    entries = []
    isBlockPartial = entry.headerFault != nil
    isIndexPartial = isBlockPartial
    prefix = ahead?.prefix(at: walker.index, of: entry)
  }

  /// Takes over what was read ahead, unless something was found at the segment's beginning.
  private func skip(_ prefix: VerifiedPrefix) {
    guard !isBlockPartial, !isIndexPartial, let scanner = walker.scanner, walker.sealedEnd == nil,
      scanner.offset == UInt64(prefix.header.size), prefix.end <= scanner.limit,
      prefix.sequence <= scanner.lastAllowed
    else { return }
    walker.seek(to: prefix.end, sequence: prefix.sequence, chain: prefix.chain, isBlock: true)
    block?.restart(at: prefix.end, firstSequence: prefix.sequence + 1, chain: prefix.chain)
    entries = prefix.entries
    if prefix.hasEventWithoutPayload { report.hasEventWithoutPayload = true }
    if let value = prefix.digest {
      digest?.restart(from: value)
      report.historyDigest = value
    }
    count(prefix.header.firstSequence...prefix.sequence, chain: prefix.chain, isWhole: true)
  }

  /// Compares a header with JOURNAL and with the header before it.
  private func compareHeader(_ entry: SegmentEntry) {
    guard entry.headerFault == nil else { return }
    let header = entry.header
    if header.createdNanoseconds != catalog.identity.createdNanoseconds {
      add(bookkeeping(80..<88, "its header has another creation time than JOURNAL", "both verify"))
      files.append(entry.file)
    }
    // No anchor needs to follow that would contradict it.
    if header.ordinal == 1, let stated = header.digestIn, stated != HistoryDigest.initial {
      add(
        bookkeeping(
          88..<120, "the history digest in its header is wrong", "it begins with 32 zero bytes in every journal"))
      files.append(entry.file)
    }
    guard let previous, previous.headerFault == nil, previous.header.ordinal &+ 1 == header.ordinal,
      header.firstSequence >= previous.header.firstSequence
    else { return }
    let count = header.firstSequence - previous.header.firstSequence
    if header.predecessor.eventCount != UInt32(clamping: count) {
      add(
        bookkeeping(
          120..<124, "its header counts other events in the segment before",
          "there are \(count.grouped) between the first events of both"))
      files.append(entry.file)
    }
  }

  private func bookkeeping(_ range: Range<UInt64>, _ cause: String, _ evidence: String) -> Finding {
    Finding(
      .indexDamaged, file: currentFile, byteRange: range, cause: cause, evidence: evidence,
      remedy: Recovery.Outcome.indexDamaged.remedy)
  }

  // MARK: - Frames

  private func check(_ run: SegmentScanner.Run, isWhole: Bool) throws(JournalError) {
    let bytes = try walker.bytes(of: run)
    if run.blockChecksum != nil, !claims.agree(with: run, bytes) {
      // A finding names the batch that it is about.
      walker.divide(run)
      return
    }
    if let checksum = run.blockChecksum {
      block?.add(block: checksum, events: run.count)
    } else {
      block?.add(bytes, events: run.count)
    }
    digest?.add(frames: bytes)
    if run.hasEventWithoutPayload { report.hasEventWithoutPayload = true }
    count(run.firstSequence...run.lastSequence, chain: run.chainAfter, isWhole: isWhole)
    compareClaims(run, bytes)
    if isWhole && contradictsKept { derive(from: run.firstSequence...run.lastSequence) }
  }

  private func count(_ range: ClosedRange<UInt64>, chain: UInt32, isWhole: Bool) {
    if files.isEmpty { files.append(currentFile) }
    events =
      min(events?.lowerBound ?? range.lowerBound, range.lowerBound)...max(events?.upperBound ?? 0, range.upperBound)
    // Events not known to be durable are written again, and count once.
    if range.lowerBound > counted {
      report.eventCount += range.upperBound - range.lowerBound + 1
    } else if range.upperBound > counted {
      report.eventCount += range.upperBound - counted
    }
    counted = max(counted, range.upperBound)
    report.lastSequence = max(report.lastSequence, range.upperBound)
    if isWhole && !isPrefixBroken {
      report.lastVerifiedSequence = range.upperBound
      report.lastChain = chain
    }
  }

  /// Compares the chain with the values in HEAD and checkpoints.
  private func compareClaims(_ run: SegmentScanner.Run, _ bytes: UnsafeRawBufferPointer) {
    let range = run.firstSequence...run.lastSequence
    if let head = catalog.head, range.contains(head.sequence), run.chain(after: head.sequence, bytes) != head.chain {
      add(
        Finding(
          .damaged, file: currentFile, byteRange: run.start..<run.end,
          cause: "the history is another one at event \(head.sequence.grouped) than the one that was synced",
          evidence: "HEAD has another chain value for it", remedy: Recovery.Outcome.damaged.remedy))
    }
    for checkpoint in claims.checkpoints(in: range) {
      guard run.chain(after: checkpoint.sequence, bytes) != checkpoint.chain else { continue }
      var finding = bookkeeping(
        56..<60, "it was made from another history", "the chain value after event \(checkpoint.sequence) differs")
      finding.file = checkpoint.file
      report.rows.append(.finding(finding))
    }
  }

  private func check(_ record: SegmentScanner.Record) throws(JournalError) {
    guard let block else { return }
    switch record.type {
    case .anchor:
      let anchor = Anchor(try walker.payload(of: record))
      if let anchor, !isBlockPartial { block.labels = anchor.labels }
      let why = anchor.map { contradiction($0, block) } ?? "its payload is too short"
      if let anchor, let value = anchor.digest {
        if let digest {
          digest.restart(from: value)
        } else if depth == .digest {
          digest = HistoryDigest(value)
        }
        report.historyDigest = value
      } else {
        _ = digest?.step()
      }
      entries.append(block.indexEntry)
      if let why {
        add(bookkeeping(record.offset..<record.end, "the anchor is wrong: \(why)", "the frames before it verify"))
      }
      isBlockPartial = false
      block.restart(at: record.end, firstSequence: walker.lastSequence + 1, chain: walker.lastChain)
    case .footer:
      let footer = Footer(try walker.payload(of: record))
      let why = footer.map { contradiction($0) } ?? "its payload does not fit its counts"
      if let why {
        add(bookkeeping(record.offset..<record.end, "the footer is wrong: \(why)", "the frames before it verify"))
      }
    case .mark:
      let mark = Mark(try walker.payload(of: record))
      if mark.map({ $0.durableOffset > record.offset || $0.durableSequence > walker.lastSequence }) ?? true {
        add(bookkeeping(record.offset..<record.end, "the mark is wrong", "it calls durable what was not written yet"))
      }
      try walker.add(record, to: block)
    case .catalog:
      if walker.entry.headerFault == nil,
        SegmentCatalog(payload: try walker.payload(of: record))?.digest != walker.entry.header.catalogDigest
      {
        add(
          bookkeeping(
            record.offset..<record.end, "the catalogue is not the one that the header states",
            "the header has another SHA-256"))
      }
      try walker.add(record, to: block)
    // A type of a later version, which this one may skip: part of its block all the same.
    default: try walker.add(record, to: block)
    }
  }

  /// An anchor's wrong statement.
  private func contradiction(_ anchor: Anchor, _ block: BlockTracker) -> String? {
    if anchor.chain != walker.lastChain { return "it has another chain value" }
    guard !isBlockPartial else { return nil }
    if anchor.blockStart != block.start || anchor.eventCount != UInt32(clamping: block.eventCount) {
      return "it describes another block"
    }
    if anchor.blockChecksum != block.checksum { return "the checksum of its block differs" }
    if let value = anchor.digest, let digest, digest.step() != value { return "the history digest differs" }
    return nil
  }

  private func contradiction(_ footer: Footer) -> String? {
    if footer.chain != walker.lastChain { return "it has another chain value" }
    guard !isIndexPartial else { return nil }
    if footer.firstSequence != walker.entry.header.firstSequence
      || footer.eventCount != walker.lastSequence + 1 - footer.firstSequence
    {
      return "it counts other events"
    }
    if footer.entries != entries { return "its index differs" }
    var labels = LabelRange.empty
    for entry in entries { labels.include(entry.labels) }
    if footer.labels != labels { return "its labels differ" }
    if let value = footer.digest, let digest, digest.step() != value { return "the history digest differs" }
    return nil
  }
}
