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
      140, "pinRequired", { $0.access.pinRequired }, { $0.access.pinRequired = $1 }, .accessRequirements,
      effect: .steersDecisions,
      "Whether an app PIN is required"),
    .number(
      141, "minimumPinLength", { $0.access.minimumPinLength }, { $0.access.minimumPinLength = $1 }, .accessRequirements,
      0...65535,
      effect: .steersDecisions,
      "The fewest characters a PIN may have; the portal offers 4 to 16"),
    .choice(
      142, "pinCharacterSet", { $0.access.pinCharacterSet }, { $0.access.pinCharacterSet = $1 }, .accessRequirements,
      effect: .steersDecisions,
      "Which characters a PIN consists of"),
    .flag(
      143, "simplePinBlocked", { $0.access.simplePinBlocked }, { $0.access.simplePinBlocked = $1 }, .accessRequirements,
      effect: .steersDecisions,
      "Whether simple PINs such as 1234 are refused"),
    .duration(
      144, "periodBeforePinReset", { $0.access.periodBeforePinReset }, { $0.access.periodBeforePinReset = $1 },
      .accessRequirements,
      effect: .steersDecisions,
      "How long a PIN is valid; zero is for ever"),
    .number(
      145, "previousPinBlockCount", { $0.access.previousPinBlockCount }, { $0.access.previousPinBlockCount = $1 },
      .accessRequirements, 0...24,
      effect: .steersDecisions,
      "How many earlier PINs cannot be chosen again, 0 to 24"),
    .flag(
      146, "disableAppPinIfDevicePinIsSet", { $0.access.disableAppPinIfDevicePinIsSet },
      { $0.access.disableAppPinIfDevicePinIsSet = $1 }, .accessRequirements,
      effect: .steersDecisions,
      "Whether the app PIN is skipped on an enrolled device that has a device PIN"),
    .flag(
      147, "fingerprintBlocked", { $0.access.fingerprintBlocked }, { $0.access.fingerprintBlocked = $1 },
      .accessRequirements,
      effect: .steersDecisions,
      "Whether Touch ID in place of the PIN is blocked"),
    .flag(
      148, "faceIdBlocked", { $0.access.faceIdBlocked }, { $0.access.faceIdBlocked = $1 }, .accessRequirements,
      effect: .steersDecisions,
      "Whether Face ID in place of the PIN is blocked"),
    .duration(
      149, "pinRequiredInsteadOfBiometricTimeout", { $0.access.pinRequiredInsteadOfBiometricTimeout },
      { $0.access.pinRequiredInsteadOfBiometricTimeout = $1 }, .accessRequirements,
      effect: .steersDecisions,
      "After how long without activity the PIN is asked in place of biometrics"),
    .flag(
      150, "organizationalCredentialsRequired", { $0.access.organizationalCredentialsRequired },
      { $0.access.organizationalCredentialsRequired = $1 }, .accessRequirements,
      effect: .steersDecisions,
      "Whether signing in with the work or school account is required"),
    .duration(
      151, "periodOnlineBeforeAccessCheck", { $0.access.periodOnlineBeforeAccessCheck },
      { $0.access.periodOnlineBeforeAccessCheck = $1 }, .accessRequirements,
      effect: .steersDecisions,
      "After how long without activity the requirements are checked again while online"),
  ]
}
