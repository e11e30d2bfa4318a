/// Frames that stand elsewhere in their file than they were written, because bytes before them are missing or were
/// inserted.
///
/// The check of a frame and the seed of its segment give the only offset below 2³² at which it was written. Any bytes give
/// some offset; a stretch of frames proves itself:
///
/// - The second of two frames has the chain value and the number with which it continues the first: 62 bits.
/// - Both were written at one distance from where they stand: 32 bits.
/// - That offset is a multiple of 8 within the segment, and the events before it have room for their numbers. Of all
///   offsets, one in 4,096 is such a multiple for a segment of 8 MiB.
///
/// Bytes that are no frames pass with a chance of 2⁻⁹⁴ at each place. Frames of another segment, which do continue each
/// other, pass once in 4,096 at most, and only if their numbers fit too: they are then taken for events of this segment,
/// under the numbers and with the chain values that they have. Only where those fit the rest do such events count.
///
/// One frame alone proves nothing: a flipped bit near the end of its payload changes the offset in one bit.
extension PileScanner {
  /// The segment of two successive frames that were written at another place of it, as a trace of its own: what stands at
  /// its place is not judged by what does not.
  func shiftedTrace(
    of event: FrameHeader, at position: UInt64, chain: UInt32, before next: FrameHeader
  ) throws(JournalError) -> SegmentTrace? {
    guard !isBehindHeader(event, at: position, chain: chain) else { return nil }
    var after: UInt32?
    // Where a copy of the segment stands in it, the one around it began first.
    for index in active {
      var trace = traces[index]
      guard position >= trace.base, let seed = trace.seed else { continue }
      let offset = Checksum.offset(ofCheck: event.check, seed: seed, position: event.position, chain: chain)
      guard offset % 8 == 0, offset != position - trace.base, ShiftedFrames.isNear(offset, position - trace.base),
        let sequence = number(of: event, at: offset, in: trace)
      else { continue }
      if after == nil {
        guard let content = try content(of: next, at: position + UInt64(event.size), in: ahead) else { return nil }
        after = content
      }
      guard let after,
        Checksum.frameCheck(seed: seed, offset: offset + UInt64(event.size), position: next.position, chain: after)
          == next.check
      else { continue }
      if offset == position {
        // What stands at its place in the file is in place, even where the header is not.
        (trace.base, trace.evidence, trace.header) = (0, .seed, nil)
      }
      trace.shift = Int64(offset) - Int64(position - trace.base)
      trace.end = position
      trace.sequence = sequence - 1
      trace.chain = event.previous
      return trace
    }
    return nil
  }

  /// Whether an event stands where it was written in a known segment that begins again at a place that looks like its
  /// header: in a payload, which may hold a copy of the segment around it.
  private func isBehindHeader(_ event: FrameHeader, at position: UInt64, chain: UInt32) -> Bool {
    presumedHeaders.contains { base in
      guard base <= position, (position - base) % 8 == 0 else { return false }
      let seed = Checksum.segmentSeed(
        ofCheck: event.check, offset: position - base, position: event.position, chain: chain)
      return active.contains { traces[$0].seed == seed }
    }
  }

  /// Whether an event has a number that a segment may hold near a place of the file.
  func mayHold(_ event: FrameHeader, at position: UInt64, _ trace: SegmentTrace) -> Bool {
    position >= trace.base
      && number(of: event, at: position - trace.base + ShiftedFrames.maximumDistance, in: trace) != nil
  }

  /// The number of an event that was written at an offset of a segment, if the events from the first one up to it have
  /// room there.
  private func number(of event: FrameHeader, at offset: UInt64, in trace: SegmentTrace) -> UInt64? {
    // Without a header, what is known begins with the last frame.
    let start = trace.header.map { UInt64($0.size) } ?? trace.offset(of: trace.end) ?? 0
    let last = trace.header.map { $0.firstSequence - 1 } ?? trace.sequence
    guard offset >= start else { return nil }
    let distance = UInt64((event.sequenceBits &- UInt32(truncatingIfNeeded: last)) & Format.sequenceMask)
    guard distance > 0, distance - 1 <= (offset - start) / UInt64(Format.frameHeaderSize) else { return nil }
    let (sequence, overflow) = last.addingReportingOverflow(distance)
    return overflow || sequence >= Format.numberLimit ? nil : sequence
  }

  /// Marks shifted frames that may be those of a segment in a payload, which has the id and the number of the one around
  /// it: that segment begins at two places.
  func markAmbiguous() {
    guard traces.contains(where: { $0.shift != 0 }) else { return }
    var bases: [UInt32: Set<UInt64>] = [:]
    for trace in traces where trace.shift == 0 {
      guard let seed = trace.seed else { continue }
      bases[seed, default: Set(presumedHeaders.filter { $0 > 0 })].insert(trace.base)
    }
    for index in traces.indices where traces[index].shift != 0 {
      if let seed = traces[index].seed, bases[seed]?.count ?? 0 > 1 { traces[index].isContradicted = true }
    }
  }
}
