extension JournalReader {
  /// Whether each segment up to the one with a position begins with the chain that the segment before it ends with: only
  /// then do equal chains behind them say that everything before is equal. A segment of another continuation of the same
  /// journal, put into the place of one, has a header and a footer that verify, and other events.
  ///
  /// The ends are read, at most two small reads a segment; of a segment without footer its frames' lengths are followed.
  ///
  /// - Parameters:
  ///   - sequence: The position. A segment that begins behind it does not count.
  ///   - beyondDamage: Whether to go on where segments are missing that hold no event, and where events were given up.
  /// - Throws: `inputOutput`.
  package func isContinuous(upTo sequence: UInt64, beyondDamage: Bool) throws(JournalError) -> Bool {
    for (before, next) in zip(catalog.segments, catalog.segments.dropFirst()) {
      guard next.header.firstSequence - 1 <= sequence else { break }
      if !beyondDamage {
        guard next.header.ordinal == before.header.ordinal + 1, next.header.predecessor.end != .damaged else {
          return false
        }
      }
      // Both begin with the same event, and the first of them holds none: its header says all of it.
      let end =
        before.header.firstSequence == next.header.firstSequence
        ? before.header.chainIn
        : try IndexedSegment(before, in: directory)?.chain(after: next.header.firstSequence - 1)
      guard let end, end == next.header.chainIn, next.knowsChain else { return false }
    }
    return true
  }
}
