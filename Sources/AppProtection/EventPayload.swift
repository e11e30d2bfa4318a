import EventSourcing
import WireFormat

/// What one type of event carries: it writes and reads its own body and says what every field of it means.
public protocol EventPayload: Equatable, Sendable {
  /// The entry of the catalogue that describes this type of event.
  static var descriptor: EventDescriptor { get }

  /// Writes the body, fields in the order of their numbers.
  func encode(into writer: inout WireWriter)

  /// Reads the body; fields that nobody knows are skipped.
  init(from reader: inout WireReader) throws(WireError)
}
