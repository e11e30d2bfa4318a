import AppProtection
import JSON

/// A status report of the service (Graph: `managedAppStatus`, `managedAppStatusRaw`).
public struct AppStatus: Equatable, Sendable {
  /// What it is called.
  public let displayName: String?
  /// The revision.
  public let version: String?
  /// The report as received; its form is not published.
  public let content: JSONValue?

  init(_ node: JSONNode) throws(JSONError) {
    displayName = try node.text("displayName")
    version = try node.text("version")
    content = try node.present("content")?.value
  }

  var rows: [ManagementDocument.Row] {
    [
      ManagementDocument.Row("Name", displayName), ManagementDocument.Row("Version", version),
      ManagementDocument.Row("Content", content?.description, isPrivate: true),
    ].compactMap { $0 }
  }
}
