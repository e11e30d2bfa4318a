import EventSourcing
import WireFormat

/// What device management configures the app with, beside the account of the device, which stands with the settings.
public struct DeviceConfiguration: Equatable, Sendable {
  /// The device that device management names. It alone does not make an account a managed device's (T38).
  public internal(set) var deviceID: GUID?
  /// Whether only the account of the device may sign in.
  public internal(set) var restrictsAccounts = false
  /// The other values, in the order of their keys' bytes.
  public internal(set) var values: [ConfigurationValue] = []

  init() {}

  func encode(into writer: inout WireWriter) {
    writer.write(1, guid: deviceID)
    writer.write(2, bool: restrictsAccounts)
    for value in values { writer.write(3) { value.encode(into: &$0) } }
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: deviceID = try reader.guid(field)
      case 2: restrictsAccounts = try reader.bool(field)
      case 3:
        values.append(
          try reader.message(field) { (inner) throws(WireError) in try ConfigurationValue(from: &inner) })
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    .members([
      .init("deviceID", deviceID.map { .personal($0.description, .account) } ?? .unset),
      .init("restrictsAccounts", .bool(restrictsAccounts)), .init("values", ConfigurationValue.tree(values)),
    ])
  }
}
