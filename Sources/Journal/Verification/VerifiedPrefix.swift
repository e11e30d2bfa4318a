/// The beginning of a segment, up to the first finding: whole blocks with their anchors.
///
/// It depends on the segment's own header and bytes alone, so that segments can be read at the same time.
struct VerifiedPrefix: Sendable {
  /// The segment's name and header when it was read.
  let name: SegmentName
  let header: SegmentHeader
  /// After the last anchor.
  private(set) var end: UInt64
  /// The last event before it, and the chain value after that.
  private(set) var sequence: UInt64
  private(set) var chain: UInt32
  /// The history digest after the last anchor; `nil` when none is kept.
  private(set) var digest: [UInt8]?
  /// Whether an event in it has no payload.
  private(set) var hasEventWithoutPayload = false
  /// The blocks, as a footer lists them.
  private(set) var entries: [IndexEntry] = []

  /// Reads a segment until the first deviation, or the end of the blocks. Sequential reading judges deviations, and
  /// also claims of HEAD and checkpoints that a block contradicts. `nil` when not even one block is sound.
  ///
  /// - Parameter index: the segment's place in the catalog.
  init?(
    of index: Int, in catalog: JournalCatalog, _ directory: JournalDirectory, claims: HistoryClaims,
    depth: VerificationDepth
  ) {
    let entry = catalog.segments[index]
    guard entry.headerFault == nil, let file = try? directory.open(entry.file) else { return nil }
    defer { directory.fileSystem.close(file) }
    name = entry.name
    header = entry.header
    end = UInt64(header.size)
    sequence = header.firstSequence - 1
    chain = header.chainIn
    let running = header.beginDigest()
    digest = running?.current
    guard let extent = try? catalog.extent(of: index, directory, file) else { return nil }
    let scanner = SegmentScanner(
      FileWindow(fileSystem: directory.fileSystem, file: file, name: entry.file), after: header,
      limit: extent.length, lastAllowed: extent.lastSequence)
    if header.catalogDigest != nil {
      guard case .record(let record)? = try? scanner.next(), record.type == .catalog,
        let found = (try? scanner.readCatalog()) ?? nil, found.catalog?.digest == header.catalogDigest
      else { return nil }
    }
    let digest = depth == .digest ? running : nil
    while let block = scanner.nextBlock(), takes(block, scanner, digest, depth, claims) {}
    guard !entries.isEmpty else { return nil }
  }

  /// Adds a block and its anchor; `false` when they cause a finding.
  ///
  /// - Parameter running: the digest; `nil` when none is kept or requested.
  private mutating func takes(
    _ block: SegmentScanner.Run, _ scanner: SegmentScanner, _ running: HistoryDigest?,
    _ depth: VerificationDepth, _ claims: HistoryClaims
  ) -> Bool {
    let count = Int(block.end - block.start)
    guard let address = (try? scanner.window.bytes(at: block.start, count, keeping: block.start)) ?? nil else {
      return false
    }
    let bytes = UnsafeRawBufferPointer(start: address, count: count)
    guard claims.agree(with: block, bytes) else { return false }
    running?.add(frames: bytes)
    guard case .record(let record)? = try? scanner.next(), record.type == .anchor,
      let payload = (try? scanner.window.copy(at: record.offset + 16, record.payloadLength)) ?? nil,
      let anchor = Anchor(payload)
    else { return false }
    if depth == .digest, anchor.digest != running?.step() { return false }
    if block.hasEventWithoutPayload { hasEventWithoutPayload = true }
    entries.append(
      IndexEntry(
        firstSequence: block.firstSequence, offset: anchor.blockStart, chain: block.chainBefore,
        eventCount: anchor.eventCount, labels: anchor.labels))
    (end, sequence, chain, digest) = (record.end, block.lastSequence, block.chainAfter, anchor.digest)
    return true
  }
}

/// The chain values after some events, as HEAD and the checkpoints state them.
struct HistoryClaims: Sendable {
  private let head: HeadReceipt?
  /// In the order of their events.
  private let checkpoints: [Checkpoint]

  init(_ catalog: JournalCatalog) {
    head = catalog.head
    checkpoints = catalog.checkpoints
  }

  /// The checkpoints of some events. O(log n + their number).
  func checkpoints(in events: ClosedRange<UInt64>) -> ArraySlice<Checkpoint> {
    let start = checkpoints.partitioningIndex { $0.sequence >= events.lowerBound }
    return checkpoints[start...].prefix { $0.sequence <= events.upperBound }
  }

  /// Whether the chain in some consecutive frames has the stated values.
  func agree(with run: SegmentScanner.Run, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let events = run.firstSequence...run.lastSequence
    if let head, events.contains(head.sequence), run.chain(after: head.sequence, bytes) != head.chain { return false }
    return checkpoints(in: events).allSatisfy { run.chain(after: $0.sequence, bytes) == $0.chain }
  }
}

extension SegmentScanner.Run {
  /// The chain value after one of the run's events; `bytes` are the run's.
  func chain(after sequence: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard sequence < lastSequence, let start = bytes.baseAddress else { return chainAfter }
    var place = 0
    var number = firstSequence
    while place + Format.frameHeaderSize <= bytes.count {
      let header = FrameHeader(start + place)
      if number == sequence + 1 { return header.previous }
      if header.type == .event { number += 1 }
      place += header.size
    }
    return chainAfter
  }
}
