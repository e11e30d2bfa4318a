import AppProtection
import JSON
import Spelling

/// Checks of the document rather than of one of its settings.
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
    if policy.targeting.isAssigned == false, policy.targeting.assignments?.contains(where: \.isInclusion) == true {
      note(
        .notAssigned, "isAssigned", "it is false, and assignments lists a group, so that one of the two is wrong",
        remedy: "export the policy again, with its assignments")
    } else if policy.targeting.isAssigned == false || policy.targeting.assignments?.isEmpty == true {
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
    // Annotations and actions belong to OData; names of properties are kept for what their typed value cannot hold.
    let kept = policy.keptMembers.filter { !$0.describesResponse }
    let values = Set(kept.filter { $0.json != "null" }.map(\.name))
    for member in GraphMember.all {
      guard let platform = member.foreignPlatform, values.contains(member.name) || hasValue(member.name) else {
        continue
      }
      note(
        .otherPlatform, member.name, "\(platform), without effect here",
        remedy: policy.kind == .defaultPolicy
          ? "keep it for the other platform, if that is meant" : "remove it, or set it in a policy for that platform")
    }
    let unknown = kept.map(\.name).filter { GraphMember.named($0) == nil && DeviceSetting.named($0) == nil }
    for name in unknown.prefix(Self.mostUnknownMembers) {
      let near = EditDistance.nearest(to: name, in: GraphMember.all.map(\.name), limit: 1).first
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

  /// Whether the document has a value for the property with this name.
  private func hasValue(_ name: String) -> Bool {
    guard let property = PolicyProperty.named(name), case .value = policy[property] else { return false }
    return true
  }

  /// The most unknown members listed individually.
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
