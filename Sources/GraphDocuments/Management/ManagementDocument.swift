import AppProtection
import JSON

/// An app management document other than a policy: what an administrator delivers besides policies, or what the service
/// knows about devices.
public enum ManagementDocument: Equatable, Sendable {
  /// Settings for apps themselves.
  case appConfiguration(AppConfigurationDocument)
  /// An app on a user's device.
  case registration(AppRegistration)
  /// The number of users who have a policy.
  case deploymentSummary(DeploymentSummary)
  /// The service's current operation on an app.
  case operation(AppOperation)
  /// A request for an app's logs.
  case logCollectionRequest(LogCollectionRequest)
  /// A status report of the service.
  case status(AppStatus)
  /// A request to remove data from a device. Specific to Windows, but its terms describe the stages of any wipe.
  case wipeAction(WipeAction)
  /// The result of a diagnosis for a user.
  case diagnosticStatus(DiagnosticStatus)
  /// A condition that assignments may have.
  case filter(AssignmentFilter)
  /// A group of the directory.
  case group(DirectoryGroup)
  /// The names of a tenant's objects.
  case names(MigrationTable)

  /// One line about a document.
  public struct Row: Equatable, Sendable {
    /// The subject of the line.
    public private(set) var title: String
    /// The value.
    public let value: String
    /// Whether it may identify a person, a device or a secret of an organization.
    public let isPrivate: Bool

    /// What may be shown of a private value; `nil` when nothing can be said.
    public let summary: String?
    /// What a list has, whose order does not matter; `nil` for a single value.
    package let elements: [String]?
    /// The property that it shows as Graph has it, an object without secrets; `nil` where no single property is meant.
    package let graph: JSONValue?

    /// - Parameters:
    ///   - property: The name of the property in Graph.
    ///   - json: Its value; by default the text.
    package init?(
      _ title: String, _ value: String?, isPrivate: Bool = false, summary: String? = nil, elements: [String]? = nil,
      of property: String? = nil, as json: JSONValue? = nil
    ) {
      guard let value, !value.isEmpty else { return nil }
      self.title = title
      self.value = value
      self.isPrivate = isPrivate
      self.summary = summary
      self.elements = elements
      graph = property.map { .object([.init($0, json ?? .string(value))]) }
    }

    /// The line under a title of its own, where several have one title: this is the `number`th.
    package func numbered(_ number: Int) -> Row {
      guard number > 1 else { return self }
      var row = self
      row.title += " (\(number))"
      return row
    }
  }

  /// Reads an object of one of these kinds, identified by its `@odata.type`, the context of its response, or members
  /// that only an app configuration has; `nil` for any other object.
  static func read(
    _ node: JSONNode, contextType: GraphTypeName? = nil
  ) throws(PolicyDocumentError) -> ManagementDocument? {
    guard let object = node.value.object else { return nil }
    let declared = object["@odata.type"]?.string.map { GraphTypeName(annotation: $0) }
    guard let type = declared ?? contextType else {
      guard object["@odata.type"] == nil else { return nil }
      if MigrationTable.recognizes(object) { return .names(try MigrationTable(node)) }
      if DirectoryGroup.recognizes(object) { return .group(try DirectoryGroup(node)) }
      if AssignmentFilter.recognizes(object) { return .filter(try AssignmentFilter(node)) }
      guard let channel = AppConfigurationDocument.Channel(members: object) else { return nil }
      let platform: PolicyPlatform? =
        object["payloadJson"] != nil ? .android : channel == .managedDevices ? .ios : nil
      return .appConfiguration(try AppConfigurationDocument(node, channel: channel, platform: platform))
    }
    switch type.name {
    case "targetedManagedAppConfiguration", "managedAppConfiguration":
      return .appConfiguration(try AppConfigurationDocument(node, channel: .managedApps))
    case "deviceManagementConfigurationPolicy":
      // The settings catalog also has policies for devices, on every platform.
      guard AppConfigurationDocument.Channel(members: object) == .managedApps else { return nil }
      return .appConfiguration(try AppConfigurationDocument(node, channel: .managedApps))
    case "iosMobileAppConfiguration":
      return .appConfiguration(try AppConfigurationDocument(node, channel: .managedDevices, platform: .ios))
    case "androidManagedStoreAppConfiguration", "androidForWorkMobileAppConfiguration":
      return .appConfiguration(try AppConfigurationDocument(node, channel: .managedDevices, platform: .android))
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
    case "deviceAndAppManagementAssignmentFilter": return .filter(try AssignmentFilter(node))
    case "group": return .group(try DirectoryGroup(node))
    default: return nil
    }
  }

  /// The kind of document, in words.
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
    case .filter: "Assignment filter"
    case .group: "Group"
    case .names: "Table of names"
    }
  }

  /// The platform of the devices that it is for; `nil` where it is for those of any.
  var platform: PolicyPlatform? {
    switch self {
    case .appConfiguration(let configuration): configuration.platform
    case .registration, .deploymentSummary, .operation, .logCollectionRequest, .status, .wipeAction, .diagnosticStatus,
      .filter, .group, .names:
      nil
    }
  }

  /// The contents line by line; unset values are omitted.
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
    case .filter(let filter): filter.rows
    case .group(let group): group.rows
    case .names(let names): names.rows
    }
  }
}

extension JSONNode {
  /// The date with this name; `nil` if it is `null` or absent.
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

  /// The texts with these names; `nil` for each that is `null` or absent.
  func texts(_ names: String...) throws(PolicyDocumentError) -> [String?] {
    try PolicyDocumentError.translate { () throws(JSONError) in
      var texts: [String?] = []
      for name in names { texts.append(try text(name)) }
      return texts
    }
  }

  /// The list of objects with this name; empty if it is `null` or absent.
  func list<Element>(
    _ name: String, _ read: (JSONNode) throws(JSONError) -> Element
  ) throws(PolicyDocumentError) -> [Element] {
    try optionalList(name, read) ?? []
  }

  /// The list with this name; `nil` if it is `null` or absent.
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

  /// The bundle identifier, or another platform's identifier, in a `mobileAppIdentifier`.
  func appIdentifier(_ name: String) throws(JSONError) -> String? {
    guard let identifier = try present(name) else { return nil }
    for name in ["bundleId", "packageId", "windowsAppId"] {
      if let text = try identifier.text(name) { return text }
    }
    return nil
  }
}
