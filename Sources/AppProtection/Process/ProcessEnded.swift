import EventSourcing
import WireFormat

/// `process.ended`: the process ended in an orderly way; a process that crashed leaves no such event.
public struct ProcessEnded: EventPayload {
  /// Creates the event.
  public init() {}

  public static let descriptor = EventDescriptor(
    2, "process.ended",
    body: MessageDescriptor("ProcessEnded", []),
    meaning: "The process ended in an orderly way; a process that crashed leaves no such event.")

  public func encode(into writer: inout WireWriter) {}

  public init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() { try reader.skip(field) }
  }
}
