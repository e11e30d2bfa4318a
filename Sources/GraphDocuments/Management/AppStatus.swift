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

/// The result of a diagnosis for a user (Graph: `managedAppDiagnosticStatus`).
public struct DiagnosticStatus: Equatable, Sendable {
  /// What was examined.
  public let validationName: String?
  /// The result.
  public let state: String?
  /// What to do about it.
  public let mitigationInstruction: String?

  init(_ node: JSONNode) throws(JSONError) {
    validationName = try node.text("validationName")
    state = try node.text("state")
    mitigationInstruction = try node.text("mitigationInstruction")
  }

  var rows: [ManagementDocument.Row] {
    [
      ManagementDocument.Row("Looked at", validationName), ManagementDocument.Row("Found", state),
      ManagementDocument.Row("To do", mitigationInstruction),
    ].compactMap { $0 }
  }
}
