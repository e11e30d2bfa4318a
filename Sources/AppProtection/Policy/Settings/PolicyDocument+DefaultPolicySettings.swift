extension PolicyDocument {
  /// Settings that only a policy for users without a targeted policy has (Graph:
  /// `defaultManagedAppProtection`).
  ///
  /// `nil` is a setting that the document does not have or has as `null`; ``PolicyDocument/subscript(_:)`` tells the
  /// two apart.
  public struct DefaultPolicySettings: Equatable, Sendable {
    /// Names and texts that are passed on to the app as they are.
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
    .pairs(
      220, "customSettings", { $0.defaultPolicy.customSettings }, { $0.defaultPolicy.customSettings = $1 }, .other,
      privacy: .account,
      "Names and texts that are passed on to the app as they are"),
    .flag(
      221, "encryptAppData", { $0.defaultPolicy.encryptAppData }, { $0.defaultPolicy.encryptAppData = $1 }, .other,
      "Whether app data is encrypted (Android)"),
    .flag(
      222, "disableAppEncryptionIfDeviceEncryptionIsEnabled",
      { $0.defaultPolicy.disableAppEncryptionIfDeviceEncryptionIsEnabled },
      { $0.defaultPolicy.disableAppEncryptionIfDeviceEncryptionIsEnabled = $1 }, .other,
      "Whether app data is left to an encrypted device (Android)"),
    .text(
      223, "minimumRequiredPatchVersion", { $0.defaultPolicy.minimumRequiredPatchVersion },
      { $0.defaultPolicy.minimumRequiredPatchVersion = $1 }, .other,
      "Below this security patch level access is blocked (Android)"),
    .text(
      224, "minimumWarningPatchVersion", { $0.defaultPolicy.minimumWarningPatchVersion },
      { $0.defaultPolicy.minimumWarningPatchVersion = $1 }, .other,
      "Below this security patch level the user is warned (Android)"),
    .flag(
      225, "screenCaptureBlocked", { $0.defaultPolicy.screenCaptureBlocked },
      { $0.defaultPolicy.screenCaptureBlocked = $1 }, .other,
      "Whether the screen cannot be captured (Android)"),
  ]
}
