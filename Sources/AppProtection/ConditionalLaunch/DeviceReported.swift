import EventSourcing
import WireFormat

/// `device.reported`: what the app found out about the device is not what was last known.
public struct DeviceReported: EventPayload {
  /// Everything that is known about the device from here on.
  public var facts: DeviceFacts

  /// Creates the event.
  public init(facts: DeviceFacts) {
    self.facts = facts
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    160, "device.reported",
    body: MessageDescriptor(
      "DeviceReported",
      [
        FieldDescriptor(
          1, "facts", .message(DeviceFacts.descriptor), .single,
          "everything that is known about the device from here on")
      ]),
    meaning: "What the app found out about the device is not what was last known.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1) { facts.encode(into: &$0) }
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var facts: DeviceFacts?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: facts = try reader.message(field) { (inner) throws(WireError) in try DeviceFacts(from: &inner) }
      default: try reader.skip(field)
      }
    }
    self.init(facts: try reader.require(facts, field: 1))
  }
}
