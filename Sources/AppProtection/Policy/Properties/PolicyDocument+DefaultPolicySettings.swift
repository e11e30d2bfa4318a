import SensitiveText

extension PolicyDocument {
  /// Settings that only a policy for users without a targeted policy has (Graph:
  /// `defaultManagedAppProtection`).
  ///
  /// `nil` means that the document lacks the setting or has it as `null`; ``PolicyDocument/subscript(_:)``
  /// distinguishes the two.
  public struct DefaultPolicySettings: Equatable, Sendable {
    /// Names and texts that are passed on to the app unchanged.
    public var customSettings: [PolicyPair]?
    /// Whether app data is encrypted (Android).
    public var encryptAppData: Bool?
    /// Whether app data is left to an encrypted device (Android).
    public var disableAppEncryptionIfDeviceEncryptionIsEnabled: Bool?
    /// Below this security patch level access is blocked (Android).
    public var minimumRequiredPatchVersion: String?
    /// Below this security patch level the user is warned (Android).
    public var minimumWarningPatchVersion: String?
    /// Whether the screen cannot be captured (Android).
    public var screenCaptureBlocked: Bool?

    /// Creates a group in which nothing is set.
    public init() {}
  }
}

extension PolicyProperty {
  /// The rows of the property table for ``PolicyDocument/defaultPolicy``: numbers 220 to 239.
  static let defaultPolicy: [PolicyProperty] = [
    customSettings, encryptAppData, disableAppEncryptionIfDeviceEncryptionIsEnabled, minimumRequiredPatchVersion,
    minimumWarningPatchVersion, screenCaptureBlocked,
  ]

  package static let customSettings: PolicyProperty = row(
    220, "customSettings", .pairs,
    "Names and texts that are passed on to the app as they are", { $0.defaultPolicy.customSettings },
    { $0.defaultPolicy.customSettings = $1 }, of: .standard, privacy: .account, combines: .firstGiven,
    portal: .entry(
      .other, 10, "Custom settings",
      .value {
        PortalWords.list(
          $0.map { "\($0.name) = \($0.isSecret ? SecretNames.placeholder : $0.value ?? "")" }, empty: "None")
      }))

  package static let encryptAppData: PolicyProperty = row(
    221, "encryptAppData", .flag,
    "Whether app data is encrypted (Android)", { $0.defaultPolicy.encryptAppData },
    { $0.defaultPolicy.encryptAppData = $1 }, of: [.android, .standard], combines: .onWins,
    portal: .entry(.other, 20, "Encrypt app data (Android)", .requireOrNot))

  package static let disableAppEncryptionIfDeviceEncryptionIsEnabled: PolicyProperty = row(
    222, "disableAppEncryptionIfDeviceEncryptionIsEnabled", .flag,
    "Whether app data is left to an encrypted device (Android)",
    { $0.defaultPolicy.disableAppEncryptionIfDeviceEncryptionIsEnabled },
    { $0.defaultPolicy.disableAppEncryptionIfDeviceEncryptionIsEnabled = $1 }, of: [.android, .standard],
    combines: .offWins,
    portal: .entry(.other, 30, "Leave app data to an encrypted device (Android)", .yesOrNo))

  package static let minimumRequiredPatchVersion: PolicyProperty = row(
    223, "minimumRequiredPatchVersion", .text,
    "Below this security patch level access is blocked (Android)", { $0.defaultPolicy.minimumRequiredPatchVersion },
    { $0.defaultPolicy.minimumRequiredPatchVersion = $1 }, of: [.android, .standard], combines: .higherVersion,
    portal: .entry(.other, 40, "Min patch version, Block access (Android)", .version))

  package static let minimumWarningPatchVersion: PolicyProperty = row(
    224, "minimumWarningPatchVersion", .text,
    "Below this security patch level the user is warned (Android)", { $0.defaultPolicy.minimumWarningPatchVersion },
    { $0.defaultPolicy.minimumWarningPatchVersion = $1 }, of: [.android, .standard], combines: .higherVersion,
    portal: .entry(.other, 50, "Min patch version, Warn (Android)", .version))

  package static let screenCaptureBlocked: PolicyProperty = row(
    225, "screenCaptureBlocked", .flag,
    "Whether the screen cannot be captured (Android)", { $0.defaultPolicy.screenCaptureBlocked },
    { $0.defaultPolicy.screenCaptureBlocked = $1 }, of: [.android, .standard], combines: .onWins,
    portal: .entry(.other, 60, "Screen capture (Android)", .blockOrAllow))
}
