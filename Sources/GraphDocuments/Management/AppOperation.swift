import AppProtection
import JSON

/// The service's current operation on an app (Graph: `managedAppOperation`).
public struct AppOperation: Equatable, Sendable {
  /// What it is called.
  public let displayName: String?
  /// When its state last changed.
  public let lastModifiedDateTime: PolicyDate?
  /// Its state, as free text.
  public let state: String?
  /// The revision.
  public let version: String?

  init(_ node: JSONNode) throws(PolicyDocumentError) {
    let texts = try node.texts("displayName", "state", "version")
    displayName = texts[0]
    state = texts[1]
    version = texts[2]
    lastModifiedDateTime = try node.date("lastModifiedDateTime")
  }

  var rows: [ManagementDocument.Row] {
    [
      ManagementDocument.Row("Name", displayName), ManagementDocument.Row("State", state),
      ManagementDocument.Row("Last modified", lastModifiedDateTime?.text),
      ManagementDocument.Row("Version", version),
    ].compactMap { $0 }
  }
}
