/// Where some consecutive events of one segment stand: a place every few hundred bytes, so that one small read leads to each of
/// them.
package struct EventPlaces: Sendable {
  /// A place before an event.
  private struct Stop: Sendable {
    /// Counted from the first event.
    var index: UInt32
    var offset: UInt32
    /// The chain value there.
    var chain: UInt32
  }

  /// What to read for an event, and from where it follows.
  struct Stretch {
    /// The last event before it, and the chain value after that.
    var sequence: UInt64
    var chain: UInt32
    var range: Range<UInt64>
  }

  let segment: SegmentName
  /// The first event.
  package let first: UInt64
  private var stops: [Stop] = []
  /// The offset after the last event.
  private var end: UInt64 = 0

  /// Bytes between two places, at least.
  private static let step: UInt64 = 512

  /// The places of an event and those after it.
  ///
  /// - Parameter chain: The chain value before the event.
  package init(_ event: JournalEvent, after chain: UInt32) {
    segment = event.segment
    first = event.sequence
    _ = add(event, after: chain)
  }

  /// Adds the event after the last one.
  ///
  /// - Parameter chain: The chain value before the event.
  /// - Returns: Whether its place is known: not in another segment, nor further into this one than any writer writes.
  package mutating func add(_ event: JournalEvent, after chain: UInt32) -> Bool {
    guard event.segment == segment, let offset = UInt32(exactly: event.offset),
      let index = UInt32(exactly: event.sequence - first)
    else { return false }
    if stops.last.map({ event.offset >= UInt64($0.offset) + Self.step }) ?? true {
      stops.append(Stop(index: index, offset: offset, chain: chain))
    }
    end = event.offset + UInt64(FrameHeader.size(payloadLength: event.payload.count))
    return true
  }

  /// Whether an event is in the same segment.
  package func isInSegment(of event: JournalEvent) -> Bool { event.segment == segment }

  /// How much memory it takes, in bytes.
  package var size: Int { stops.capacity * MemoryLayout<Stop>.stride }

  /// The bytes in which an event stands, after others that lead to it; `nil` before the first event.
  func stretch(of sequence: UInt64) -> Stretch? {
    guard sequence >= first, let index = UInt32(exactly: sequence - first) else { return nil }
    var low = 0
    var high = stops.count
    while low < high {
      let middle = (low + high) / 2
      if stops[middle].index <= index { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let stop = stops[low - 1]
    return Stretch(
      sequence: first + UInt64(stop.index) - 1, chain: stop.chain,
      range: UInt64(stop.offset)..<(low < stops.count ? UInt64(stops[low].offset) : max(end, UInt64(stop.offset))))
  }
}
