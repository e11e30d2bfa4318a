import EventSourcing

/// An app that a policy applies to: `managedMobileApp` in Graph.
public struct PolicyApp: FieldList, Hashable {
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

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ app: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "id", &app.id, "The app's identifier in the service")
    try field(2, "version", &app.version, "The entry's revision: a decimal number as text")
    try field(3, "bundleId", &app.bundleID, "The app's bundle identifier")
    try field(4, "identifierTypeName", &app.identifierTypeName, "The identifier's type annotation as it came")
    try field(5, "typeName", &app.typeName, "The entry's type annotation as it came")
  }
}

/// A group that a policy includes or excludes: `targetedManagedAppPolicyAssignment` in Graph.
public struct PolicyAssignment: FieldList, Hashable {
  /// The assignment's identifier.
  public var id: String?
  /// The group's identifier in the directory.
  public var groupID: String?
  /// The kind of target as it came, such as `#microsoft.graph.groupAssignmentTarget`, or
  /// `#microsoft.graph.exclusionGroupAssignmentTarget` for an excluded group.
  public var targetTypeName: String?
  /// The filter's identifier.
  public var filterID: String?
  /// Whether the filter includes or excludes: `include`, `exclude` or `none`.
  public var filterType: String?
  /// The type annotation of the assignment as it came.
  public var typeName: String?

  /// Creates an assignment in which nothing is set.
  public init() {}

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ assignment: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "id", &assignment.id, privacy: .account, "The assignment's identifier")
    try field(2, "groupId", &assignment.groupID, privacy: .account, "The group's identifier in the directory")
    try field(3, "targetTypeName", &assignment.targetTypeName, "The kind of target as it came")
    try field(4, "filterId", &assignment.filterID, privacy: .account, "The filter's identifier")
    try field(5, "filterType", &assignment.filterType, "Whether the filter includes or excludes")
    try field(6, "typeName", &assignment.typeName, "The type annotation as it came")
  }
}
