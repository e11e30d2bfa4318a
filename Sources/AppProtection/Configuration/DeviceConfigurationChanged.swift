import EventSourcing
import WireFormat

/// `deviceConfiguration.changed`: what device management configures the app with is other than before.
public struct DeviceConfigurationChanged: EventPayload {
  /// Whether there is a configuration.
  public var isDelivered: Bool
  /// The device that device management names.
  public var deviceID: GUID?
  /// Whether only the account of the device may sign in.
  public var restrictsAccounts: Bool
  /// The other values.
  public var values: [ConfigurationValue]

  /// Creates the event.
  public init(
    isDelivered: Bool = false, deviceID: GUID? = nil, restrictsAccounts: Bool = false, values: [ConfigurationValue] = []
  ) {
    self.isDelivered = isDelivered
    self.deviceID = deviceID
    self.restrictsAccounts = restrictsAccounts
    self.values = values
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    13, "deviceConfiguration.changed",
    body: MessageDescriptor(
      "DeviceConfigurationChanged",
      [
        FieldDescriptor(1, "isDelivered", .bool, .single, "whether there is a configuration; false takes it away"),
        FieldDescriptor(
          2, "deviceID", .guid, .optional, privacy: .account, "the device that device management names"),
        FieldDescriptor(3, "restrictsAccounts", .bool, .single, "whether only the account of the device may sign in"),
        FieldDescriptor(
          4, "values", .message(ConfigurationValue.descriptor), .repeated,
          "the other values, in the order of their keys"),
      ]),
    meaning: "What device management configures the app with is other than before.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, bool: isDelivered)
    writer.write(2, guid: deviceID)
    writer.write(3, bool: restrictsAccounts)
    for element in values { writer.write(4) { element.encode(into: &$0) } }
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var isDelivered = false
    var deviceID: GUID?
    var restrictsAccounts = false
    var values: [ConfigurationValue] = []
    while let field = try reader.nextField() {
      switch field.number {
      case 1: isDelivered = try reader.bool(field)
      case 2: deviceID = try reader.guid(field)
      case 3: restrictsAccounts = try reader.bool(field)
      case 4:
        values.append(
          try reader.message(field) { (inner) throws(WireError) in try ConfigurationValue(from: &inner) })
      default: try reader.skip(field)
      }
    }
    self.init(isDelivered: isDelivered, deviceID: deviceID, restrictsAccounts: restrictsAccounts, values: values)
  }
}
