import EventSourcing
import WireFormat

/// `process.started`: a process of the app started; what waited for a restart applies from here on.
public struct ProcessStarted: EventPayload {
  /// The number of this launch within the journal, from 1.
  public var launch: UInt64
  /// The device's boot session: uptimes compare only within one.
  public var bootSession: GUID?
  /// The version of the app.
  public var appVersion: String
  /// The version of the SDK whose rules apply, such as 19.2.0.
  public var sdkVersion: String
  /// The version of the operating system.
  public var osVersion: String
  /// The device's model identifier, such as iPhone15,2.
  public var deviceModel: String
  /// Whether the process is an app extension.
  public var isExtension: Bool
  /// The revision of the rules that derived the state in this process.
  public var reducerRevision: UInt32

  /// Creates the event.
  public init(
    launch: UInt64 = 0, bootSession: GUID? = nil, appVersion: String = "", sdkVersion: String = "",
    osVersion: String = "", deviceModel: String = "", isExtension: Bool = false, reducerRevision: UInt32 = 0
  ) {
    self.launch = launch
    self.bootSession = bootSession
    self.appVersion = appVersion
    self.sdkVersion = sdkVersion
    self.osVersion = osVersion
    self.deviceModel = deviceModel
    self.isExtension = isExtension
    self.reducerRevision = reducerRevision
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    1, "process.started",
    body: MessageDescriptor(
      "ProcessStarted",
      [
        FieldDescriptor(1, "launch", .unsigned, .single, "the number of this launch within the journal, from 1"),
        FieldDescriptor(
          2, "bootSession", .guid, .optional,
          "the device's boot session: uptimes compare only within one"),
        FieldDescriptor(3, "appVersion", .string, .single, "the version of the app"),
        FieldDescriptor(4, "sdkVersion", .string, .single, "the version of the SDK whose rules apply, such as 19.2.0"),
        FieldDescriptor(5, "osVersion", .string, .single, "the version of the operating system"),
        FieldDescriptor(6, "deviceModel", .string, .single, "the device's model identifier, such as iPhone15,2"),
        FieldDescriptor(7, "isExtension", .bool, .single, "whether the process is an app extension"),
        FieldDescriptor(
          8, "reducerRevision", .unsigned, .single,
          "the revision of the rules that derived the state in this process"),
      ]),
    meaning: "A process of the app started; what waited for a restart applies from here on.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, unsigned: launch)
    writer.write(2, guid: bootSession)
    writer.write(3, string: appVersion)
    writer.write(4, string: sdkVersion)
    writer.write(5, string: osVersion)
    writer.write(6, string: deviceModel)
    writer.write(7, bool: isExtension)
    writer.write(8, unsigned: UInt64(reducerRevision))
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var launch: UInt64 = 0
    var bootSession: GUID?
    var appVersion = ""
    var sdkVersion = ""
    var osVersion = ""
    var deviceModel = ""
    var isExtension = false
    var reducerRevision: UInt32 = 0
    while let field = try reader.nextField() {
      switch field.number {
      case 1: launch = try reader.unsigned(field)
      case 2: bootSession = try reader.guid(field)
      case 3: appVersion = try reader.string(field)
      case 4: sdkVersion = try reader.string(field)
      case 5: osVersion = try reader.string(field)
      case 6: deviceModel = try reader.string(field)
      case 7: isExtension = try reader.bool(field)
      case 8: reducerRevision = try reader.unsigned(field, as: UInt32.self)
      default: try reader.skip(field)
      }
    }
    self.init(
      launch: launch, bootSession: bootSession, appVersion: appVersion, sdkVersion: sdkVersion, osVersion: osVersion,
      deviceModel: deviceModel, isExtension: isExtension, reducerRevision: reducerRevision)
  }
}
