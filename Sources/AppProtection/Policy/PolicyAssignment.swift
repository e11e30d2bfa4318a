import EventSourcing
import WireFormat

/// A group that a policy applies to, or that it does not: `targetedManagedAppPolicyAssignment` in Graph.
public struct PolicyAssignment: Hashable, Sendable {
  /// The assignment's identifier.
  public var id: String?
  /// The group's identifier in the directory.
  public var groupID: String?
  /// The kind of target as it came, such as `#microsoft.graph.groupAssignmentTarget`, or
  /// `#microsoft.graph.exclusionGroupAssignmentTarget` for a group that is left out.
  public var targetTypeName: String?
  /// The filter's identifier.
  public var filterID: String?
  /// Whether the filter includes or excludes: `include`, `exclude` or `none`.
  public var filterType: String?
  /// The type annotation of the assignment as it came.
  public var typeName: String?

  /// Creates an assignment in which nothing is set.
  public init() {}

  func encode(into writer: inout WireWriter) {
    if let id { writer.writePresent(1, string: id) }
    if let groupID { writer.writePresent(2, string: groupID) }
    if let targetTypeName { writer.writePresent(3, string: targetTypeName) }
    if let filterID { writer.writePresent(4, string: filterID) }
    if let filterType { writer.writePresent(5, string: filterType) }
    if let typeName { writer.writePresent(6, string: typeName) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: id = try reader.string(field)
      case 2: groupID = try reader.string(field)
      case 3: targetTypeName = try reader.string(field)
      case 4: filterID = try reader.string(field)
      case 5: filterType = try reader.string(field)
      case 6: typeName = try reader.string(field)
      default: try reader.skip(field)
      }
    }
  }

  static let descriptor = MessageDescriptor(
    "PolicyAssignment",
    [
      FieldDescriptor(1, "id", .string, .optional, privacy: .account, "The assignment's identifier"),
      FieldDescriptor(2, "groupId", .string, .optional, privacy: .account, "The group's identifier in the directory"),
      FieldDescriptor(3, "targetTypeName", .string, .optional, "The kind of target as it came"),
      FieldDescriptor(4, "filterId", .string, .optional, privacy: .account, "The filter's identifier"),
      FieldDescriptor(5, "filterType", .string, .optional, "Whether the filter includes or excludes"),
      FieldDescriptor(6, "typeName", .string, .optional, "The type annotation as it came"),
    ])
}
