/// Numbers in the order in which they came, each once.
struct DistinctNumbers {
  private(set) var inOrder: [UInt64] = []
  /// The same numbers, once there are so many that searching the list costs more.
  private var known: Set<UInt64> = []

  private static let listLimit = 16

  mutating func insert(_ number: UInt64) {
    if inOrder.count < Self.listLimit {
      if !inOrder.contains(number) { inOrder.append(number) }
      return
    }
    if known.isEmpty { known = Set(inOrder) }
    if known.insert(number).inserted { inOrder.append(number) }
  }
}
