import EventSourcing

/// The settings of an app that steer the machine: those of its property list, and the choices this engine offers.
public struct AppSettings: FieldList {
  /// Whether the app uses other accounts besides the managed one (`MultiIdentity`).
  public var multiIdentity = false
  /// Whether the engine enrolls at launch without being asked (`AutoEnrollOnLaunch`).
  public var autoEnrollOnLaunch = false
  /// Whether the app stays blocked until it has a policy (`MAMPolicyRequired`).
  public var policyRequired = false
  /// Whether the user is warned once at launch if the policy is missing (`MAMPolicyWarnAbsent`).
  public var warnsWhenPolicyAbsent = false
  /// How many accounts may be managed at a time, from 1 (the default). A lower number applies to accounts that become
  /// managed from then on; managed accounts stay.
  public var maximumManagedAccounts: UInt32 = 1
  /// Whether the host applies an account's first policy without a restart, as .NET MAUI does.
  public var firstPolicyNeedsNoRestart = false
  /// Which published table of intervals applies.
  public var retryProfile = RetryProfile.serviceTable
  /// The assumptions that replace unpublished rules.
  public var assumptions = Assumptions()

  /// Creates the defaults: a single-identity app that enrolls on request.
  public init() {}

  /// The value that decoding starts from: what the absence of each setting means.
  public static var blank: Self {
    var settings = Self()
    settings.assumptions = .blank
    return settings
  }

  public static func visit<V: FieldVisitor>(_ settings: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "multiIdentity", &settings.multiIdentity, "whether the app uses accounts beside the managed one")
    try field(
      2, "autoEnrollOnLaunch", &settings.autoEnrollOnLaunch, "whether the engine enrolls at launch without being asked")
    try field(3, "policyRequired", &settings.policyRequired, "whether the app stays blocked until it has a policy")
    try field(
      4, "warnsWhenPolicyAbsent", &settings.warnsWhenPolicyAbsent,
      "whether the user is warned once when there is no policy")
    try field(
      5, "maximumManagedAccounts", &settings.maximumManagedAccounts, unless: 1,
      "how many accounts may be managed at a time; absent: 1")
    try field(
      6, "firstPolicyNeedsNoRestart", &settings.firstPolicyNeedsNoRestart,
      "whether an account's first policy applies without a restart")
    try field(7, "retryProfile", &settings.retryProfile, "which published table of intervals applies")
    try field(8, "assumptions", &settings.assumptions, unless: .blank, "choices where no published rule exists")
  }
}
