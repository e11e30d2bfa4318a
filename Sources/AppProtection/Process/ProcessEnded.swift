import EventSourcing
import WireFormat

/// `process.ended`: the process ended in an orderly way; a process that crashed leaves no such event.
public struct ProcessEnded: EventPayload {
  /// Creates the event.
  public init() {}

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    2, "process.ended",
    body: MessageDescriptor("ProcessEnded", []),
    meaning: "The process ended in an orderly way; a process that crashed leaves no such event.")

  /// Writes the body: nothing.
  public func encode(into writer: inout WireWriter) {}

  /// Reads the body: whatever stands in it is skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() { try reader.skip(field) }
  }
}
