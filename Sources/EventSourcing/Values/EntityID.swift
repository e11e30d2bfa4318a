/// An entity whose kind is a number: its place among those of ``EntityKeys``.
struct EntityID: Hashable, Comparable, Sendable {
  var kind: Int
  var high: UInt64
  var low: UInt64

  static func < (one: EntityID, other: EntityID) -> Bool {
    (one.kind, one.high, one.low) < (other.kind, other.high, other.low)
  }
}
