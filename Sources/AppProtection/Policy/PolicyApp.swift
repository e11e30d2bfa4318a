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
