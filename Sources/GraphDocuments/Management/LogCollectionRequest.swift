import AppProtection
import JSON

/// An administrator's request for the logs of an app (Graph beta: `managedAppLogCollectionRequest`).
public struct LogCollectionRequest: Equatable, Sendable {
  /// The logs of one component.
  public struct Upload: Equatable, Sendable {
    /// The component's name and description.
    public let component, componentDescription: String?
    /// The number under which support finds the logs.
    public let referenceID: String?
    /// The progress of the upload, as stated by the service.
    public let status: String?
  }

  /// The request's identifier.
  public let id: String?
  /// The progress of the collection, as stated by the service.
  public let status: String?
  /// The requester's object id and name.
  public let requestedBy, requestedByUserPrincipalName: String?
  /// Whether the app's user consented, as stated by the service.
  public let userLogUploadConsent: String?
  /// When the logs were requested.
  public let requestedDateTime: PolicyDate?
  /// When the collection was completed.
  public let completedDateTime: PolicyDate?
  /// The logs, in the order of the document.
  public let uploads: [Upload]

  init(_ node: JSONNode) throws(PolicyDocumentError) {
    let texts = try node.texts(
      "id", "status", "requestedBy", "requestedByUserPrincipalName", "userLogUploadConsent")
    id = texts[0]
    status = texts[1]
    requestedBy = texts[2]
    requestedByUserPrincipalName = texts[3]
    userLogUploadConsent = texts[4]
    requestedDateTime = try node.date("requestedDateTime")
    completedDateTime = try node.date("completedDateTime")
    uploads = try node.list("uploadedLogs") { (entry) throws(JSONError) in
      Upload(
        component: try entry.text("managedAppComponent"),
        componentDescription: try entry.text("managedAppComponentDescription"),
        referenceID: try entry.text("referenceId"), status: try entry.text("status"))
    }
  }

  var rows: [ManagementDocument.Row] {
    typealias Row = ManagementDocument.Row
    let rows = [
      Row("Logs", status ?? "requested"), Row("Logs requested", requestedDateTime?.text),
      Row("Logs completed", completedDateTime?.text), Row("Logs requested by", requestedBy, isPrivate: true),
      Row("Logs requested by user", requestedByUserPrincipalName, isPrivate: true),
      Row("User's consent to the upload", userLogUploadConsent),
    ]
    let logs = uploads.map { upload in
      let name = upload.component ?? upload.componentDescription ?? "of a component without a name"
      return Row("Log \(name)", [upload.status, upload.referenceID].compactMap(\.self).joined(separator: ", "))
    }
    return (rows + logs).compactMap(\.self)
  }
}
