/// Fragments whose place in a history is known, by their numbers.
struct PlacedFragments {
  /// Fragments that one search may look at.
  private static let maximumSteps = 1024

  private var entries: [(first: UInt64, last: UInt64, index: Int)]
  /// The last event of each fragment or of one before it, whichever is later.
  private var reach: [UInt64] = []

  /// - Parameter indices: which of the fragments.
  init(_ indices: [Int], _ fragments: [SalvageFragment]) {
    entries = indices.map { (fragments[$0].first, fragments[$0].last, $0) }.sorted {
      ($0.first, $0.2) < ($1.first, $1.2)
    }
    var highest: UInt64 = 0
    for entry in entries {
      highest = max(highest, entry.last)
      reach.append(highest)
    }
  }

  /// Some of the fragments that have one of these event numbers, in order.
  func overlapping(_ events: ClosedRange<UInt64>, limit: Int) -> [Int] {
    let start = reach.partitioningIndex { $0 >= events.lowerBound }
    var result: [Int] = []
    for entry in entries[start...].prefix(Self.maximumSteps) {
      guard entry.first <= events.upperBound, result.count < limit else { break }
      if entry.last >= events.lowerBound { result.append(entry.index) }
    }
    return result
  }
}
