extension PolicyDocument {
  /// To whom and to which apps a policy applies (Graph: `targetedManagedAppProtection`).
  ///
  /// `nil` is a setting that the document does not have or has as `null`; ``PolicyDocument/subscript(_:)`` tells the
  /// two apart.
  public struct Targeting: Equatable, Sendable {
    /// Whether the policy is assigned to any group.
    public var isAssigned: Bool?
    /// The groups that the policy applies to, and those that it does not.
    public var assignments: [PolicyAssignment]?
    /// On devices under which kinds of management the policy applies.
    public var targetedAppManagementLevels: AppManagementLevels?
    /// To which group of apps the policy applies.
    public var appGroupType: AppGroupType?
    /// How many apps the policy is deployed to.
    public var deployedAppCount: Int?
    /// The apps that the policy applies to.
    public var apps: [PolicyApp]?

    /// Creates a group in which nothing is set.
    public init() {}
  }
}

extension PolicyProperty {
  /// The rows of the property table for ``PolicyDocument/targeting``: numbers 30 to 49.
  static let targeting: [PolicyProperty] = [
    .flag(
      30, "isAssigned", { $0.targeting.isAssigned }, { $0.targeting.isAssigned = $1 }, .assignments,
      "Whether the policy is assigned to any group"),
    .assignments(
      31, "assignments", { $0.targeting.assignments }, { $0.targeting.assignments = $1 }, .assignments,
      "The groups that the policy applies to, and those that it does not"),
    .flags(
      32, "targetedAppManagementLevels", { $0.targeting.targetedAppManagementLevels },
      { $0.targeting.targetedAppManagementLevels = $1 }, .apps,
      "On devices under which kinds of management the policy applies"),
    .choice(
      33, "appGroupType", { $0.targeting.appGroupType }, { $0.targeting.appGroupType = $1 }, .apps,
      "To which group of apps the policy applies"),
    .number(
      34, "deployedAppCount", { $0.targeting.deployedAppCount }, { $0.targeting.deployedAppCount = $1 }, .apps,
      0...2147483647,
      "How many apps the policy is deployed to"),
    .apps(
      35, "apps", { $0.targeting.apps }, { $0.targeting.apps = $1 }, .apps,
      "The apps that the policy applies to"),
  ]
}
