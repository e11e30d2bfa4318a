/// The last event of every entity, up to a position of a history.
@usableFromInline
struct EntityVersions: Equatable, Sendable {
  private(set) var versions: [EntityID: UInt64] = [:]
  /// The last event that was looked at.
  private(set) var sequence: UInt64 = 0
  /// The journal's chain after it.
  private(set) var chain: UInt32 = 0

  /// The last event of an entity; 0 if it has none.
  subscript(id: EntityID) -> UInt64 { versions[id] ?? 0 }

  /// Records that an event is about an entity. Events come in order.
  mutating func record(_ id: EntityID, at sequence: UInt64) { versions[id] = sequence }

  /// Records that all events up to one have been looked at.
  mutating func advance(to sequence: UInt64, chain: UInt32) { (self.sequence, self.chain) = (sequence, chain) }
}
