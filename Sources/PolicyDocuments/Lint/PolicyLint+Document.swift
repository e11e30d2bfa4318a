import AppProtection
import JSON
import Spelling

/// What concerns the document and not one of its settings.
extension PolicyLint {
  /// placeholder, notAssigned, noApps, unknownValue, unknownMember
  mutating func checkDocument() {
    for property in PolicyProperty.all {
      guard case .value(let value) = policy[property] else { continue }
      if let text = Self.placeholder(in: value, of: property.name) { note(placeholder: text, property.name) }
      if Self.hasUnknown(value) {
        note(
          .unknownValue, property.name, "it has a value that is not known, which decisions take for the strictest",
          remedy: "write one of \(Self.knownNames(of: property).joined(separator: ", "))")
      }
    }
    if policy.targeting.isAssigned == false || policy.targeting.assignments?.isEmpty == true {
      note(
        .notAssigned, policy.targeting.isAssigned == false ? "isAssigned" : "assignments",
        "the policy is assigned to no group", remedy: "assign it, unless it is a draft")
    }
    if policy.targeting.appGroupType ?? .selectedPublicApps == .selectedPublicApps, hasNoApps {
      note(
        .noApps, policy.targeting.apps == nil ? "deployedAppCount" : "apps", "the policy has no apps",
        remedy: "select apps, unless it is a draft")
    }
    checkTargets(
      apps: policy.targeting.apps, count: policy.targeting.deployedAppCount, group: policy.targeting.appGroupType,
      assignments: policy.targeting.assignments ?? [])
    checkMembers()
  }

  private var hasNoApps: Bool {
    policy.targeting.apps.map(\.isEmpty) ?? (policy.targeting.deployedAppCount == 0)
  }

  private mutating func checkMembers() {
    let names = PolicyProperty.all.map(\.name)
    // Annotations and actions are OData's own; names of properties are kept for what their typed value does not hold.
    let unknown = policy.keptMembers.map(\.name).filter {
      !$0.contains("@") && !$0.hasPrefix("#") && PolicyProperty.named($0) == nil && DeviceSetting.named($0) == nil
    }
    for name in unknown.prefix(Self.mostUnknownMembers) {
      let near = EditDistance.nearest(to: name, in: names, limit: 1).first
      note(
        .unknownMember, JSONExcerpt.plain(name), "nothing is known by this name",
        remedy: near.map { "write \($0), if that is meant" } ?? "remove it, if it is a mistake")
    }
    if unknown.count > Self.mostUnknownMembers {
      note(
        .unknownMember, JSONExcerpt.plain(unknown[Self.mostUnknownMembers]),
        "nothing is known by this name, nor by \(unknown.count - Self.mostUnknownMembers - 1) more",
        remedy: "look whether this is a policy")
    }
  }

  /// How many members that are not known are named one by one.
  static let mostUnknownMembers = 100

  private static func hasUnknown(_ value: PolicyValue) -> Bool {
    switch value {
    case .choice(let number): number == DataTransferLevel.unrecognizedNumber
    case .choices(let numbers): numbers.contains(DataTransferLevel.unrecognizedNumber)
    case .flags(let bits): bits & ManagedBrowsers.unrecognized.rawValue != 0
    default: false
    }
  }

  private static func knownNames(of property: PolicyProperty) -> [String] {
    switch property.kind {
    case .choice(let names), .choices(let names), .flags(let names):
      names.members.map(\.name).filter { $0 != "unrecognized" && $0 != "unknownFutureValue" }
    default: []
    }
  }
}
