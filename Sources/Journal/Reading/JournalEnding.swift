/// Where the history of a journal ends, and all that a writer needs in order to continue there.
struct JournalEnding {
  var ordinal: UInt64 = 0
  var sequence: UInt64
  var chain: UInt32
  var digest: HistoryDigest?
  var findings: [Finding] = []
  /// The last segment, as it was found; `nil` without segments.
  var entry: SegmentEntry?
  /// The offset after the last byte of the history in it.
  var validEnd: UInt64 = 0
  /// Everything before this offset is known to be durable: HEAD, a frame or a checkpoint says so, and it was when
  /// they were written.
  var durableEnd: UInt64 = 0
  /// Whether HEAD names the segment, or a later one.
  private var isNamedByHead = false
  /// Where the first frame after the header and the catalogue begins.
  private(set) var dataStart: UInt64 = 0
  /// The segment's catalogue; `nil` without one, and where it cannot be read.
  private(set) var catalog: SegmentCatalog?
  /// Whether the segment's name is known to be durable. Evidence that anything in it is durable was written after it
  /// was installed, and so was HEAD. The first batch only proves what was durable before it.
  var isNameDurable: Bool { isNamedByHead || durableEnd > dataStart }
  var block: BlockTracker?
  var entries: [IndexEntry] = []
  var isSealed = false
  /// Whether the segment is sealed up to its trailer.
  var isComplete = false
  /// Whether the segment can be appended to: it verifies up to its end or up to zeros, and is not sealed.
  var canContinue = false

  /// Reads the last segment. Only where no other process writes, as for the holder of the journal's lock: it does not wait
  /// for an unfinished write.
  init(
    _ directory: JournalDirectory, _ catalog: JournalCatalog, readsBlocks: Bool = true
  ) throws(JournalError) {
    sequence = catalog.identity.parent?.sequence ?? 0
    chain = catalog.identity.parent?.chain ?? 0
    let walker = HistoryWalker(
      directory, catalog, from: max(catalog.segments.count, 1) - 1, beyondDamage: false,
      readsBlocks: readsBlocks, mayHaveWriter: false)
    var isIntact = true
    let checkpoint = catalog.checkpointSequence
    walk: while true {
      switch try walker.next() {
      case .segment(let entry):
        begin(entry, catalog)
        try readCatalog(walker)
        if readsBlocks { skipBlocks(before: checkpoint, walker) }
      case .events(let run, _):
        if run.blockChecksum != nil, run.end > durableEnd, (run.firstSequence..<run.lastSequence).contains(checkpoint) {
          // The place of the checkpoint's event shows how much of the block is durable.
          walker.divide(run)
          continue
        }
        if run.isDurableBefore { durableEnd = max(durableEnd, run.start) }
        if run.firstSequence <= checkpoint { durableEnd = max(durableEnd, run.end) }
        if let checksum = run.blockChecksum {
          // The anchor that follows states the digest.
          block?.add(block: checksum, events: run.count)
          continue
        }
        let bytes = try walker.bytes(of: run)
        block?.add(bytes, events: run.count)
        block?.labels = .unknown
        digest?.add(frames: bytes)
      case .record(let record): try read(record, walker)
      case .finding(let finding):
        findings.append(finding)
        let header = UInt64(entry?.header.size ?? Format.segmentHeaderSize)
        if finding.byteRange.upperBound > header || finding.isDamage { isIntact = false }
      case .end: break walk
      }
    }
    guard let entry else { return }
    sequence = walker.lastSequence
    chain = walker.lastChain
    validEnd = walker.validEnd
    isComplete = isSealed && walker.hasTrailer
    canContinue =
      isIntact && !isSealed && entries.count < Format.maximumIndexEntries && entry.headerFault == nil
      && validEnd % 8 == 0
  }

  private mutating func begin(_ entry: SegmentEntry, _ catalog: JournalCatalog) {
    self.entry = entry
    dataStart = UInt64(entry.header.size)
    durableEnd = dataStart
    isNamedByHead = catalog.receipt.map { $0.ordinal >= entry.header.ordinal } ?? false
    if let receipt = catalog.receipt, receipt.ordinal == entry.header.ordinal {
      durableEnd = max(durableEnd, receipt.offset)
    }
    ordinal = entry.header.ordinal
    // After an unreadable header the digest is unknown until an anchor states it.
    digest = entry.header.beginDigest()
    block = BlockTracker(
      start: UInt64(entry.header.size), firstSequence: entry.header.firstSequence, chain: entry.header.chainIn)
  }

  /// The catalogue that describes the segment's events: the one in it, or a copy in another segment where that one cannot
  /// be read; `nil` without one, and where none is left.
  func catalog(in journal: JournalCatalog, of directory: JournalDirectory) throws(JournalError) -> SegmentCatalog? {
    guard let entry, entry.headerFault == nil, let stated = entry.header.catalogDigest, catalog?.digest != stated else {
      return catalog
    }
    var search = CatalogSearch(JournalReader(directory: directory, catalog: journal))
    do throws(JournalError) {
      return SegmentCatalog(inflated: try search.bytes(of: stated, for: entry))
    } catch {
      guard error.code == .inputOutput else { return nil }
      throw error
    }
  }

  /// Reads the segment's catalogue, which was durable before the segment's name was.
  private mutating func readCatalog(_ walker: HistoryWalker) throws(JournalError) {
    guard let found = try walker.scanner?.readCatalog() else { return }
    catalog = found.catalog
    dataStart = found.end
    durableEnd = max(durableEnd, dataStart)
  }

  /// In a closed journal, goes to the block that holds the event after a checkpoint, at most to the last block.
  ///
  /// Events that a checkpoint covers are not served on opening, and like earlier segments they are not read. The
  /// anchors are read, from the receipt that the closing left back to the segment's header.
  private mutating func skipBlocks(before checkpoint: UInt64, _ walker: HistoryWalker) {
    guard walker.catalog.wasClosed, let receipt = walker.catalog.receipt, let entry, let scanner = walker.scanner,
      checkpoint >= entry.header.firstSequence,
      let index = AnchorIndex(walker.directory, scanner, entry, before: receipt)
    else { return }
    let place = index.entries.lastIndex { $0.firstSequence <= checkpoint + 1 } ?? 0
    guard place > 0 else { return }
    let found = index.entries[place]
    entries = Array(index.entries[..<place])
    digest = index.digests[place - 1].map { HistoryDigest($0) }
    block?.restart(at: found.offset, firstSequence: found.firstSequence, chain: found.chain)
    walker.seek(to: found.offset, sequence: found.firstSequence - 1, chain: found.chain, isBlock: true)
  }

  private mutating func read(
    _ record: SegmentScanner.Record, _ walker: HistoryWalker
  ) throws(JournalError) {
    guard let block else { return }
    switch record.type {
    case .anchor:
      let anchor = Anchor(try walker.payload(of: record))
      if let anchor { block.labels = anchor.labels }
      if let value = anchor?.digest {
        if let digest { digest.restart(from: value) } else { digest = HistoryDigest(value) }
      } else {
        // The step here is not stated, and not all events before it were added.
        digest = nil
      }
      entries.append(block.indexEntry)
      block.restart(at: record.end, firstSequence: walker.lastSequence + 1, chain: walker.lastChain)
    case .footer: isSealed = true
    case .mark:
      if let mark = Mark(try walker.payload(of: record)), mark.durableOffset <= record.offset {
        durableEnd = max(durableEnd, mark.durableOffset)
      }
      try walker.add(record, to: block)
    // A type of a later version, which this one may skip: part of its block all the same.
    default: try walker.add(record, to: block)
    }
  }
}
