import AppProtection

/// The users and apps that a policy or an app configuration applies to.
struct LintTargets {
  let apps: [PolicyApp]?
  let count: Int?
  let group: AppGroupType?
  let assignments: [PolicyAssignment]
  /// The platforms other than iOS whose apps the document targets.
  var platforms: Set<String> = []
}
