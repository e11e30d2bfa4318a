extension PileScanner {
  /// A frame at a place, under one of the seeds that are known.
  func acceptFrame(at position: UInt64) throws(JournalError) -> UInt64? {
    guard !active.isEmpty, let header = try header(at: position, in: window) else { return nil }
    var chain: UInt32?
    for index in active.reversed() {
      let trace = traces[index]
      guard let offset = trace.offset(of: position), offset % 8 == 0, let seed = trace.seed,
        let sequence = sequence(of: header, at: position, in: trace)
      else { continue }
      if chain == nil {
        guard isAffordable(header, isExpected: position == trace.end) else { return nil }
        guard let value = try content(of: header, at: position, in: window) else { return nil }
        chain = value
      }
      guard let chain,
        Checksum.frameCheck(seed: seed, offset: offset, position: header.position, chain: chain) == header.check
      else { continue }
      if position != trace.end || header.previous != trace.chain,
        try window.showsMove(
          of: header, at: position, writtenAt: offset, chain: chain, seed: seed, limit: length)
      {
        continue
      }
      return try record(header, at: position, chain: chain, sequence: sequence, in: index)
    }
    return nil
  }

  /// A segment header, which may begin at any byte.
  func acceptHeader(at position: UInt64) throws(JournalError) -> UInt64? {
    guard let start = try window.bytes(at: position, 8, keeping: position),
      UInt64(littleEndian: start.loadUnaligned(as: UInt64.self)) == Format.segmentMagic,
      let bytes = try window.copy(at: position, Int(min(UInt64(Format.maximumHeaderSize), length - position)))
    else { return nil }
    switch SegmentHeader.read(bytes) {
    case .damaged:
      if presumedHeaders.count < Self.maximumPresumedHeaders { presumedHeaders.append(position) }
      return nil
    case .unsupported(let what):
      endUnsupported(at: position)
      if unsupported.count < Self.maximumFailures { unsupported.append((position, nil, what)) }
      firstLaterHeader = firstLaterHeader ?? position
      return nil
    case .sound(let header):
      let end = position + UInt64(header.size)
      endUnsupported(at: position)
      openFragment = nil
      activate(
        SegmentTrace(
          file: file, base: position, evidence: .header, seed: header.seed, header: header, id: header.id,
          ordinal: header.ordinal, end: end, sequence: header.firstSequence - 1, chain: header.chainIn))
      return end
    }
  }

  /// Bytes that need a newer program extend to the next segment at most.
  private func endUnsupported(at position: UInt64) {
    if let last = unsupported.indices.last { unsupported[last].end = unsupported[last].end ?? position }
  }

  /// An event that the next frame continues in both chain value and number. That is evidence of 62 bits without any
  /// header, and of 32 more if both frames verify under one seed.
  func acceptLink(at position: UInt64) throws(JournalError) -> UInt64? {
    guard firstLaterHeader == nil, let event = try header(at: position, in: window), event.type == .event,
      event.size <= 64 << 10 || position % 8 == 0
        || active.contains(where: { mayHold(event, at: position, traces[$0]) })
    else { return nil }
    let place = position + UInt64(event.size)
    guard length - position > UInt64(event.size), let next = try header(at: place, in: ahead),
      next.type.rawValue <= FrameType.highestKnown
    else { return nil }
    let isEvent = next.type == .event
    guard next.sequenceBits == (event.sequenceBits &+ (isEvent ? 1 : 0)) & Format.sequenceMask,
      isEvent || (next.isLastOfBatch && !next.isDurableBefore), isAffordable(event, isExpected: false),
      let chain = try content(of: event, at: position, in: window), chain == next.previous
    else { return nil }
    if let trace = try shiftedTrace(of: event, at: position, chain: chain, before: next) {
      openFragment = nil
      activate(trace)
      return try record(event, at: position, chain: chain, sequence: trace.sequence + 1, in: traces.count - 1)
    }
    let sequence = Self.fullSequence(event.sequenceBits, near: nameHint)
    guard sequence > 0, sequence < Format.numberLimit else { return nil }
    let sizes = [Format.segmentHeaderSize, Format.smallestSegmentHeaderSize]
    for base in presumedHeaders.reversed() + [0] + sizes.map({ position - min(position, UInt64($0)) }) {
      guard base <= position, (position - base) % 8 == 0 else { continue }
      let seed = Checksum.segmentSeed(
        ofCheck: event.check, offset: position - base, position: event.position, chain: chain)
      guard let after = try content(of: next, at: place, in: ahead),
        Checksum.frameCheck(seed: seed, offset: place - base, position: next.position, chain: after) == next.check
      else { continue }
      openFragment = nil
      activate(
        SegmentTrace(
          file: file, base: base, evidence: .seed, seed: seed, end: position, sequence: sequence - 1,
          chain: event.previous))
      return try record(event, at: position, chain: chain, sequence: sequence, in: traces.count - 1)
    }
    // Events that do not continue from each other may be of different journals.
    let open = openFragment.map { traces[fragments[$0].trace] }
    if open?.evidence != .link || open?.end != position || open?.chain != event.previous {
      openFragment = nil
      traces.append(
        SegmentTrace(
          file: file, base: position, evidence: .link, end: position, sequence: sequence - 1, chain: event.previous))
    }
    return try record(event, at: position, chain: chain, sequence: sequence, in: traces.count - 1)
  }

  func activate(_ trace: SegmentTrace) {
    traces.append(trace)
    active.append(traces.count - 1)
    guard active.count > Self.maximumActiveTraces else { return }
    // The segment whose header was found last may go on after any number of others.
    let headed = active.last { traces[$0].header != nil && traces[$0].shift == 0 }
    active.remove(at: active[0] == headed ? 1 : 0)
  }

  /// Records a verified frame, and returns where it ends.
  func record(
    _ header: FrameHeader, at position: UInt64, chain: UInt32, sequence: UInt64, in index: Int
  ) throws(JournalError) -> UInt64 {
    let trace = traces[index]
    var end = position + UInt64(header.size)
    let follows = trace.end == position && header.previous == trace.chain
    if header.type == .event, header.payloadLength == 0 {
      // Not an event: an earlier salvage kept the place of a lost one.
      if follows, sequence == trace.sequence + 1, var last = placeholders.last, last.trace == index,
        last.events.upperBound == trace.sequence
      {
        last.events = last.events.lowerBound...sequence
        last.byteRange = last.byteRange.lowerBound..<end
        placeholders[placeholders.count - 1] = last
      } else {
        placeholders.append(
          LostPlace(trace: index, file: file, events: sequence...sequence, byteRange: position..<end))
      }
      openFragment = nil
      traces[index].sequence = sequence
      traces[index].chain = chain
    } else if header.type == .event {
      if !follows || sequence != trace.sequence + 1 || openFragment.map({ fragments[$0].trace != index }) ?? true {
        fragments.append(
          SalvageFragment(
            trace: index, file: file, start: position, end: position, first: sequence, chainBefore: header.previous,
            chainAfter: header.previous))
        openFragment = fragments.count - 1
      }
      fragments[fragments.count - 1].add(at: position, end: end, chain: chain)
      traces[index].sequence = sequence
      traces[index].chain = chain
    } else {
      if !follows || sequence != trace.sequence { openFragment = nil }
      // Only a segment's first frame is its catalogue.
      if header.type == .catalog, traces[index].catalog == nil {
        traces[index].catalog = CatalogPlace(offset: position, length: header.payloadLength)
      }
      if !header.type.isReadable {
        if unsupported.count < Self.maximumFailures { unsupported.append((position, nil, "a \(header.type.name)")) }
      }
      if header.type == .footer, let seed = trace.seed, length - end >= UInt64(Format.trailerSize),
        let bytes = try window.copy(at: end, Format.trailerSize),
        let offset = trace.offset(of: position), Trailer.footerOffset(bytes, seed: seed) == offset
      {
        end += UInt64(Format.trailerSize)
      }
      // It gives the number and the chain value of the event before it, even of one that does not verify: the numbering
      // continues from there.
      traces[index].sequence = sequence
      traces[index].chain = header.previous
    }
    traces[index].end = end
    return end
  }

  // MARK: - Candidates

  /// A frame's header whose fields are in their ranges, and which fits into the file.
  func header(at position: UInt64, in window: FileWindow) throws(JournalError) -> FrameHeader? {
    guard position <= length, length - position >= UInt64(Format.frameHeaderSize),
      let start = try window.bytes(at: position, Format.frameHeaderSize, keeping: position)
    else { return nil }
    let header = FrameHeader(start)
    return header.isPlausible && UInt64(header.size) <= length - position ? header : nil
  }

  /// The chain value after a frame, when its padding is zero.
  func content(
    of header: FrameHeader, at position: UInt64, in window: FileWindow
  ) throws(JournalError) -> UInt32? {
    guard let bytes = try window.bytes(at: position, header.size, keeping: position) else { return nil }
    let count = Format.frameHeaderSize + header.payloadLength
    let padding = UnsafeRawBufferPointer(start: bytes + count, count: header.size - count)
    guard padding.allSatisfy({ $0 == 0 }) else { return nil }
    return Checksum.crc32(header.previous, UnsafeRawBufferPointer(start: bytes + 12, count: count - 12))
  }

  /// The number of a candidate, if the events that it implies fit between it and the last frame of its segment.
  private func sequence(of header: FrameHeader, at position: UInt64, in trace: SegmentTrace) -> UInt64? {
    guard position >= trace.end else { return nil }
    let isEvent = header.type == .event
    let distance = UInt64((header.sequenceBits &- UInt32(truncatingIfNeeded: trace.sequence)) & Format.sequenceMask)
    let room = (position - trace.end) / UInt64(Format.frameHeaderSize)
    guard distance <= room + (isEvent ? 1 : 0), distance > 0 || !isEvent else { return nil }
    let (sequence, overflow) = trace.sequence.addingReportingOverflow(distance)
    return overflow || sequence >= Format.numberLimit ? nil : sequence
  }

  /// A number from its low 30 bits. In a history of more events than these can count, the file's name gives the rest.
  static func fullSequence(_ bits: UInt32, near nameHint: UInt64) -> UInt64 {
    guard nameHint > UInt64(Format.sequenceMask) else { return UInt64(bits) }
    return nameHint + UInt64((bits &- UInt32(truncatingIfNeeded: nameHint)) & Format.sequenceMask)
  }

  /// Whether a candidate may still be examined; those at the place of an expected frame always may.
  private func isAffordable(_ header: FrameHeader, isExpected: Bool) -> Bool {
    if isExpected { return true }
    guard budget >= UInt64(header.size) else { return false }
    budget -= UInt64(header.size)
    return true
  }
}
