extension SegmentScanner {
  /// Verifies everything up to the next anchor with the anchor's single checksum, and moves there.
  ///
  /// The bytes of small frames take three times as long one by one as in a block. `nil`, with nothing changed,
  /// when the scanner is not at a block's start, the block has no anchor yet or is very large, or anything in it is
  /// wrong: then ``next()`` reads it frame by frame and finds the place. So it does with a catalogue that the header
  /// states, and notices where there is none.
  func nextBlock() -> Run? {
    guard isAtBlock, !expectsCatalog || offset != start else { return nil }
    isAtBlock = false
    let room = Int(min(limit - min(offset, limit), Self.largestBlock))
    var bytes = window.content(from: offset, upTo: room)
    while true {
      switch verifyBlock(in: bytes) {
      case .found(let run):
        let before = place
        resume(at: run.end, sequence: run.lastSequence, chain: run.chainAfter)
        if Invariants.areChecked { check(run, from: before) }
        return run
      case .none: return nil
      case .endsTooSoon:
        guard bytes.count < room else { return nil }
        let count = min(room, max(FileWindow.capacity, 2 * bytes.count))
        // Where the device fails, the events before the place can still be read.
        guard let start = (try? window.bytes(at: offset, count, keeping: offset)) ?? nil else { return nil }
        bytes = UnsafeRawBufferPointer(start: start, count: count)
      }
    }
  }

  /// Blocks above this size in bytes are read frame by frame, so that memory stays small.
  private static var largestBlock: UInt64 { 1 << 20 }

  private enum BlockAttempt {
    case found(Run)
    case none
    /// The bytes end before the anchor does.
    case endsTooSoon
  }

  /// Looks for a block in bytes that begin at ``offset``.
  private func verifyBlock(in bytes: UnsafeRawBufferPointer) -> BlockAttempt {
    guard let start = bytes.baseAddress, bytes.count >= Format.frameHeaderSize else { return .endsTooSoon }
    let offset = offset
    let sequence = sequence
    let chain = chain
    // The catalogue before the first block is part of it.
    let catalog = catalog?.end == offset ? catalog : nil
    var place = 0
    var last = sequence
    var isBetweenBatches = true
    var lacksPayload = false
    while bytes.count - place >= Format.frameHeaderSize {
      let header = FrameHeader(start + place)
      guard header.isPlausible else { return .none }
      if header.type == .event {
        last += 1
        guard header.sequenceBits == UInt32(truncatingIfNeeded: last) & Format.sequenceMask else { return .none }
        isBetweenBatches = header.isLastOfBatch
        if header.payloadLength == 0 { lacksPayload = true }
      } else {
        guard isBetweenBatches, header.sequenceBits == UInt32(truncatingIfNeeded: last) & Format.sequenceMask,
          header.type == .mark || header.type == .anchor
        else { return .none }
        guard bytes.count - place >= header.size else { return .endsTooSoon }
        if header.type == .anchor {
          let block = UnsafeRawBufferPointer(start: start, count: place)
          guard last > sequence, last <= lastAllowed,
            let checksum = checksum(
              of: block, after: catalog, events: last - sequence, closedBy: header, at: start + place)
          else { return .none }
          let first = FrameHeader(start)
          return .found(
            Run(
              start: offset, end: offset + UInt64(place), firstSequence: sequence + 1, count: Int(last - sequence),
              chainBefore: chain, chainAfter: header.previous,
              isDurableBefore: first.type == .event && first.isDurableBefore, hasEventWithoutPayload: lacksPayload,
              blockChecksum: checksum))
        }
        // Frame-by-frame reading reports a mark that claims too much.
        let payload = UnsafeRawBufferPointer(
          start: start + place + Format.frameHeaderSize, count: header.payloadLength)
        guard let mark = Mark(Array(payload)), mark.durableOffset <= offset + UInt64(place),
          mark.durableSequence <= last
        else { return .none }
      }
      place += header.size
    }
    return .endsTooSoon
  }

  /// The checksum of a block when the anchor after it verifies and describes this block; otherwise `nil`.
  ///
  /// - Parameter catalog: the catalogue that the block begins with.
  private func checksum(
    of block: UnsafeRawBufferPointer, after catalog: (end: UInt64, checksum: UInt32)?, events: UInt64,
    closedBy header: FrameHeader, at bytes: UnsafeRawPointer
  ) -> UInt32? {
    let payload = UnsafeRawBufferPointer(start: bytes + Format.frameHeaderSize, count: header.payloadLength)
    guard header.verifiedChain(bytes, at: offset + UInt64(block.count), seed: seed) != nil,
      let first = block.baseAddress, FrameHeader(first).previous == chain, let anchor = Anchor(Array(payload)),
      anchor.blockStart == (catalog == nil ? offset : start), UInt64(anchor.eventCount) == events,
      anchor.chain == header.previous
    else { return nil }
    let checksum = Checksum.crc32(catalog?.checksum ?? 0, block)
    return checksum == anchor.blockChecksum ? checksum : nil
  }
}

extension SegmentScanner {
  /// The footer that the trailer at the segment's end leads to; `nil` when it is missing or does not verify.
  func footer() throws(JournalError) -> Footer? {
    let size = UInt64(Format.trailerSize)
    guard limit >= UInt64(Format.smallestSegmentHeaderSize) + size,
      let bytes = try window.copy(at: limit - size, Format.trailerSize),
      let offset = Trailer.footerOffset(bytes, seed: seed), offset < limit, offset % 8 == 0,
      let (header, _) = try frame(at: offset, keeping: offset), header.type == .footer,
      let payload = try window.copy(at: offset + UInt64(Format.frameHeaderSize), header.payloadLength)
    else { return nil }
    guard let footer = Footer(payload), footer.entries.allSatisfy({ $0.firstSequence > 0 }) else { return nil }
    return footer
  }
}
