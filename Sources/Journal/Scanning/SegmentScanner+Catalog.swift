extension SegmentScanner {
  /// The catalogue with which the segment begins, wherever the scanner is, and where its frame ends; `nil` where no
  /// CATALOG frame verifies. Its content is `nil` where the frame does not hold a catalogue.
  func readCatalog() throws(JournalError) -> (catalog: SegmentCatalog?, end: UInt64)? {
    guard let (header, _) = try frame(at: start, keeping: start), header.type == .catalog,
      let payload = try window.copy(at: start + UInt64(Format.frameHeaderSize), header.payloadLength)
    else { return nil }
    return (SegmentCatalog(payload: payload), start + UInt64(header.size))
  }

  /// Whether a CATALOG frame that continues the history is at the scanner's place, a segment's first frame.
  func hasCatalog() throws(JournalError) -> Bool {
    guard let (header, _) = try frame(at: offset, keeping: offset) else { return false }
    return header.type == .catalog && continues(header)
  }

  /// Moves after the bytes in which a segment's catalogue was, and returns them.
  ///
  /// They end before the next frame, if that one continues the history, and otherwise where the frame's length says.
  /// Where neither is known, what follows is for the caller to judge, like any other hole. They are none where another
  /// frame is in the catalogue's place.
  func skipCatalog() throws(JournalError) -> Range<UInt64> {
    let before = place
    if let (header, _) = try frame(at: offset, keeping: offset), continues(header) { return offset..<offset }
    var found: UInt64?
    if let next = try resynchronize(after: Hole(position: before.offset, partial: nil, reason: .checksum)) {
      if sequence == before.sequence, next.previous == before.chain { return before.offset..<offset }
      found = offset
      goBack(to: before)
    }
    guard let stated = try statedEndOfCatalog(), stated <= found ?? .max else { return before.offset..<before.offset }
    resume(at: stated, sequence: before.sequence, chain: before.chain)
    return before.offset..<stated
  }

  private func statedEndOfCatalog() throws(JournalError) -> UInt64? {
    guard offset <= limit, limit - offset >= UInt64(Format.frameHeaderSize),
      let start = try window.bytes(at: offset, Format.frameHeaderSize, keeping: offset)
    else { return nil }
    let header = FrameHeader(start)
    return header.isPlausible && header.type == .catalog ? min(offset + UInt64(header.size), limit) : nil
  }

  /// Whether a frame has the number and the chain value of one that may follow here.
  private func continues(_ header: FrameHeader) -> Bool {
    let expected = header.type == .event ? sequence &+ 1 : sequence
    return header.previous == chain && header.sequenceBits == UInt32(truncatingIfNeeded: expected) & Format.sequenceMask
  }
}
