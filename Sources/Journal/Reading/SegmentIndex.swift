/// Finds a place in a segment without reading the segment.
enum SegmentIndex {
  /// Puts the walker, before its first step, near the first event after `sequence` in its current segment.
  ///
  /// It trusts only self-proving evidence: the first frame there must verify and continue the chain.
  static func seek(_ walker: HistoryWalker, after sequence: UInt64) throws(JournalError) {
    try walker.begin()
    guard let scanner = walker.scanner else { return }
    let entry = walker.entry
    if let head = walker.catalog.head, head.ordinal == entry.header.ordinal, head.sequence <= sequence,
      head.offset > scanner.offset, head.offset <= scanner.limit, head.offset % 8 == 0,
      head.sequence >= entry.header.firstSequence,
      try isPlace(head.offset, sequence: head.sequence, chain: head.chain, scanner)
    {
      walker.seek(to: head.offset, sequence: head.sequence, chain: head.chain, isBlock: false)
      return
    }
    var entries = try scanner.footer()?.entries
    if entries == nil, let head = walker.catalog.head {
      entries = AnchorIndex(walker.directory, scanner, entry, before: head, after: sequence)?.entries
    }
    guard let entries else { return }
    var found: IndexEntry?
    for candidate in entries where candidate.firstSequence - 1 <= sequence { found = candidate }
    if let found, found.offset >= scanner.offset, found.offset < scanner.limit, found.offset % 8 == 0,
      found.firstSequence >= entry.header.firstSequence,
      try isPlace(found.offset, sequence: found.firstSequence - 1, chain: found.chain, scanner)
    {
      walker.seek(to: found.offset, sequence: found.firstSequence - 1, chain: found.chain, isBlock: true)
    }
  }

  /// Whether the data end at `offset`, or a frame verifies there that continues the history after `sequence`.
  private static func isPlace(
    _ offset: UInt64, sequence: UInt64, chain: UInt32, _ scanner: SegmentScanner
  ) throws(JournalError) -> Bool {
    guard offset < scanner.limit else { return true }
    guard let (header, _) = try scanner.frame(at: offset, keeping: offset) else {
      return try scanner.window.isZero(in: offset..<min(scanner.limit, offset + UInt64(Format.frameHeaderSize)))
    }
    let expected = header.type == .event ? sequence &+ 1 : sequence
    return header.previous == chain && header.sequenceBits == UInt32(truncatingIfNeeded: expected) & Format.sequenceMask
  }
}
