import AppProtection
import JSON

/// A document of the management of apps that is no policy: what an administrator delivers beside policies, and what the
/// service knows of devices.
public enum ManagementDocument: Equatable, Sendable {
  /// Settings for apps themselves.
  case appConfiguration(AppConfiguration)
  /// An app on a device of a user.
  case registration(AppRegistration)
  /// How many users have a policy.
  case deploymentSummary(DeploymentSummary)
  /// What the service is doing with an app.
  case operation(AppOperation)
  /// A request for an app's logs.
  case logCollectionRequest(LogCollectionRequest)
  /// A status report of the service.
  case status(AppStatus)
  /// A request to remove data from a device. Of Windows, and useful as the words for a wipe's life.
  case wipeAction(WipeAction)
  /// What a diagnosis found for a user.
  case diagnosticStatus(DiagnosticStatus)

  /// One line about a document.
  public struct Row: Equatable, Sendable {
    /// What is told.
    public let title: String
    /// The value.
    public let value: String
    /// Whether it may name a person, a device or a secret of an organization.
    public let isPrivate: Bool

    /// What may be shown of a private value; `nil` when nothing can be said.
    public let summary: String?

    init?(_ title: String, _ value: String?, isPrivate: Bool = false, summary: String? = nil) {
      guard let value, !value.isEmpty else { return nil }
      self.title = title
      self.value = value
      self.isPrivate = isPrivate
      self.summary = summary
    }

    /// The value as it is shown.
    public var shown: PortalValue { PortalValue(value, isPrivate: isPrivate, summary: summary) }
  }

  /// Reads an object that is one of these, by its `@odata.type`, the context of its response, or members that only an
  /// app configuration has; `nil` for every other object.
  static func read(
    _ node: JSONNode, contextType: GraphTypeName? = nil
  ) throws(PolicyDocumentError) -> ManagementDocument? {
    guard let object = node.value.object else { return nil }
    let declared = object["@odata.type"]?.string.map { GraphTypeName(annotation: $0) }
    guard let type = declared ?? contextType else {
      guard object["@odata.type"] == nil, let channel = AppConfiguration.Channel(members: object) else { return nil }
      return .appConfiguration(try AppConfiguration(node, channel: channel))
    }
    switch type.name {
    case "targetedManagedAppConfiguration", "managedAppConfiguration":
      return .appConfiguration(try AppConfiguration(node, channel: .managedApps))
    case "deviceManagementConfigurationPolicy":
      // The settings catalog has policies for devices too, of every platform.
      guard AppConfiguration.Channel(members: object) == .managedApps else { return nil }
      return .appConfiguration(try AppConfiguration(node, channel: .managedApps))
    case "iosMobileAppConfiguration": return .appConfiguration(try AppConfiguration(node, channel: .managedDevices))
    case "iosManagedAppRegistration", "managedAppRegistration": return .registration(try AppRegistration(node))
    case "managedAppPolicyDeploymentSummary":
      return .deploymentSummary(
        try PolicyDocumentError.translate { () throws(JSONError) in try DeploymentSummary(node) })
    case "managedAppOperation": return .operation(try AppOperation(node))
    case "managedAppLogCollectionRequest": return .logCollectionRequest(try LogCollectionRequest(node))
    case "managedAppStatus", "managedAppStatusRaw":
      return .status(try PolicyDocumentError.translate { () throws(JSONError) in try AppStatus(node) })
    case "windowsInformationProtectionWipeAction": return .wipeAction(try WipeAction(node))
    case "managedAppDiagnosticStatus":
      return .diagnosticStatus(try PolicyDocumentError.translate { () throws(JSONError) in try DiagnosticStatus(node) })
    default: return nil
    }
  }

  /// What kind of document it is, in words.
  public var kindName: String {
    switch self {
    case .appConfiguration(let configuration): configuration.channel.name
    case .registration: "App registration"
    case .deploymentSummary: "Deployment summary"
    case .operation: "Operation"
    case .logCollectionRequest: "Request for logs"
    case .status: "Status"
    case .wipeAction: "Wipe"
    case .diagnosticStatus: "Diagnosis"
    }
  }

  /// What it says, line by line; what is not set is left out.
  public var rows: [Row] {
    switch self {
    case .appConfiguration(let configuration): configuration.rows
    case .registration(let registration): registration.rows
    case .deploymentSummary(let summary): summary.rows
    case .operation(let operation): operation.rows
    case .logCollectionRequest(let request): request.rows
    case .status(let status): status.rows
    case .wipeAction(let action): action.rows
    case .diagnosticStatus(let status): status.rows
    }
  }
}

extension JSONNode {
  /// A date under a name; `null` and absence are none.
  func date(_ name: String) throws(PolicyDocumentError) -> PolicyDate? {
    let found = try PolicyDocumentError.translate { () throws(JSONError) in
      let node = try present(name)
      return (node: node, text: try node?.string())
    }
    guard let node = found.node, let text = found.text else { return nil }
    do throws(PolicyTextError) {
      return try PolicyDate(text)
    } catch {
      throw PolicyDocumentError(
        .text(error.code), at: node.position, path: node.path,
        message: "\(error.message): \(JSONExcerpt.quoted(text))", remedy: error.remedy)
    }
  }

  /// Texts under names; `null` and absence are none.
  func texts(_ names: String...) throws(PolicyDocumentError) -> [String?] {
    try PolicyDocumentError.translate { () throws(JSONError) in
      var texts: [String?] = []
      for name in names { texts.append(try text(name)) }
      return texts
    }
  }

  /// A list of objects under a name; `null` and absence are an empty one.
  func list<Element>(
    _ name: String, _ read: (JSONNode) throws(JSONError) -> Element
  ) throws(PolicyDocumentError) -> [Element] {
    try optionalList(name, read) ?? []
  }

  /// A list under a name; `nil` for `null` and absence.
  func optionalList<Element>(
    _ name: String, _ read: (JSONNode) throws(JSONError) -> Element
  ) throws(PolicyDocumentError) -> [Element]? {
    try PolicyDocumentError.translate { () throws(JSONError) in
      guard let nodes = try present(name)?.elements() else { return nil }
      var elements: [Element] = []
      for node in nodes { elements.append(try read(node)) }
      return elements
    }
  }

  /// The bundle identifier, or another platform's, under a `mobileAppIdentifier`.
  func appIdentifier(_ name: String) throws(JSONError) -> String? {
    guard let identifier = try present(name) else { return nil }
    for name in ["bundleId", "packageId", "windowsAppId"] {
      if let text = try identifier.text(name) { return text }
    }
    return nil
  }
}
