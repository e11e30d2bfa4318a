import EventSourcing
import WireFormat

/// `biometrics.changed`: the set of fingers or faces that the device knows is another one.
public struct BiometricsChanged: EventPayload {
  /// Creates the event.
  public init() {}

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    169, "biometrics.changed",
    body: MessageDescriptor("BiometricsChanged", []),
    meaning: "The set of fingers or faces that the device knows is another one: the next time the PIN is asked.")

  /// Writes the body: nothing.
  public func encode(into writer: inout WireWriter) {}

  /// Reads the body: whatever stands in it is skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() { try reader.skip(field) }
  }
}
