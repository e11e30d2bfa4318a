/// A batch that is in the journal's files but may not be durable yet.
public struct WrittenBatch: Hashable, Sendable {
  /// The numbers of its events.
  public let events: ClosedRange<UInt64>
  /// The chain value after its last event.
  public let chain: UInt32
  /// Whether it is acknowledged only once it is durable.
  let isSyncDue: Bool
}
