import AppProtection

/// Whom a policy certainly reaches, and in which apps.
struct TenantReach: Sendable {
  /// The number of the audience.
  let audience: Int
  /// Apps that it is certainly for.
  let apps: Set<String>
  let platform: PolicyPlatform
  /// The kinds of device management under which it applies; empty for all.
  let levels: AppManagementLevels

  /// What a policy reaches; `nil` where it reaches no user, or a filter or something unknown has a say.
  init?(_ document: TenantDocument, _ audiences: inout TenantAudiences) {
    guard let item = document.item, let assignments = document.assignments,
      item.policy.kind != .defaultPolicy, document.targeting.isAssigned != false,
      document.lost.isDisjoint(with: ["apps", "appGroupType", "targetedAppManagementLevels"]),
      !document.isPartial || document.targeting.targetedAppManagementLevels != nil,
      assignments.allSatisfy({ $0.filterName == nil && $0.reach != .unknown })
    else { return nil }
    platform = item.policy.kind.platform
    levels = document.targeting.targetedAppManagementLevels ?? []
    apps = TargetedApps.certain(document.targeting, on: platform)
    audience = audiences.number(of: assignments)
  }

  /// Whether both apply under one kind of device management.
  func sharesLevels(with other: TenantReach) -> Bool {
    levels.rawValue == 0 || other.levels.rawValue == 0 || levels.rawValue & other.levels.rawValue != 0
  }
}
