import AppProtection
import JSON

extension GraphTypeName {
  /// The kind of policy with this type; `nil` for other types.
  var policyKind: PolicyKind? {
    let kinds: [PolicyKind] = [.targetedPolicy, .defaultPolicy, .androidPolicy, .windowsPolicy]
    return kinds.first { $0.rawValue.utf8.elementsEqual(name.utf8) }
  }

  /// The type of the entities named by a response's `@odata.context`: its last part is the collection, as in
  /// `…/$metadata#deviceAppManagement/iosManagedAppProtections/$entity`. `nil` for unknown collections.
  static func type(context: String) -> GraphTypeName? {
    guard let hash = context.lastIndex(of: "#") else { return nil }
    let parts = context[context.index(after: hash)...].split(separator: "/")
    // A selection of members may follow in parentheses: `iosManagedAppProtections(id,apps)`. What is reached through an
    // entity, as in `iosManagedAppProtections('T_1')/apps`, is not a policy.
    let collection = parts.last == "$entity" ? parts.dropLast().last : parts.last
    if collection == "assignments", parts.count > 1 {
      return GraphTypeName(annotation: "targetedManagedAppPolicyAssignment")
    }
    return collection.flatMap { typesByCollection[String($0.prefix { $0 != "(" })] }.map {
      GraphTypeName(annotation: $0)
    }
  }

  /// Whether the context of a response names members that were chosen (`$select`), as in `iosManagedAppProtections(id,apps())`.
  /// What is only expanded has parentheses of its own.
  static func isSelection(context: String) -> Bool {
    guard let hash = context.lastIndex(of: "#"),
      let list = context[hash...].split(separator: "/").last(where: { $0 != "$entity" }),
      let start = list.firstIndex(of: "("), list.hasSuffix(")")
    else { return false }
    var depth = 0
    var (hasName, isExpanded) = (false, false)
    for character in list[list.index(after: start)...] {
      switch character {
      case "(": (depth, isExpanded) = (depth + 1, isExpanded || depth == 0)
      case ")" where depth > 0: depth -= 1
      case "," where depth == 0, ")":
        if hasName, !isExpanded { return true }
        (hasName, isExpanded) = (false, false)
      case "'" where depth == 0: isExpanded = true
      case _ where depth == 0: hasName = true
      default: break
      }
    }
    return false
  }

  /// Entities of these collections do not state their type, because all have the same.
  private static let typesByCollection = [
    "iosManagedAppProtections": "iosManagedAppProtection",
    "defaultManagedAppProtections": "defaultManagedAppProtection",
    "androidManagedAppProtections": "androidManagedAppProtection",
    "windowsManagedAppProtections": "windowsManagedAppProtection",
    "windowsInformationProtectionPolicies": "windowsInformationProtectionPolicy",
    "mdmWindowsInformationProtectionPolicies": "mdmWindowsInformationProtectionPolicy",
    "targetedManagedAppConfigurations": "targetedManagedAppConfiguration",
    "configurationPolicies": "deviceManagementConfigurationPolicy",
    "assignmentFilters": "deviceAndAppManagementAssignmentFilter",
    "groups": "group",
  ]

  /// The platform that the type is for, judged by the beginning of its name; `nil` for iOS, and if the name does not
  /// tell.
  var platform: String? {
    let name = name.lowercased()
    let platforms = [
      ("android", "Android"), ("aosp", "Android"), ("windows", "Windows"), ("mdmwindows", "Windows"),
      ("win32", "Windows"),
      ("macos", "macOS"),
    ]
    return platforms.first { name.hasPrefix($0.0) }?.1
  }

  /// The kind of policy clearly identified by an object's members; `nil` if they do not identify one.
  static func policyKind(members: JSONObject) -> PolicyKind? {
    let known = members.members.compactMap { GraphMember.named($0.name) }
    // Default policies have members of both platforms, and Windows none of its own.
    if known.contains(where: \.isOfIOS), known.allSatisfy({ $0.types.contains(.ios) }) { return .targetedPolicy }
    let isAndroid = known.contains { $0.types.contains(.android) && !$0.types.contains(.ios) }
    return isAndroid && known.allSatisfy { $0.types.contains(.android) } ? .androidPolicy : nil
  }

  /// The name for messages: unchanged if it is plain, otherwise quoted and shortened.
  var shown: String { JSONExcerpt.plain(name) }
}
