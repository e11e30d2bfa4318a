import EventSourcing
import WireFormat

/// An app that a policy applies to: `managedMobileApp` in Graph.
public struct PolicyApp: Hashable, Sendable {
  /// The app's identifier in the service, such as `com.microsoft.msedge.ios`.
  public var id: String?
  /// The entry's revision: a decimal number as text, which may be negative.
  public var version: String?
  /// The app's bundle identifier, such as `com.microsoft.msedge`.
  public var bundleID: String?
  /// The type annotation of the app's identifier as it came, such as `#microsoft.graph.iosMobileAppIdentifier`.
  public var identifierTypeName: String?
  /// The type annotation of the entry as it came.
  public var typeName: String?

  /// Creates an entry in which nothing is set.
  public init() {}

  func encode(into writer: inout WireWriter) {
    if let id { writer.writePresent(1, string: id) }
    if let version { writer.writePresent(2, string: version) }
    if let bundleID { writer.writePresent(3, string: bundleID) }
    if let identifierTypeName { writer.writePresent(4, string: identifierTypeName) }
    if let typeName { writer.writePresent(5, string: typeName) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: id = try reader.string(field)
      case 2: version = try reader.string(field)
      case 3: bundleID = try reader.string(field)
      case 4: identifierTypeName = try reader.string(field)
      case 5: typeName = try reader.string(field)
      default: try reader.skip(field)
      }
    }
  }

  static let descriptor = MessageDescriptor(
    "PolicyApp",
    [
      FieldDescriptor(1, "id", .string, .optional, "The app's identifier in the service"),
      FieldDescriptor(2, "version", .string, .optional, "The entry's revision: a decimal number as text"),
      FieldDescriptor(3, "bundleId", .string, .optional, "The app's bundle identifier"),
      FieldDescriptor(4, "identifierTypeName", .string, .optional, "The identifier's type annotation as it came"),
      FieldDescriptor(5, "typeName", .string, .optional, "The entry's type annotation as it came"),
    ])
}
