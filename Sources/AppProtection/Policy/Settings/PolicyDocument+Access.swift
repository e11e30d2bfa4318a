extension PolicyDocument {
  /// What a user must do before using the app with organization data.
  ///
  /// `nil` is a setting that the document does not have or has as `null`; ``PolicyDocument/subscript(_:)`` tells the
  /// two apart.
  public struct Access: Equatable, Sendable {
    /// Whether an app PIN is required.
    public var pinRequired: Bool?
    /// The fewest characters a PIN may have; the portal offers 4 to 16.
    public var minimumPinLength: Int?
    /// Which characters a PIN consists of.
    public var pinCharacterSet: PINCharacterSet?
    /// Whether simple PINs such as 1234 are refused.
    public var simplePinBlocked: Bool?
    /// How long a PIN is valid; zero is for ever.
    public var periodBeforePinReset: PolicyDuration?
    /// How many earlier PINs cannot be chosen again, 0 to 24.
    public var previousPinBlockCount: Int?
    /// Whether the app PIN is skipped on an enrolled device that has a device PIN.
    public var disableAppPinIfDevicePinIsSet: Bool?
    /// Whether Touch ID in place of the PIN is blocked.
    public var fingerprintBlocked: Bool?
    /// Whether Face ID in place of the PIN is blocked.
    public var faceIdBlocked: Bool?
    /// After how long without activity the PIN is asked in place of biometrics.
    public var pinRequiredInsteadOfBiometricTimeout: PolicyDuration?
    /// Whether signing in with the work or school account is required.
    public var organizationalCredentialsRequired: Bool?
    /// After how long without activity the requirements are checked again while online.
    public var periodOnlineBeforeAccessCheck: PolicyDuration?

    /// Creates a group in which nothing is set.
    public init() {}
  }
}

extension PolicyProperty {
  /// The rows of the property table for ``PolicyDocument/access``: numbers 140 to 169.
  static let access: [PolicyProperty] = [
    .flag(
      140, "pinRequired", \.access.pinRequired, .accessRequirements,
      "Whether an app PIN is required"),
    .number(
      141, "minimumPinLength", \.access.minimumPinLength, .accessRequirements, 0...65535,
      "The fewest characters a PIN may have; the portal offers 4 to 16"),
    .choice(
      142, "pinCharacterSet", \.access.pinCharacterSet, .accessRequirements,
      "Which characters a PIN consists of"),
    .flag(
      143, "simplePinBlocked", \.access.simplePinBlocked, .accessRequirements,
      "Whether simple PINs such as 1234 are refused"),
    .duration(
      144, "periodBeforePinReset", \.access.periodBeforePinReset, .accessRequirements,
      "How long a PIN is valid; zero is for ever"),
    .number(
      145, "previousPinBlockCount", \.access.previousPinBlockCount, .accessRequirements, 0...24,
      "How many earlier PINs cannot be chosen again, 0 to 24"),
    .flag(
      146, "disableAppPinIfDevicePinIsSet", \.access.disableAppPinIfDevicePinIsSet, .accessRequirements,
      "Whether the app PIN is skipped on an enrolled device that has a device PIN"),
    .flag(
      147, "fingerprintBlocked", \.access.fingerprintBlocked, .accessRequirements,
      "Whether Touch ID in place of the PIN is blocked"),
    .flag(
      148, "faceIdBlocked", \.access.faceIdBlocked, .accessRequirements,
      "Whether Face ID in place of the PIN is blocked"),
    .duration(
      149, "pinRequiredInsteadOfBiometricTimeout", \.access.pinRequiredInsteadOfBiometricTimeout, .accessRequirements,
      "After how long without activity the PIN is asked in place of biometrics"),
    .flag(
      150, "organizationalCredentialsRequired", \.access.organizationalCredentialsRequired, .accessRequirements,
      "Whether signing in with the work or school account is required"),
    .duration(
      151, "periodOnlineBeforeAccessCheck", \.access.periodOnlineBeforeAccessCheck, .accessRequirements,
      "After how long without activity the requirements are checked again while online"),
  ]
}
