import AppProtection
import JSON

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
