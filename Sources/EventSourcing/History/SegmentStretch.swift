import Journal

/// The events that a segment adds to the history.
struct SegmentStretch: Hashable, Sendable {
  var first: UInt64
  /// The first event after it; ``open`` for the last segment.
  var next: UInt64
  var chainBefore: UInt32
  var chainAfter: UInt32

  /// Stands for an event that is not known yet.
  static let open = UInt64.max

  /// The stretches of a journal, in order. The last one grows, also that of a journal without segments.
  static func all(of reader: JournalReader) -> [SegmentStretch] {
    let stretches = all(reader.segments)
    guard stretches.isEmpty else { return stretches }
    return [
      SegmentStretch(
        first: max(1, reader.firstSequence), next: open, chainBefore: reader.start.chain, chainAfter: 0)
    ]
  }

  /// The stretches of segments, in order. A segment that a later one overrules has none.
  static func all(_ segments: [JournalSegment]) -> [SegmentStretch] {
    var stretches: [SegmentStretch] = []
    var end = (sequence: open, chain: UInt32(0))
    for segment in segments.reversed() where segment.firstSequence < end.sequence && segment.firstSequence > 0 {
      stretches.append(
        SegmentStretch(
          first: segment.firstSequence, next: end.sequence, chainBefore: segment.chainIn, chainAfter: end.chain))
      end = (segment.firstSequence, segment.chainIn)
    }
    return stretches.reversed()
  }
}
