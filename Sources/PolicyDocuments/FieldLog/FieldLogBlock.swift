/// A block of a diagnostic file, or a value in one, and what it says.
public struct FieldLogBlock: Sendable {
  /// What a block says.
  public enum Meaning: Equatable, Sendable {
    /// The app's configuration: a list of names and values, or a dictionary.
    case configuration
    /// The settings of the policy.
    case policy
    /// The policy of one app, with its account.
    case policyOfApp
    /// What the app stores for each account, with the times of its check-ins.
    case store
    /// The user for whom the device is managed.
    case deviceAccount
    /// The accounts that are registered.
    case registrations
    /// When the last check-in reached the service.
    case completedCheckIn
    /// A version, or the device's model.
    case version(FieldLog.Version)
    /// No event records it, for this reason.
    case known(String)
  }

  /// Its name; `*` at the beginning stands for an app's bundle.
  public let name: String
  /// What it says.
  public let meaning: Meaning
  /// Where it is published: an issue of the SDK's public repository, a page, or the description that the tests' page has.
  public let source: String

  private init(_ name: String, _ meaning: Meaning, _ source: String) {
    (self.name, self.meaning, self.source) = (name, meaning, source)
  }

  /// The block with a name, in any spelling: `Last completed check-in` is `LastCompletedCheckIn`.
  static func named(_ name: String) -> FieldLogBlock? {
    let name = common(name)
    if let block = byName[name] { return block }
    guard name.contains(".") else { return nil }
    return endings.first { name.hasSuffix($0.ending) }?.block
  }

  /// The bundle in front of an ending that the table has, such as that of `com.contoso.app.MAMPolicies`.
  static func bundle(in name: String) -> String? {
    let common = common(name)
    guard let ending = endings.first(where: { common.hasSuffix($0.ending) })?.ending else { return nil }
    return String(common.dropLast(ending.count))
  }

  private static func common(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "." }.prefix(256))
  }

  private static let byName = Dictionary(all.map { (common($0.name), $0) }) { first, _ in first }
  private static let endings = all.filter { $0.name.hasPrefix("*") }.map { (ending: common($0.name), block: $0) }
    .sorted { $0.ending.count > $1.ending.count }

  /// Every block that is known.
  public static let all: [FieldLogBlock] = [
    Self("ApplicationConfiguration", .configuration, "memdocs app-configuration-policies-overview"),
    Self("AppConfig", .configuration, "sdk#310"),
    Self("AppConfigIsFromMDM", .known("it says which channel the configuration came through"), "sdk#310"),
    Self("EffectivePolicies", .policy, "description"),
    Self("IntuneMAMPolicies", .policy, "sdk#249"),
    Self("PreviousMAMPolicies", .known("it is an earlier policy, and nothing says when it applied"), "sdk#249"),
    Self("*.MAMPolicies", .policyOfApp, "sdk#249"),
    Self("*.MAMPolicies.tombstone", .known("no event records why a policy was removed"), "sdk#249"),
    Self("*.private", .known("it is the SDK's own"), "sdk#249"),
    Self("DataStore", .store, "description"),
    Self("RegisteredAccountsNotTargeted", .registrations, "description"),
    Self("RegisteredAccounts", .registrations, "IntuneMAMEnrollmentManager.h"),
    Self("EMM-UPN", .deviceAccount, "description"),
    Self("MDMEnrolledUser", .deviceAccount, "description"),
    Self("IntuneMAMDeviceId", .known("no event records the device's id"), "description"),
    Self("IntuneMAMDeviceIdSource", .known("no event records where the device's id comes from"), "description"),
    Self("IntuneMAMPolicyVersion", .known("no event records the version of the policy's form"), "sdk#249"),
    Self("PolicyVersion", .known("no event records the version of the policy's form"), "description"),
    Self("PolicySource", .known("no event records where the policy comes from"), "description"),
    Self(
      "NoPolicyCommandReceived", .known("no event records whether the service has withdrawn the policy"), "description"),
    Self("LastCompletedCheckIn", .completedCheckIn, "Microsoft Intune Diagnostics console"),
    Self(
      "LastAttemptedCheckIn", .known("no event records an attempt without its answer"),
      "Microsoft Intune Diagnostics console"),
    Self("AppVersion", .version(.app), "Microsoft Intune Diagnostics console"),
    Self("SDKVersion", .version(.sdk), "Microsoft Intune Diagnostics console"),
    Self("OSVersion", .version(.os), "Microsoft Intune Diagnostics console"),
    Self("iOSVersion", .version(.os), "Microsoft Intune Diagnostics console"),
    Self("DeviceModel", .version(.model), "Microsoft Intune Diagnostics console"),
  ]
}
