extension JournalWriter {
  /// Returns when the event is durable. One of the threads waiting at the same time syncs for all.
  func makeDurable(_ sequence: UInt64) throws(JournalError) {
    guard turn.acquire(for: sequence, durable: { durableSequence }) else { return }
    defer { turn.give(durable: { durableSequence }) }
    // Taken before the lock that is needed to begin a segment, to close, and to replace a segment.
    if case .group(let delay) = options.syncPolicy, delay > 0 { directory.fileSystem.pause(nanoseconds: delay) }
    try head.withLock { (head) throws(JournalError) in
      // Rotation syncs as well.
      if durableSequence >= sequence { return }
      // The sync itself runs without the lock that appends take, so that others can write meanwhile.
      let target = try core.withLock { (core) throws(JournalError) -> SyncTarget in
        if let failure = core.failure { throw failure }
        guard let segment = core.segment else { throw abandoned }
        return SyncTarget(segment, core)
      }
      do throws(FileSystemError) {
        try directory.fileSystem.sync(target.file)
      } catch {
        try core.withLock { (core) throws(JournalError) in try rescue(&core, &head, error) }
        return
      }
      core.withLock { recordDurable(target, &$0) }
      announce(target, &head)
    }
  }

  /// The error for callers waiting for an event that was never synced when the journal is given up.
  private var abandoned: JournalError {
    JournalError(
      .poisoned,
      "the journal was closed before the last batches were synced; whether they are in the history is unknown",
      remedy: "open it again: recovery finds out", file: directory.path)
  }

  /// A place that is about to be durable.
  struct SyncTarget: Sendable {
    var file: OpenFile
    var ordinal: UInt64
    var end: UInt64
    var sequence: UInt64
    var chain: UInt32

    /// The end of what was written so far.
    init(_ segment: ActiveSegment, _ core: borrowing WriterCore) {
      file = segment.file
      ordinal = segment.header.ordinal
      end = segment.end
      sequence = core.sequence
      chain = core.chain
    }
  }

  /// Records for the writer that a place is durable.
  private func recordDurable(_ target: SyncTarget, _ core: inout WriterCore) {
    if core.segment?.header.ordinal == target.ordinal { core.segment?.durableEnd = target.end }
    if target.sequence >= core.durableSequence {
      core.durableSequence = target.sequence
      core.durableChain = target.chain
    }
    core.lastSyncNanoseconds = directory.fileSystem.monotonicNanoseconds
    core.checkInvariants()
  }

  /// Announces that a place is durable: first to waiting threads, then to readers of the files.
  private func announce(_ target: SyncTarget, _ head: inout HeadWriter) {
    publish(durable: target.sequence)
    head.write(ordinal: target.ordinal, offset: target.end, sequence: target.sequence, chain: target.chain)
  }

  /// Syncs the current segment while all other work is locked out.
  func syncSegment(_ core: inout WriterCore, _ head: inout HeadWriter) throws(JournalError) {
    guard let segment = core.segment else { return }
    do throws(FileSystemError) {
      try directory.fileSystem.sync(segment.file)
    } catch {
      try rescue(&core, &head, error)
      return
    }
    let target = SyncTarget(segment, core)
    recordDurable(target, &core)
    announce(target, &head)
  }

  /// Keeps a refused batch out of the history. Batches written with it may be whole in the part that reached the
  /// file, and a power cut brings them back if it comes before the cut is durable.
  ///
  /// - Throws: `poisoned` when neither the cut can be made durable nor a segment begun that says where this one ends.
  func discardRefused() throws(JournalError) {
    guard core.withLock({ $0.segment?.holdsRefused ?? false }) else { return }
    try head.withLock { (head) throws(JournalError) in
      try core.withLock { (core) throws(JournalError) in
        // Another thread may have done this first.
        guard let segment = core.segment, segment.holdsRefused, core.failure == nil else { return }
        segment.holdsRefused = false
        guard segment.isSpoiled else { return try syncSegment(&core, &head) }
        do throws(JournalError) {
          try advance(&core, &head, room: 0)
        } catch {
          if let failure = core.failure { throw failure }
          let poisoned = JournalError(
            .poisoned,
            "a batch could be neither finished nor cut off, and no other segment be begun (\(error.message)); whether it is in"
              + " the history is unknown",
            remedy: "close the journal, check the device, and open it again: recovery finds out", file: segment.name,
            offset: segment.end, errorNumber: error.errorNumber)
          giveUp(&core, poisoned)
          throw poisoned
        }
      }
    }
  }

  /// Ends all promises of this writer.
  private func giveUp(_ core: inout WriterCore, _ poisoned: JournalError) {
    core.failure = poisoned
    // Events that are not durable are no longer acknowledged, under any policy.
    due.store(.max, ordering: .releasing)
  }

  /// Leaves the current segment in the state of a closed journal: anchored, without space ahead, and durable.
  func endSegment(_ core: inout WriterCore, _ head: inout HeadWriter) throws(JournalError) {
    for _ in 0..<3 {
      guard let segment = core.segment else { return }
      // If it does not fit, the journal is just as sound: the next writer anchors these events.
      if segment.block.eventCount > 0, !segment.isSpoiled, !segment.isSealed { try? core.writeAnchor(segment) }
      try core.setLength(segment)
      try syncSegment(&core, &head)
      // A failed sync has replaced this segment with another one, which is durable but has neither an anchor nor its
      // final length.
      if core.segment?.header.ordinal == segment.header.ordinal { return }
    }
    throw JournalError(
      .inputOutput, "the device failed to sync one segment after another; every event is durable in the last one",
      remedy: "check the device; the journal can be opened again", file: core.segment?.name)
  }

  /// Ends the current segment, if one exists and has no room, and begins the next.
  func advance(_ core: inout WriterCore, _ head: inout HeadWriter, room: Int) throws(JournalError) {
    try core.checkUsable()
    if let segment = core.segment {
      let size = UInt64(room + JournalBatch.headroom)
      let isFull =
        segment.holdsData && segment.end + size > segment.limit(options)
      // Another thread may have done this first.
      guard isFull || !segment.takesBatches else { return }
      if !segment.isSpoiled, !segment.isSealed { try core.sealSegment() }
      let end: SegmentEnd = segment.isSealed ? .sealed : .torn
      let ordinal = segment.header.ordinal
      try syncSegment(&core, &head)
      // A failed sync has replaced this segment with another one.
      guard core.segment?.header.ordinal == ordinal else { return }
      core.leaveSegment(end)
    }
    try core.createSegment()
  }

  /// Handles a failed sync: the file is never synced again. Its events that were not durable are read back, proven by
  /// their checksums, and written to a fresh segment. If that fails too, this writer makes no further promises.
  func rescue(
    _ core: inout WriterCore, _ head: inout HeadWriter, _ cause: FileSystemError
  ) throws(JournalError) {
    let poisoned = JournalError(
      .poisoned,
      "the device failed to sync (\(cause)), and so did a fresh segment; whether the last batches are in the"
        + " history is unknown",
      remedy: "close the journal, check the device, and open it again: recovery finds out", file: core.segment?.name,
      offset: core.segment?.durableEnd, errorNumber: cause.code)
    if cause.meansNoRoom { core.hasRoomAhead = false }
    if let segment = core.segment {
      // First of all, so that the next process to open the journal knows what not to trust.
      head.write(
        ordinal: segment.header.ordinal, offset: segment.durableEnd, sequence: core.durableSequence,
        chain: core.durableChain, isSyncFailed: true)
      // The space ahead of its data may be the room that the fresh segment needs.
      try? core.setLength(segment)
    }
    do {
      try core.rewriteUndurable()
      guard let segment = core.segment else { throw poisoned }
      let target = SyncTarget(segment, core)
      recordDurable(target, &core)
      announce(target, &head)
    } catch {
      giveUp(&core, poisoned)
      throw poisoned
    }
  }
}

extension JournalError {
  /// The error for a segment whose bytes differ from what was found or written there before.
  static func unreadable(_ segment: ActiveSegment, at offset: UInt64) -> JournalError {
    JournalError(
      .inputOutput, "what was written cannot be read back", remedy: "check the device", file: segment.name,
      offset: offset)
  }
}

extension WriterCore {
  /// Moves every event of the current segment that is not known to be durable to a fresh segment, which is complete
  /// and durable before its name appears. Until then the old segment counts, because all of it may be durable after
  /// all.
  ///
  /// After an error there is no current segment.
  mutating func rewriteUndurable(leaving end: SegmentEnd = .syncFailed) throws(JournalError) {
    guard let old = segment else { return }
    // Now this function owns the file, and closes it however it ends.
    segment = nil
    let expectedSequence = sequence
    let expectedChain = chain
    defer { directory.fileSystem.close(old.file) }
    let scanner = SegmentScanner(
      FileWindow(fileSystem: directory.fileSystem, file: old.file, name: old.name), after: old.header, limit: old.end)
    // The digest continues from the last step before the durable end, which is an anchor or the segment's header.
    let keepsDigest = digest != nil
    if keepsDigest { digest = old.header.beginDigest() }
    func unreadable() -> JournalError { .unreadable(old, at: scanner.offset) }
    // Every batch that ends after the durable end is written again whole, wherever in the batch that end lies.
    var durable = (end: scanner.offset, sequence: scanner.sequence, chain: scanner.chain)
    var pending: SegmentScanner.Run?
    while scanner.offset < old.durableEnd, pending == nil {
      switch try scanner.next() {
      case .batch(let run) where run.end > old.durableEnd: pending = run
      case .batch(let run):
        let count = Int(run.end - run.start)
        guard let bytes = try scanner.window.bytes(at: run.start, count, keeping: run.start) else { throw unreadable() }
        digest?.add(frames: UnsafeRawBufferPointer(start: bytes, count: count))
        durable = (scanner.offset, scanner.sequence, scanner.chain)
      case .record(let record):
        guard scanner.offset <= old.durableEnd else { break }
        if record.type == .anchor, digest?.step() == nil, keepsDigest {
          // After a header that cannot be read the first anchor says what it is.
          let payload = try scanner.window.copy(at: record.offset + 16, record.payloadLength)
          digest = payload.flatMap { Anchor($0)?.digest }.map { HistoryDigest($0) }
        }
        durable.end = scanner.offset
      case .lostCatalog: durable.end = scanner.offset
      case .hole, .end: throw unreadable()
      }
    }
    predecessor = SegmentHeader.Predecessor(
      end: end, validLength: durable.end, durableLength: durable.end,
      eventCount: UInt32(clamping: durable.sequence + 1 - old.header.firstSequence))
    sequence = durable.sequence
    chain = durable.chain
    try beginSegment(describedBy: .some(old.catalog))
    do throws(JournalError) {
      if let pending { try copy(pending, from: scanner) }
      while scanner.sequence < expectedSequence {
        switch try scanner.next() {
        case .batch(let run): try copy(run, from: scanner)
        case .record, .lostCatalog: continue
        // The system has dropped what it could not write, and shows older bytes instead.
        case .hole, .end: throw unreadable()
        }
      }
      guard sequence == expectedSequence, chain == expectedChain else { throw unreadable() }
    } catch {
      discardSegment()
      throw error
    }
    try installSegment()
    checkInvariants()
  }

  /// Writes a batch of another segment once more.
  private mutating func copy(_ run: SegmentScanner.Run, from scanner: SegmentScanner) throws(JournalError) {
    let count = Int(run.end - run.start)
    guard let start = try scanner.window.bytes(at: run.start, count, keeping: run.start) else { return }
    var batch = JournalBatch()
    var place = 0
    while place + Format.frameHeaderSize <= count {
      let header = FrameHeader(start + place)
      let payload = UnsafeRawBufferPointer(
        start: start + place + Format.frameHeaderSize, count: header.payloadLength)
      try batch.append(payload: payload, label: 0)
      place += header.size
    }
    batch.forgetLabels()
    _ = try write(batch, expecting: nil, ignoringLimit: true)
  }
}
