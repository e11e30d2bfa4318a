import EventSourcing

/// An event as it is printed: its envelope, and how much of its body is understood.
public struct PrintedEvent: Sendable {
  /// The envelope.
  public let envelope: Envelope
  /// Whether the body could be read.
  public let isKnown: Bool
  /// Whether the catalogue's fields describe the body.
  public let isDescribed: Bool

  /// What is printed of a recorded event of any domain.
  @inlinable
  public init<Event>(_ record: RecordedEvent<Event>) {
    envelope = record.envelope
    isKnown = record.event != nil
    isDescribed = record.isDescribed
  }
}
