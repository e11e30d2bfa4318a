extension PolicyDocument {
  /// What a user must do before using the app with organization data.
  ///
  /// `nil` means that the document lacks the setting or has it as `null`; ``PolicyDocument/subscript(_:)``
  /// distinguishes the two.
  public struct Access: Equatable, Sendable {
    /// Whether an app PIN is required.
    public var pinRequired: Bool?
    /// The minimum length of a PIN; the portal offers 4 to 16.
    public var minimumPinLength: Int?
    /// The characters of a PIN.
    public var pinCharacterSet: PINCharacterSet?
    /// Whether simple PINs such as 1234 are refused.
    public var simplePinBlocked: Bool?
    /// How long a PIN is valid; zero is forever.
    public var periodBeforePinReset: PolicyDuration?
    /// How many earlier PINs cannot be chosen again, 0 to 24.
    public var previousPinBlockCount: Int?
    /// Whether the app PIN is skipped on an enrolled device that has a device PIN.
    public var disableAppPinIfDevicePinIsSet: Bool?
    /// Whether Touch ID in place of the PIN is blocked.
    public var fingerprintBlocked: Bool?
    /// Whether Face ID in place of the PIN is blocked.
    public var faceIdBlocked: Bool?
    /// The inactivity after which the app asks for the PIN in place of biometrics.
    public var pinRequiredInsteadOfBiometricTimeout: PolicyDuration?
    /// Whether signing in with the work or school account is required.
    public var organizationalCredentialsRequired: Bool?
    /// The inactivity after which the requirements are checked again while online.
    public var periodOnlineBeforeAccessCheck: PolicyDuration?

    /// Creates a group in which nothing is set.
    public init() {}
  }
}

extension PolicyProperty {
  /// The rows of the property table for ``PolicyDocument/access``: numbers 140 to 169.
  static let access: [PolicyProperty] = [
    pinRequired, minimumPinLength, pinCharacterSet, simplePinBlocked, periodBeforePinReset, previousPinBlockCount,
    disableAppPinIfDevicePinIsSet, fingerprintBlocked, faceIdBlocked, pinRequiredInsteadOfBiometricTimeout,
    organizationalCredentialsRequired, periodOnlineBeforeAccessCheck,
  ]

  package static let pinRequired: PolicyProperty = row(
    140, "pinRequired", .flag,
    "Whether an app PIN is required", { $0.access.pinRequired }, { $0.access.pinRequired = $1 }, of: .protection,
    effect: .steersDecisions, combines: .onWins, launch: 1,
    portal: .entry(.access, 10, "PIN for access", .requireOrNot, standard: "Require"), device: .flag("PINEnabled"))

  package static let minimumPinLength: PolicyProperty = row(
    141, "minimumPinLength", .number(0...65535, documented: 4...16),
    "The fewest characters a PIN may have; the portal offers 4 to 16", { $0.access.minimumPinLength },
    { $0.access.minimumPinLength = $1 }, of: .protection, effect: .steersDecisions, combines: .largestNumber, launch: 6,
    portal: .entry(.access, 40, "Select minimum PIN length", .number, standard: "4"), device: .number("PINMinLength"))

  package static let pinCharacterSet: PolicyProperty = row(
    142, "pinCharacterSet", .choice,
    "Which characters a PIN consists of", { $0.access.pinCharacterSet }, { $0.access.pinCharacterSet = $1 },
    of: .protection, effect: .steersDecisions, combines: .strictestChoice, launch: 7,
    portal: .entry(
      .access, 20, "PIN type", .choice([.numeric: "Numeric", .alphanumericAndSymbol: "Passcode"]), standard: "Numeric"),
    device: .choice("PINCharacterType", [0: .alphanumericAndSymbol, 1: .numeric]))

  package static let simplePinBlocked: PolicyProperty = row(
    143, "simplePinBlocked", .flag,
    "Whether simple PINs such as 1234 are refused", { $0.access.simplePinBlocked }, { $0.access.simplePinBlocked = $1 },
    of: .protection, effect: .steersDecisions, combines: .onWins, launch: 8,
    portal: .entry(.access, 30, "Simple PIN", .blockOrAllow, standard: "Allow"), device: .opposite("SimplePINAllowed"))

  package static let periodBeforePinReset: PolicyProperty = row(
    144, "periodBeforePinReset", .duration,
    "How long a PIN is valid; zero is for ever", { $0.access.periodBeforePinReset },
    { $0.access.periodBeforePinReset = $1 }, of: .protection, effect: .steersDecisions, combines: .shortestLimit,
    launch: 5,
    portal: .entry(
      .access, 80, "PIN reset after number of days",
      .value { period in
        period.nanoseconds == 0 ? "No" : PortalWords.duration(period, in: .day).map { "Yes, after \($0)" }
      }, standard: "No"),
    device: .days("PINExpiryDays"))

  package static let previousPinBlockCount: PolicyProperty = row(
    145, "previousPinBlockCount", .number(0...24),
    "How many earlier PINs cannot be chosen again, 0 to 24", { $0.access.previousPinBlockCount },
    { $0.access.previousPinBlockCount = $1 }, of: .protection, effect: .steersDecisions, combines: .largestNumber,
    launch: 9,
    portal: .entry(.access, 90, "Select number of previous PIN values to maintain", .number, standard: "0"))

  package static let disableAppPinIfDevicePinIsSet: PolicyProperty = row(
    146, "disableAppPinIfDevicePinIsSet", .flag,
    "Whether the app PIN is skipped on an enrolled device that has a device PIN",
    { $0.access.disableAppPinIfDevicePinIsSet }, { $0.access.disableAppPinIfDevicePinIsSet = $1 }, of: .protection,
    effect: .steersDecisions, combines: .offWins, launch: 4,
    portal: .entry(
      .access, 100, "App PIN when device PIN is set", .flag("Not required", "Require"), standard: "Require"),
    device: .flag("AppPinDisabled"))

  package static let fingerprintBlocked: PolicyProperty = row(
    147, "fingerprintBlocked", .flag,
    "Whether Touch ID in place of the PIN is blocked", { $0.access.fingerprintBlocked },
    { $0.access.fingerprintBlocked = $1 }, of: .protection, effect: .steersDecisions, combines: .onWins, launch: 11,
    portal: .entry(.access, 50, "Touch ID instead of PIN for access", .blockOrAllow, standard: "Allow"),
    device: .opposite("TouchIDEnabled"))

  package static let faceIdBlocked: PolicyProperty = row(
    148, "faceIdBlocked", .flag,
    "Whether Face ID in place of the PIN is blocked", { $0.access.faceIdBlocked }, { $0.access.faceIdBlocked = $1 },
    of: [.ios, .standard], effect: .steersDecisions, combines: .onWins, launch: 12,
    portal: .entry(.access, 60, "Face ID instead of PIN for access", .blockOrAllow, standard: "Allow"),
    device: .opposite("FaceIDEnabled"))

  package static let pinRequiredInsteadOfBiometricTimeout: PolicyProperty = row(
    149, "pinRequiredInsteadOfBiometricTimeout", .duration,
    "After how long without activity the PIN is asked in place of biometrics",
    { $0.access.pinRequiredInsteadOfBiometricTimeout }, { $0.access.pinRequiredInsteadOfBiometricTimeout = $1 },
    of: .protection, effect: .steersDecisions, combines: .shortestDuration, launch: 13,
    portal: .entry(
      .access, 70, "Override biometrics with PIN after timeout",
      .value { timeout in
        PortalWords.duration(timeout, in: .minute).map { "Require, after \($0) of inactivity" }
      }, standard: "Require, after 30 minutes of inactivity"),
    device: .biometricTimeoutRequired("NonBioPassTimeOutRequired"), .biometricTimeout("NonBioPassTimeOut"))

  package static let organizationalCredentialsRequired: PolicyProperty = row(
    150, "organizationalCredentialsRequired", .flag,
    "Whether signing in with the work or school account is required", { $0.access.organizationalCredentialsRequired },
    { $0.access.organizationalCredentialsRequired = $1 }, of: .protection, effect: .steersDecisions, combines: .onWins,
    launch: 14,
    portal: .entry(
      .access, 110, "Work or school account credentials for access", .requireOrNot, standard: "Not required"),
    device: .flag("AuthenticationEnabled"))

  package static let periodOnlineBeforeAccessCheck: PolicyProperty = row(
    151, "periodOnlineBeforeAccessCheck", .duration,
    "After how long without activity the requirements are checked again while online",
    { $0.access.periodOnlineBeforeAccessCheck }, { $0.access.periodOnlineBeforeAccessCheck = $1 }, of: .protection,
    effect: .steersDecisions, combines: .shortestDuration, launch: 10,
    portal: .entry(
      .access, 120, "Recheck the access requirements after (minutes of inactivity)", .duration(in: .minute),
      standard: "30 minutes"),
    device: .minutes("AccessRecheckOnlineTimeout"))
}
