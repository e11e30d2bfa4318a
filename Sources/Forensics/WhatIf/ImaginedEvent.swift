import EventSourcing

/// One event of an imagined history.
public struct ImaginedEvent<Event: JournaledEvent>: Sendable {
  /// Where an event comes from. Numbers are those of the real history.
  public enum Origin: Equatable, Sendable {
    /// It is as it was.
    case kept(UInt64)
    /// A policy or a setting in it is another one.
    case rewritten(UInt64)
    /// It stands in the place of this one.
    case replaced(UInt64)
    /// It happened elsewhere.
    case moved(UInt64)
    /// It did not happen.
    case added
  }

  /// Its number in the imagined history.
  public let sequence: UInt64
  /// Where it comes from.
  public let origin: Origin
  /// When it is said to have happened.
  public let moment: Moment
  /// Its envelope in the real history; `nil` for one that is not from there.
  public let envelope: Envelope?
  /// The event; `nil` for one that this program does not know, which ``envelope`` holds.
  public let event: Event?
  /// Whether it is the last of its batch.
  public var isLastOfBatch: Bool

  @inlinable
  init(
    _ sequence: UInt64, _ origin: Origin, at moment: Moment, _ envelope: Envelope?, _ event: Event?,
    isLastOfBatch: Bool
  ) {
    (self.sequence, self.origin, self.moment) = (sequence, origin, moment)
    (self.envelope, self.event, self.isLastOfBatch) = (envelope, event, isLastOfBatch)
  }
}
