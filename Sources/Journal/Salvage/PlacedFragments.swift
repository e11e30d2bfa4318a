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

  /// Some of the fragments that share an event number with this one, in order.
  func overlapping(_ fragment: SalvageFragment, limit: Int) -> [Int] {
    let start = reach.partitioningIndex { $0 >= fragment.first }
    var result: [Int] = []
    for entry in entries[start...].prefix(Self.maximumSteps) {
      guard entry.first <= fragment.last, result.count < limit else { break }
      if entry.last >= fragment.first { result.append(entry.index) }
    }
    return result
  }
}
