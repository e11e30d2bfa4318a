import EventSourcing

/// An event as it is printed: its type and body, and how much of the body is understood.
public struct PrintedEvent: Sendable {
  /// The number of its type; zero where there is no envelope.
  public let type: UInt32
  /// The body in wire format.
  public let body: [UInt8]
  /// Whether the body could be read.
  public let isKnown: Bool
  /// Whether a catalogue's fields describe the body.
  public let isDescribed: Bool
  /// How its journal describes an event of another domain; `nil` for events of this program's domain.
  @usableFromInline package let foreign: ForeignSchema?

  /// What is printed of a recorded event of any domain.
  @inlinable
  public init<Event>(_ record: RecordedEvent<Event>) {
    type = record.envelope.type
    body = record.envelope.body
    isKnown = record.isUnderstood
    isDescribed = record.isDescribed
    foreign = record.foreign
  }

  private init(_ event: PrintedEvent, body: [UInt8]) {
    (type, isKnown, isDescribed, foreign) = (event.type, event.isKnown, event.isDescribed, event.foreign)
    self.body = body
  }

  /// The same event with another body.
  func withBody(_ body: [UInt8]) -> PrintedEvent { PrintedEvent(self, body: body) }
}
