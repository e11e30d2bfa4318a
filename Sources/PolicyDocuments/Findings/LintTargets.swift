import AppProtection

/// The users and apps that a policy or an app configuration applies to.
struct LintTargets {
  let apps: [PolicyApp]?
  let count: Int?
  let group: AppGroupType?
  let assignments: [PolicyAssignment]
  /// The platforms whose apps the document targets, that first whose identifiers it lists.
  var platforms: [PolicyPlatform]
}
