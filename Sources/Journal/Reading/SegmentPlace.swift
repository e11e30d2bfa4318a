/// A place among a journal's segments: the one that a walk is in, or after the last one.
struct SegmentPlace {
  var catalog: JournalCatalog
  var index: Int

  /// Whether the walk has left the last segment, or no segment exists.
  var isBehindAll: Bool { index >= catalog.segments.count }
  var entry: SegmentEntry { catalog.segments[index] }
  var nextEntry: SegmentEntry? { index + 1 < catalog.segments.count ? catalog.segments[index + 1] : nil }
  var isLast: Bool { index + 1 >= catalog.segments.count }
  /// The segment that was begun when this one was left; `nil` where it is missing.
  var successor: SegmentEntry? {
    nextEntry.flatMap { $0.header.ordinal == entry.header.ordinal &+ 1 ? $0 : nil }
  }
  /// The next header's statement about the end of the current segment. A header with an ordinal other than the next
  /// describes a missing segment, and one that does not verify states nothing.
  var statement: SegmentHeader.Predecessor? {
    successor.flatMap { $0.headerFault == nil ? $0.header.predecessor : nil }
  }
  /// Whether the kept segments begin with the current one, so that those between the last one and this one were
  /// retired.
  var isFirstKept: Bool { catalog.retirement?.firstOrdinal == entry.header.ordinal }

  /// How much of a file of this size belongs to the current segment.
  func limit(ofSize size: UInt64) -> UInt64 { min(size, statement?.validLength ?? size) }

  /// Whether the current segment begins again with numbers that were read in the one before it. It does when events
  /// not known to be durable were written again or given up there, or the owner continued before damage.
  func isRepeating(after reached: HistoryWalker.Reached?) -> Bool {
    guard let reached, index > 0, entry.header.firstSequence <= reached.sequence else { return false }
    // The segments between may have been retired.
    if isFirstKept { return true }
    return entry.header.ordinal == catalog.segments[index - 1].header.ordinal &+ 1
      && [.syncFailed, .torn, .damaged].contains(entry.header.predecessor.end)
  }
}
