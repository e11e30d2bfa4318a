/// What ``JournalWriter/retire(before:after:)`` would remove, computed without writing anything.
public struct SegmentRemoval: Hashable, Sendable {
  /// The first event that stays.
  public var firstSequence: UInt64
  /// The segments that go, oldest first.
  public var segments: [JournalSegment]
  /// Files that an interrupted call has left: their events were retired before.
  public var leftovers: [String]

  /// The events that go; `nil` for none.
  public var events: ClosedRange<UInt64>? {
    segments.first.flatMap { $0.firstSequence < firstSequence ? $0.firstSequence...(firstSequence - 1) : nil }
  }
  /// The bytes that removing the segments frees.
  public var byteCount: UInt64 { segments.reduce(0) { $0 &+ $1.length } }
}

extension JournalReader {
  /// What retiring the events before `sequence` would remove: the whole segments before it. A checkpoint at or after the
  /// last of their events must exist when they are retired.
  public func removal(before sequence: UInt64) -> SegmentRemoval {
    let kept = catalog.firstKept(before: sequence) ?? catalog.segments.first
    return SegmentRemoval(
      firstSequence: kept?.header.firstSequence ?? catalog.firstSequence,
      segments: segments.filter { $0.ordinal < kept?.header.ordinal ?? 0 }, leftovers: catalog.retired.map(\.file))
  }
}

extension JournalCatalog {
  /// The segment with which the journal begins once the events before one are retired; `nil` where no header says so, and
  /// where no event goes: what has no events needs no checkpoint to replace it, and stays.
  ///
  /// - Parameter last: The number of the last segment that counts.
  func firstKept(before sequence: UInt64, upTo last: UInt64 = .max) -> SegmentEntry? {
    guard let start = segments.first?.header.firstSequence else { return nil }
    return segments.last {
      $0.headerFault == nil && $0.header.ordinal <= last && $0.header.firstSequence <= sequence
        && $0.header.firstSequence > start
    }
  }
}
