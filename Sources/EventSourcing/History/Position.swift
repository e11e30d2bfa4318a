/// A point in a history, between two events.
public enum Position: Equatable, Sendable {
  /// Before the first event: position 0.
  case start
  /// After the event with this number; 0 is the start.
  case sequence(UInt64)
  /// After the last event.
  case end
  /// After the last event, in the order of the journal, whose wall time is not later than this one, in nanoseconds
  /// since 1970-01-01T00:00:00Z.
  case time(Int64)
}

/// The event number that a ``Position`` refers to in one history.
public struct ResolvedPosition: Equatable, Sendable {
  /// The event after which the position lies; 0 before the first.
  public let sequence: UInt64
  /// Where the clock ran backwards around a time, the other position it may refer to: the one before the first event
  /// later than that time. Always less than ``sequence``.
  public let otherCandidate: UInt64?

  /// `otherCandidate` is `nil` when the position is unambiguous.
  public init(sequence: UInt64, otherCandidate: UInt64? = nil) {
    self.sequence = sequence
    self.otherCandidate = otherCandidate
  }
}
