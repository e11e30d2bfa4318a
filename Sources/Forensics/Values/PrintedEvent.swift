import EventSourcing

/// An event as it is printed: its envelope, and how much of its body is understood.
public struct PrintedEvent: Sendable {
  /// The envelope.
  public let envelope: Envelope
  /// Whether the body could be read.
  public let isKnown: Bool
  /// Whether a catalogue's fields describe the body.
  public let isDescribed: Bool
  /// How its journal describes an event of another domain; `nil` for events of this program's domain.
  @usableFromInline package let foreign: ForeignSchema?

  /// What is printed of a recorded event of any domain.
  @inlinable
  public init<Event>(_ record: RecordedEvent<Event>) {
    envelope = record.envelope
    isKnown = record.isUnderstood
    isDescribed = record.isDescribed
    foreign = record.foreign
  }
}
