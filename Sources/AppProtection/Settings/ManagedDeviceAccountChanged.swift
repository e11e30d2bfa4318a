import EventSourcing
import WireFormat

/// `deviceAccount.changed`: device management names another user of the device, or none any more.
public struct ManagedDeviceAccountChanged: EventPayload {
  /// The user for whom the device is managed; none when it is not managed.
  public var account: AccountNumber?
  /// Who says so.
  public var source: DeviceAccountSource

  /// Creates the event.
  public init(account: AccountNumber? = nil, source: DeviceAccountSource = .mdm) {
    self.account = account
    self.source = source
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    12, "deviceAccount.changed",
    body: MessageDescriptor(
      "ManagedDeviceAccountChanged",
      [
        FieldDescriptor(
          1, "account", .account, .single,
          "the user for whom the device is managed; none when it is not managed"),
        FieldDescriptor(2, "source", .enumeration(DeviceAccountSource.descriptor), .single, "who says so"),
      ]),
    meaning: "Device management names another user of the device, or none any more.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, enumeration: source)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var source = DeviceAccountSource.mdm
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: source = try reader.enumeration(field, as: DeviceAccountSource.self)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: account, source: source)
  }
}
