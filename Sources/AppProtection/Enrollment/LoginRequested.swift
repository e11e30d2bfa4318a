import EventSourcing
import WireFormat

/// `login.requested`: the user is to be asked who signs in.
public struct LoginRequested: EventPayload {
  /// Creates the event.
  public init() {}

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    48, "login.requested",
    body: MessageDescriptor("LoginRequested", []),
    meaning: "The user is to be asked who signs in.")

  /// Writes the body: nothing.
  public func encode(into writer: inout WireWriter) {}

  /// Reads the body: whatever stands in it is skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() { try reader.skip(field) }
  }
}
