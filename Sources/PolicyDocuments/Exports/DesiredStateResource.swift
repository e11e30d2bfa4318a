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
    let isAndroid = members.contains {
      ["packageid", "payloadjson"].contains($0.name.lowercased()) && !$0.value.isNull
    }
    let name = type == "iosMobileAppConfiguration" && isAndroid ? "androidManagedStoreAppConfiguration" : type
    var graph: [JSONObject.Member] = [.init("@odata.type", .string("#microsoft.graph.\(name)"), at: position)]
    var targets: [JSONValue] = []
    var targetPlace: JSONPosition?
    for member in members where !Self.ownNames.contains(member.name.lowercased()) && !Self.isCredential(member.name) {
      switch member.name.lowercased() {
      case "assignments", "excludedgroups":
        targetPlace = targetPlace ?? member.position
        targets += Self.targets(member.value, isExclusion: member.name.lowercased() == "excludedgroups")
      case "apps":
        graph.append(.init("apps", Self.apps(member.value, isAndroid: type.hasPrefix("android")), at: member.position))
      case "identity": graph.append(.init("id", member.value, at: member.position))
      case _:
        graph.append(.init(Self.graphName(member.name), Self.renamed(member.value), at: member.position))
      }
    }
    if let targetPlace {
      graph.append(.init("assignments", JSONValue(.array(targets), at: targetPlace), at: targetPlace))
    }
    return JSONValue(.object(JSONObject(graph)), at: position)
  }

  /// Graph's name of a property, whatever its case.
  private static func graphName(_ name: String) -> String {
    if let known = graphNames[name.lowercased()] { return known }
    return name.prefix(1).lowercased() + name.dropFirst()
  }

  private static let graphNames = Dictionary(
    (GraphMember.all.map(\.name) + PolicyProperty.all.map(\.name)).map { ($0.lowercased(), $0) }
  ) { first, _ in first }

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

  /// Apps, which a resource lists by their identifiers alone.
  private static func apps(_ value: JSONValue, isAndroid: Bool) -> JSONValue {
    guard let elements = value.array else { return value }
    let (type, name) = isAndroid ? ("androidMobileAppIdentifier", "packageId") : ("iosMobileAppIdentifier", "bundleId")
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
        target = object.members.filter { !ownNames.contains($0.name.lowercased()) }.map { member in
          let isType = member.name.lowercased() == "datatype"
          return .init(isType ? "@odata.type" : graphName(member.name), member.value, at: member.position)
        }
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
