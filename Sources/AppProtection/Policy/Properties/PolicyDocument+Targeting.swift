extension PolicyDocument {
  /// To whom and to which apps a policy applies (Graph: `targetedManagedAppProtection`).
  ///
  /// `nil` means that the document lacks the setting or has it as `null`; ``PolicyDocument/subscript(_:)``
  /// distinguishes the two.
  public struct Targeting: Equatable, Sendable {
    /// Whether the policy is assigned to any group.
    public var isAssigned: Bool?
    /// The groups that the policy includes and excludes.
    public var assignments: [PolicyAssignment]?
    /// The kinds of device management under which the policy applies.
    public var targetedAppManagementLevels: AppManagementLevels?
    /// The group of apps to which the policy applies.
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
    isAssigned, assignments, targetedAppManagementLevels, appGroupType, deployedAppCount, apps,
  ]

  package static let isAssigned: PolicyProperty = row(
    30, "isAssigned", .flag,
    "Whether the policy is assigned to any group", { $0.targeting.isAssigned }, { $0.targeting.isAssigned = $1 },
    of: [.ios, .android, .windows, .windowsInformation], combines: .notCombined,
    portal: .entry(
      .assignments, 10, "Deployed",
      .document { PortalWords.deployed($0.targeting.isAssigned, $0.targeting.assignments) }))

  package static let assignments: PolicyProperty = row(
    31, "assignments", .assignments,
    "The groups that the policy applies to, and those that it does not", { $0.targeting.assignments },
    { $0.targeting.assignments = $1 }, of: [.ios, .android, .windows, .windowsInformation], privacy: .account,
    combines: .notCombined,
    portal: .entry(.assignments, 20, "Groups", .value { PortalWords.groups($0) }))

  package static let targetedAppManagementLevels: PolicyProperty = row(
    32, "targetedAppManagementLevels", .flags,
    "On devices under which kinds of management the policy applies", { $0.targeting.targetedAppManagementLevels },
    { $0.targeting.targetedAppManagementLevels = $1 }, of: [.ios, .android], combines: .notCombined,
    portal: .entry(.apps, 20, "Device types", .flags([0: "All device types", 1: "Unmanaged", 2: "Managed"])))

  package static let appGroupType: PolicyProperty = row(
    33, "appGroupType", .choice,
    "To which group of apps the policy applies", { $0.targeting.appGroupType }, { $0.targeting.appGroupType = $1 },
    of: [.ios, .android], combines: .notCombined,
    portal: .entry(
      .apps, 10, "Target policy to",
      .choice([
        .selectedPublicApps: "Selected apps", .allCoreMicrosoftApps: "Core Microsoft Apps",
        .allMicrosoftApps: "All Microsoft Apps", .allApps: "All Apps",
      ])))

  package static let deployedAppCount: PolicyProperty = row(
    34, "deployedAppCount", .number(0...2147483647),
    "How many apps the policy is deployed to", { $0.targeting.deployedAppCount },
    { $0.targeting.deployedAppCount = $1 }, of: [.protection, .windows], combines: .notCombined,
    portal: .entry(.apps, 40, "Deployed apps", .number))

  package static let apps: PolicyProperty = row(
    35, "apps", .apps,
    "The apps that the policy applies to", { $0.targeting.apps }, { $0.targeting.apps = $1 },
    of: [.protection, .windows], combines: .notCombined,
    portal: .entry(
      .apps, 30, "Apps",
      .value { PortalWords.list($0.map { $0.bundleID ?? $0.id ?? PortalWords.unknown }, empty: "None") }))
}
