import EventSourcing
import WireFormat

/// A name with a text: `keyValuePair` in Graph.
public struct PolicyPair: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The text; `nil` when there is none.
  public var value: String?
  /// The type annotation as it came, such as `microsoft.graph.keyValuePair`; most documents have none.
  public var typeName: String?

  /// Creates a pair.
  public init(_ name: String, _ value: String?, typeName: String? = nil) {
    self.name = name
    self.value = value
    self.typeName = typeName
  }

  func encode(into writer: inout WireWriter) {
    writer.write(1, string: name)
    if let value { writer.writePresent(2, string: value) }
    if let typeName { writer.writePresent(3, string: typeName) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init("", nil)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: name = try reader.string(field)
      case 2: value = try reader.string(field)
      case 3: typeName = try reader.string(field)
      default: try reader.skip(field)
      }
    }
  }

  static let descriptor = MessageDescriptor(
    "PolicyPair",
    [
      FieldDescriptor(1, "name", .string, .single, "The name"),
      FieldDescriptor(2, "value", .string, .optional, "The text"),
      FieldDescriptor(3, "typeName", .string, .optional, "The type annotation as it came"),
    ])
}
