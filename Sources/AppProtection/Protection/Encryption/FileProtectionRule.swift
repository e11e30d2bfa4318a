/// The rules that decide when files at rest are protected.
enum FileProtectionRule: UInt8, DecisionRule {
  /// S004 Identity overview.
  case unmanaged
  /// D: Encrypt org data; G.
  case classOfPolicy
  /// S001 Configure settings: `MaxFileProtectionLevel`.
  case classOfApp

  @inline(__always)
  var row: RuleRow<FileProtectionSource> {
    switch self {
    case .unmanaged:
      RuleRow("fileProtection.1", .device, "no policy is in force for the account", when: "{account} is unmanaged")
    case .classOfPolicy:
      RuleRow(
        "fileProtection.2", .policy, "the account's policy says when files are protected",
        unless: "the app limits what {account}'s policy asks for", reads: .setting { .appDataEncryptionType })
    case .classOfApp:
      RuleRow(
        "fileProtection.3", .app, "the app cannot work with what the account's policy asks for, and limits it",
        when: "the app limits what {account}'s policy asks for", reads: .setting { .appDataEncryptionType })
    }
  }
}

/// The source of the protection class.
enum FileProtectionSource: Equatable, Sendable {
  /// The device's own settings.
  case device
  /// The account's policy.
  case policy
  /// The app, which does not support a stronger class.
  case app
}
