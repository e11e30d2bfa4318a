/// The writer's position: everything that an append changes.
struct WriterCore: ~Copyable {
  let directory: JournalDirectory
  let options: JournalOptions
  let id: JournalID
  let createdNanoseconds: Int64
  /// The domain that the headers name.
  let domain: String?
  /// The catalogue of the next event; `nil` without a domain, and where a salvage found none.
  private(set) var catalog: SegmentCatalog?
  var segment: ActiveSegment?
  var sequence: UInt64
  var chain: UInt32
  /// `nil` when the journal keeps no digest, or when it is no longer known.
  var digest: HistoryDigest?
  /// The last event up to which everything was synced.
  var durableSequence: UInt64
  /// The chain value after that event.
  var durableChain: UInt32
  /// The content of the next segment's header.
  var predecessor = SegmentHeader.Predecessor.none
  /// At least 1.
  var nextOrdinal: UInt64 = 1
  /// The names of existing segment files; never iterated.
  var takenNames: Set<String> = []
  /// Why the writer can make no further promises.
  var failure: JournalError?
  var isClosed = false
  var lastSyncNanoseconds: UInt64 = 0
  /// The total bytes of all batches that this writer wrote.
  var appendedBytes: UInt64 = 0
  /// A moving average of the batches' size in bytes, in which the newest batch weighs an eighth.
  var usualBytes: UInt64 = 0
  /// Whether zeros may be written ahead of the data: so far the device had room for them.
  var hasRoomAhead = true

  init(
    directory: JournalDirectory, options: JournalOptions, identity: JournalIdentity, sequence: UInt64, chain: UInt32,
    digest: HistoryDigest?
  ) {
    self.directory = directory
    self.options = options
    id = identity.id
    createdNanoseconds = identity.createdNanoseconds
    domain = identity.domain
    if identity.domain != nil { catalog = options.domain?.described }
    self.sequence = sequence
    self.chain = chain
    self.digest = digest
    durableSequence = sequence
    durableChain = chain
  }

  /// The number of the last segment that counts: the current one, or, while lack of room leaves none, the last one
  /// that existed. A segment that was begun but not installed does not count.
  var lastOrdinal: UInt64 { nextOrdinal - 1 }

  /// Checks what holds between any two steps; see ``Invariants``.
  ///
  /// - The current segment is the last one that was installed, at the writer's position.
  /// - No event is durable before those in front of it.
  borrowing func checkInvariants() {
    guard Invariants.areChecked else { return }
    invariant(durableSequence <= sequence, "event \(durableSequence) is durable, and the last one is \(sequence)")
    invariant(durableSequence < sequence || durableChain == chain, "two chain values after event \(sequence)")
    guard let segment else { return }
    let ordinal = segment.header.ordinal
    invariant(ordinal == lastOrdinal, "segment \(ordinal) is current, and segment \(lastOrdinal) the last one")
    invariant(takenNames.contains(segment.name), "the current segment \(segment.name) was never installed")
    segment.checkInvariants(after: sequence)
  }

  /// Throws when the journal accepts no more events.
  func checkUsable() throws(JournalError) {
    if let failure { throw failure }
    if isClosed {
      throw JournalError(.closed, "the journal is closed", remedy: "open it again", file: directory.path)
    }
  }

  /// Describes the following events by another catalogue, which begins a segment with the next one.
  ///
  /// - Parameter catalog: `nil` for events whose catalogue is lost.
  mutating func describe(by catalog: SegmentCatalog?) {
    guard domain != nil else { return }
    self.catalog = catalog
    compareCatalog()
  }

  /// Notes whether the current segment begins with the catalogue of the next event.
  func compareCatalog() {
    segment?.isOfOtherCatalog = segment?.header.catalogDigest != catalog?.digest
  }

  /// The result of an attempt to write a batch.
  enum Attempt {
    case written(WrittenBatch)
    /// No segment has room for it.
    case needsSegment
  }

  /// Writes a batch after the last one, wholly or not at all.
  ///
  /// `ignoringLimit` lets the segment grow above its size limit.
  mutating func write(
    _ batch: borrowing JournalBatch, expecting expected: UInt64?, ignoringLimit: Bool = false
  ) throws(JournalError) -> Attempt {
    // A batch that is moved goes to a segment that is not installed yet, and the writer may stand before events that are
    // durable in the old one: `rewriteUndurable` checks at its end.
    defer { if !ignoringLimit { checkInvariants() } }
    try checkUsable()
    if let expected, expected != sequence {
      throw JournalError(
        .conflict, "the journal ends with event \(sequence), and \(expected) was expected",
        remedy: "read what was appended, decide again, and append", file: directory.path, sequence: sequence)
    }
    // HEAD, checkpoints and the next header would not verify with a greater number.
    guard UInt64(batch.count) < Format.numberLimit - sequence else {
      throw JournalError(
        .tooLarge, "there are no event numbers left", remedy: "begin a new journal", file: directory.path)
    }
    // Events that are written again keep their catalogue.
    guard let segment, segment.takesBatches || ignoringLimit && !segment.isSpoiled else { return .needsSegment }
    let size = UInt64(batch.encodedLength) + UInt64(JournalBatch.headroom)
    if !ignoringLimit, segment.holdsData, segment.end + size > segment.limit(options) {
      return .needsSegment
    }
    #if POLICYJOURNAL_PLANTED_BUG
      // A false claim: that everything before this batch is durable. Set by tools/simulate, whose seeds must find it.
      let isDurableBefore = true
    #else
      let isDurableBefore = segment.durableEnd == segment.end
    #endif
    let needsMark = !isDurableBefore && segment.durableEnd > segment.expressedEnd
    if needsMark {
      let mark = Mark(durableOffset: segment.durableEnd, durableSequence: durableSequence)
      batch.place(
        mark: FrameHeader.encoded(
          .mark, payload: mark.encoded(), sequence: sequence, chain: chain, at: segment.end, seed: segment.seed))
    }
    let offset = segment.end + (needsMark ? UInt64(JournalBatch.headroom) : 0)
    let after = batch.complete(
      at: offset, seed: segment.seed, firstSequence: sequence + 1, chain: chain, isDurableBefore: isDurableBefore)
    let bytes = batch.bytes(withMark: needsMark)
    extend(segment, to: segment.end + UInt64(bytes.count))
    try write(segment, bytes)
    if isDurableBefore { segment.expressedEnd = segment.end }
    if needsMark { segment.expressedEnd = segment.durableEnd }
    segment.end += UInt64(bytes.count)
    segment.block.add(bytes, events: batch.count)
    segment.block.labels.include(batch.labels)
    digest?.add(frames: batch.bytes(withMark: false))
    let range = (sequence + 1)...(sequence + UInt64(batch.count))
    sequence = range.upperBound
    chain = after
    // If the anchor does not fit now, a later batch writes it.
    if segment.block.eventCount >= Format.eventsPerAnchor { try? writeAnchor(segment) }
    if !ignoringLimit { reserve(segment, after: UInt64(bytes.count)) }
    return .written(WrittenBatch(events: range, chain: after, isSyncDue: isSyncDue()))
  }

  private func isSyncDue() -> Bool {
    switch options.syncPolicy {
    case .everyCommit, .group: return true
    case .none: return false
    case .interval(let nanoseconds):
      return directory.fileSystem.monotonicNanoseconds &- lastSyncNanoseconds >= nanoseconds
    }
  }

  /// Extends the file beyond the data, so that the next syncs need not write its length.
  private func extend(_ segment: ActiveSegment, to end: UInt64) {
    let step = options.boundedPreallocation
    guard step > 0, end > segment.allocated else { return }
    let target = (end / step + 1) * step
    // Only an optimisation: a file system that refuses either accepts the bytes anyway, or the write reports why not.
    if (try? directory.fileSystem.setSize(of: segment.file, to: target)) != nil { segment.allocated = target }
  }

  /// Writes at the segment's end, wholly or not at all.
  private mutating func write(_ segment: ActiveSegment, _ bytes: UnsafeRawBufferPointer) throws(JournalError) {
    var done = 0
    do throws(FileSystemError) {
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = try directory.fileSystem.write(segment.file, rest, at: segment.end + UInt64(done))
        guard count > 0 else { throw FileSystemError(OperatingSystem.noSpace, during: "write") }
        done += min(count, rest.count)
      }
    } catch {
      if error.meansNoRoom { hasRoomAhead = false }
      if done > 0 { segment.holdsRefused = true }
      if (try? directory.fileSystem.setSize(of: segment.file, to: segment.end)) != nil {
        segment.allocated = segment.end
      } else {
        segment.isSpoiled = true
        // Part of it may be in the file: ending the segment cuts it off, or reports that it cannot.
        segment.allocated = max(segment.allocated, segment.end + UInt64(bytes.count))
      }
      throw JournalError.system(error, file: segment.name, offset: segment.end, in: directory.path)
    }
    segment.allocated = max(segment.allocated, segment.end + UInt64(bytes.count))
  }

  /// Writes a frame that is not an event.
  mutating func writeFrame(
    _ type: FrameType, _ payload: [UInt8], trailer: Bool = false, _ segment: ActiveSegment
  ) throws(JournalError) {
    var bytes = FrameHeader.encoded(
      type, payload: payload, sequence: sequence, chain: chain, at: segment.end, seed: segment.seed)
    if trailer { bytes += Trailer.encoded(footerOffset: segment.end, seed: segment.seed) }
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(JournalError) in try write(segment, buffer) }
    }
    try result.get()
    segment.end += UInt64(bytes.count)
  }

  /// Closes the block since the last anchor.
  mutating func writeAnchor(_ segment: ActiveSegment) throws(JournalError) {
    let block = segment.block
    let anchor = Anchor(
      blockStart: block.start, eventCount: UInt32(clamping: block.eventCount), blockChecksum: block.checksum,
      chain: chain, labels: block.labels, digest: digest?.value())
    try writeFrame(.anchor, anchor.encoded(), segment)
    // Only once the anchor is in the file: a step that readers cannot see would make this digest differ from theirs.
    _ = steppedDigest()
    segment.entries.append(block.indexEntry)
    block.restart(at: segment.end, firstSequence: sequence + 1, chain: chain)
  }

  /// The history digest at this place; `nil` when the journal keeps none.
  func steppedDigest() -> [UInt8]? { digest?.step() }
}

extension WriterCore {
  /// Writes zeros ahead of the data where appends wait for syncs. Appends over them need not record where on the device
  /// the bytes are, which takes as long as writing the bytes.
  ///
  /// Writes no more zeros than bytes appended so far, so that a journal with few appends writes few; none for batches
  /// of which fewer than eight would fit, because writing twice then costs more than it saves; and none where the
  /// segment would never hold data.
  ///
  /// - Parameter count: the size in bytes of the last batch written.
  mutating func reserve(_ segment: ActiveSegment, after count: UInt64) {
    appendedBytes += count
    usualBytes = (7 * usualBytes + count) / 8
    guard segment.end > segment.reserved, segment.takesBatches, hasRoomAhead, options.syncPolicy.delaysAppends else {
      return
    }
    let limit = segment.limit(options)
    let left = limit > segment.end ? limit - segment.end : 0
    let amount = min(appendedBytes, options.boundedPreallocation, Self.maximumReserve, left)
    guard amount >= 8 * max(usualBytes, count) else { return }
    let target = (segment.end + amount) / Self.pageSize * Self.pageSize
    var offset = segment.end
    while offset < target {
      let rest = Self.zeros.prefix(Int(min(target - offset, UInt64(Self.zeros.count))))
      let taken = rest.withUnsafeBytes { try? directory.fileSystem.write(segment.file, $0, at: offset) } ?? 0
      guard taken > 0 else {
        // Only an optimisation: the room taken is released and not requested again.
        hasRoomAhead = false
        try? setLength(segment)
        return
      }
      offset += UInt64(min(taken, rest.count))
      segment.allocated = max(segment.allocated, offset)
    }
    segment.reserved = target
  }

  private static let zeros = [UInt8](repeating: 0, count: 64 << 10)
  private static let pageSize: UInt64 = 4096
  /// The append that reserves also waits until at most this many bytes are written.
  private static let maximumReserve: UInt64 = 1 << 20
}
