/// When the operating system protects a file (`NSFileProtectionType`), from the weakest to the strongest.
public enum FileProtectionClass: UInt8, CaseIterable, Comparable, DecisionOutcome {
  /// As the device's own settings say: no policy asks for a class.
  case deviceSettings
  /// Never (`NSFileProtectionNone`).
  case none
  /// From the start of the device until it is first unlocked.
  case completeUntilFirstUserAuthentication
  /// While the device is locked, except for open files.
  case completeUnlessOpen
  /// While the device is locked.
  case complete

  /// The class with this name, such as `completeUnlessOpen`; `nil` for none. Case-sensitive.
  public init?(name: some StringProtocol) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// The name: that of the case.
  public var name: String { "\(self)" }

  /// The class for an encryption type of a policy.
  init(_ type: DataEncryptionType) {
    switch type {
    case .useDeviceSettings: self = .deviceSettings
    case .afterDeviceRestart: self = .completeUntilFirstUserAuthentication
    case .whenDeviceLockedExceptOpenFiles: self = .completeUnlessOpen
    case .whenDeviceLocked, .unrecognized: self = .complete
    }
  }

  /// Orders by strength; ``deviceSettings`` requires nothing and comes first.
  public static func < (one: FileProtectionClass, other: FileProtectionClass) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// Whether something must be encrypted by the app.
public enum EncryptionDemand: DecisionOutcome {
  /// It need not be.
  case notRequired
  /// It must be.
  case required

  /// The name of the case.
  public var name: String { "\(self)" }
}

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
