/// Rules about the documents of a tenant, taken together. ``TenantLint`` checks them.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let tenant: [PolicyRule] = [
    managedWithoutUPN, differingPolicies, appWithoutPolicy, missingGroup, emptyGroup, cancelledInclusion,
    idleExclusion, differingTwins,
  ]

  /// A policy is for managed devices with iOS, and nothing tells its apps that the device is managed.
  public static let managedWithoutUPN = PolicyRule(
    "managedWithoutUPN", .warning,
    "Where a policy is for managed devices with iOS, an app configuration delivers IntuneMAMUPN or IntuneMAMOID.",
    "D create app protection policies; D app configuration policies for iOS; DERIVED")

  /// Two policies give the same users different values in one app.
  public static let differingPolicies = PolicyRule(
    "differingPolicies", .warning, "Policies that reach the same users in one app have the same values.", "DERIVED")

  /// An app is configured, and no policy protects it.
  public static let appWithoutPolicy = PolicyRule(
    "appWithoutPolicy", .warning, "An app that is configured is in a policy for its platform.", "DERIVED")

  /// A group of an assignment is not among those of the export.
  public static let missingGroup = PolicyRule(
    "missingGroup", .warning, "A group of an assignment is among the groups of the export.", "DERIVED")

  /// A group of an assignment has no members.
  public static let emptyGroup = PolicyRule(
    "emptyGroup", .warning, "A group of an assignment has members.", "DERIVED")

  /// Every member of a group that is included is in one that is excluded.
  public static let cancelledInclusion = PolicyRule(
    "cancelledInclusion", .warning, "A group that is included has members whom no group excludes.",
    "D include and exclude assignments")

  /// A group that is excluded shares no member with those that are included.
  public static let idleExclusion = PolicyRule(
    "idleExclusion", .note, "A group that is excluded has members whom another group includes.", "DERIVED")

  /// Policies with one name for two platforms have different values.
  public static let differingTwins = PolicyRule(
    "differingTwins", .note, "Policies of one name for iOS and Android agree where their settings correspond.",
    "DERIVED")
}
