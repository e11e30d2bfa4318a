import AppProtection
import JSON

/// A resource of a configuration of Microsoft365DSC, as PowerShell or as JSON, and the document of Graph that it stands for.
///
/// A resource has Graph's properties under names that begin with a capital letter. Its schema lacks many of them, so that a
/// property it does not have is unknown rather than not set.
struct DesiredStateResource {
  /// The resource's type, such as `IntuneAppProtectionPolicyiOS`.
  let type: String
  /// The name of the instance.
  let name: String
  /// The properties.
  let members: [JSONObject.Member]
  /// Where it begins.
  let position: JSONPosition

  /// The resources that are read, and the type of each in Graph.
  private static let types = [
    "intuneappprotectionpolicyios": "iosManagedAppProtection",
    "intuneappprotectionpolicyandroid": "androidManagedAppProtection",
    "intuneappprotectionpolicywindows10": "windowsManagedAppProtection",
    "intuneappconfigurationpolicy": "targetedManagedAppConfiguration",
    "intuneappconfigurationdevicepolicy": "iosMobileAppConfiguration",
    "intunewindowsinformationprotectionpolicywindows10mdmenrolled": "mdmWindowsInformationProtectionPolicy",
    "intunedeviceandappmanagementassignmentfilter": "deviceAndAppManagementAssignmentFilter",
    "aadgroup": "group",
  ]

  /// Whether resources of a type are read.
  static func isKnown(_ type: String) -> Bool { types[type.lowercased()] != nil }

  private static let credentials: Set<String> = [
    "credential", "applicationid", "tenantid", "applicationsecret", "certificatethumbprint", "certificatepath",
    "certificatepassword", "managedidentity", "accesstokens", "globaladminaccount", "psdscrunascredential",
  ]

  /// Whether a property says how to sign in. Its value is neither read nor shown.
  static func isCredential(_ name: String) -> Bool { credentials.contains(name.lowercased()) }

  /// Properties of the resource rather than of the document.
  private static let ownNames: Set<String> = [
    "ensure", "resourcename", "resourceinstancename", "resourceid", "ciminstance", "issingleinstance", "dependson",
  ]

  /// The resources of a list in the JSON form; `nil` if the list is of another kind.
  static func blueprint(_ value: JSONValue) -> [DesiredStateResource]? {
    guard let elements = value.array, !elements.isEmpty else { return nil }
    var resources: [DesiredStateResource] = []
    for element in elements {
      guard let object = element.object, let type = object.member(ignoringCase: "ResourceName")?.value.string else {
        return nil
      }
      let name = object.member(ignoringCase: "ResourceInstanceName")?.value.string ?? ""
      resources.append(
        DesiredStateResource(type: type, name: name, members: object.members, position: element.position))
    }
    return resources
  }

  /// Whether the configuration says that the document must not exist.
  private var isAbsent: Bool {
    members.contains { $0.name.lowercased() == "ensure" && $0.value.string?.lowercased() == "absent" }
  }

  /// The document of Graph.
  ///
  /// - Throws: ``/GraphDocuments/PolicyDocumentError`` for a resource of another kind, and for one that must not exist.
  func graph() throws(PolicyDocumentError) -> JSONValue {
    guard let type = Self.types[type.lowercased()] else { throw DesiredStateReader.foreign(self.type, at: position) }
    guard !isAbsent else {
      var error = PolicyDocumentError(
        .foreignType, at: position, path: JSONPath(),
        message: "the configuration says that this resource must not exist (Ensure = Absent)",
        remedy: "nothing is to be done if that is wanted")
      error.foreignKind = .type("resource with Ensure = Absent")
      error.foreignType = "resource with Ensure = Absent"
      throw error
    }
    let isAndroid = members.contains { Self.ofAndroid.contains($0.name.lowercased()) && !$0.value.isNull }
    let name = type == "iosMobileAppConfiguration" && isAndroid ? "androidManagedStoreAppConfiguration" : type
    let platform = Self.platforms[type]
    var graph: [JSONObject.Member] = [.init("@odata.type", .string("#microsoft.graph.\(name)"), at: position)]
    var targets: [JSONValue] = []
    var targetPlace: JSONPosition?
    for member in members where !Self.ownNames.contains(member.name.lowercased()) && !Self.isCredential(member.name) {
      switch member.name.lowercased() {
      case "assignments", "excludedgroups":
        targetPlace = targetPlace ?? member.position
        targets += Self.targets(member.value, isExclusion: member.name.lowercased() == "excludedgroups")
      case "apps":
        graph.append(.init("apps", Self.apps(member.value, on: platform ?? .ios), at: member.position))
      case "identity": graph.append(.init("id", member.value, at: member.position))
      case _:
        let name = Self.graphName(member.name)
        let property = platform?.property(named: name)
        guard let value = ResourceValue(Self.renamed(member.value), of: name, property?.kind).graph else { continue }
        graph.append(.init(name, value, at: member.position))
      }
    }
    if let targetPlace {
      graph.append(.init("assignments", JSONValue(.array(targets), at: targetPlace), at: targetPlace))
    }
    return JSONValue(.object(JSONObject(graph)), at: position)
  }

  /// The target of an assignment, as Graph has it.
  private static func target(_ object: JSONObject) -> [JSONObject.Member] {
    func text(_ name: String) -> String? {
      object.member(ignoringCase: name)?.value.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    let isGroup = text("dataType")?.lowercased().contains("group") ?? true
    let filter = text("deviceAndAppManagementAssignmentFilterId")
    return object.members.compactMap { member in
      let name = member.name.lowercased()
      guard !ownNames.contains(name), !member.value.isNull else { return nil }
      switch name {
      case "datatype": return .init("@odata.type", member.value, at: member.position)
      // The name of a target that is no group, such as "All users", or of the group before it.
      case "groupdisplayname" where !isGroup: return nil
      // A filter is found by its id or, where a resource has none, by its name.
      case "deviceandappmanagementassignmentfilterdisplayname":
        guard filter == nil else { return nil }
        return .init("deviceAndAppManagementAssignmentFilterId", member.value, at: member.position)
      case "deviceandappmanagementassignmentfilterid" where filter == nil: return nil
      case _: return .init(graphName(member.name), member.value, at: member.position)
      }
    }
  }

  /// Graph's name of a property, whatever its case.
  private static func graphName(_ name: String) -> String {
    if let known = graphNames[name.lowercased()] { return known }
    return name.prefix(1).lowercased() + name.dropFirst()
  }

  private static let graphNames = Dictionary(
    (GraphMember.all.map(\.name) + PolicyProperty.all.map(\.name) + inside).map { ($0.lowercased(), $0) }
  ) { first, _ in first }

  /// Graph's names of what stands inside of embedded instances.
  private static let inside = [
    "mobileAppIdentifier", "bundleId", "packageId", "windowsAppId", "groupId", "groupDisplayName",
    "deviceAndAppManagementAssignmentFilterId", "deviceAndAppManagementAssignmentFilterType",
  ]

  /// The platforms of the policies; app configurations have none of their own.
  private static let platforms: [String: PolicyPlatform] = [
    "iosManagedAppProtection": .ios, "androidManagedAppProtection": .android, "windowsManagedAppProtection": .windows,
  ]

  /// The properties that only configurations for managed devices with Android have.
  private static let ofAndroid: Set<String> = [
    "packageid", "payloadjson", "permissionactions", "profileapplicability", "connectedappsenabled",
    "credentialproviderrolestate",
  ]

  /// A value whose embedded instances have Graph's names.
  private static func renamed(_ value: JSONValue) -> JSONValue {
    switch value.content {
    case .array(let elements): JSONValue(.array(elements.map(renamed)), at: value.position)
    case .object(let object):
      JSONValue(
        .object(
          JSONObject(
            object.members.filter { !ownNames.contains($0.name.lowercased()) && !isCredential($0.name) }.map {
              .init(graphName($0.name), renamed($0.value), at: $0.position)
            })), at: value.position)
    case .string, .number, .bool, .null: value
    }
  }

  /// Apps, which a resource of policies lists by their identifiers alone.
  private static func apps(_ value: JSONValue, on platform: PolicyPlatform) -> JSONValue {
    guard let elements = value.array else { return value }
    let (type, name) =
      switch platform {
      case .ios: ("iosMobileAppIdentifier", "bundleId")
      case .android: ("androidMobileAppIdentifier", "packageId")
      case .windows: ("windowsAppIdentifier", "windowsAppId")
      }
    let apps = elements.map { element -> JSONValue in
      guard element.string != nil else { return renamed(element) }
      let identifier: [JSONObject.Member] = [
        .init("@odata.type", .string("#microsoft.graph.\(type)")), .init(name, element, at: element.position),
      ]
      let members = [
        JSONObject.Member(
          "mobileAppIdentifier", JSONValue(.object(JSONObject(identifier)), at: element.position), at: element.position)
      ]
      return JSONValue(.object(JSONObject(members)), at: element.position)
    }
    return JSONValue(.array(apps), at: value.position)
  }

  /// Whether the assignments are groups alone, as in older resources: these name no other target and no filter.
  var listsGroupsAlone: Bool {
    members.contains { member in
      member.name.lowercased() == "assignments"
        && (member.value.array.map { $0.allSatisfy { $0.string != nil } } ?? (member.value.string != nil))
    }
  }

  /// Assignments, which older resources list by the groups' identifiers alone.
  private static func targets(_ value: JSONValue, isExclusion: Bool) -> [JSONValue] {
    (value.array ?? [value]).filter { !$0.isNull }.map { element in
      let target: [JSONObject.Member]
      if element.string != nil {
        let type = isExclusion ? "exclusionGroupAssignmentTarget" : "groupAssignmentTarget"
        target = [
          .init("@odata.type", .string("#microsoft.graph.\(type)")), .init("groupId", element, at: element.position),
        ]
      } else if let object = element.object {
        target = Self.target(object)
      } else {
        return element
      }
      let assignment = [
        JSONObject.Member("target", JSONValue(.object(JSONObject(target)), at: element.position), at: element.position)
      ]
      return JSONValue(.object(JSONObject(assignment)), at: element.position)
    }
  }
}
