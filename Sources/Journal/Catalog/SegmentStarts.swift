/// Where the segments of one journal begin, ordered so that a lookup costs O(log n).
struct SegmentStarts: Sendable {
  /// The numbers of the segments in order, each with the lowest event with which that one or a later one begins.
  private let lowest: [(ordinal: UInt64, sequence: UInt64)]

  init(_ headers: some Sequence<SegmentHeader>) {
    var lowest: [(ordinal: UInt64, sequence: UInt64)] = []
    for header in headers.sorted(by: { $0.ordinal > $1.ordinal }) {
      lowest.append((header.ordinal, min(header.firstSequence, lowest.last?.sequence ?? .max)))
    }
    self.lowest = lowest.reversed()
  }

  /// Whether a segment with a higher number begins at or before an event.
  func overrule(ordinal: UInt64, sequence: UInt64) -> Bool {
    let index = lowest.partitioningIndex { $0.ordinal > ordinal }
    return index < lowest.count && lowest[index].sequence <= sequence
  }
}

extension Array {
  /// The first index whose element is past a border, in an array that holds all elements before the border first.
  func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
