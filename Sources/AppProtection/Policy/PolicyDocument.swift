import EventSourcing
import WireFormat

/// An app protection policy.
public struct PolicyDocument: Equatable, Sendable {
  /// The policy's name.
  public var displayName: String

  /// Creates a policy.
  public init(displayName: String) { self.displayName = displayName }

  /// The fields.
  public static let descriptor = MessageDescriptor(
    "PolicyDocument", [FieldDescriptor(1, "displayName", .string, .single, "the policy's name")])

  /// Writes the policy.
  public func encode(into writer: inout WireWriter) { writer.write(1, string: displayName) }

  /// Reads a policy.
  public init(from reader: inout WireReader) throws(WireError) {
    displayName = ""
    while let field = try reader.nextField() {
      switch field.number {
      case 1: displayName = try reader.string(field)
      default: try reader.skip(field)
      }
    }
  }

  /// The policy for people.
  public func tree() -> StateTree { .members([.init("displayName", .text(displayName))]) }
}
