import EventSourcing
import WireFormat

/// `launch.warned`: the user was warned that the account has no policy, and goes on without one.
public struct LaunchWarned: EventPayload {
  /// Creates the event.
  public init() {}

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    5, "launch.warned",
    body: MessageDescriptor("LaunchWarned", []),
    meaning: "The user was warned that the account has no policy, and goes on without one.")

  /// Writes the body: nothing.
  public func encode(into writer: inout WireWriter) {}

  /// Reads the body: whatever stands in it is skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() { try reader.skip(field) }
  }
}
