extension PolicyDocument {
  /// Conditions that are checked when the app is opened, and what happens when one is not met.
  ///
  /// `nil` is a setting that the document does not have or has as `null`; ``PolicyDocument/subscript(_:)`` tells the
  /// two apart.
  public struct ConditionalLaunch: Equatable, Sendable {
    /// How many wrong PINs are accepted, 1 to 65535.
    public var maximumPinRetries: Int?
    /// What happens after too many wrong PINs; `block` resets the PIN.
    public var appActionIfMaximumPinRetriesExceeded: RemediationAction?
    /// How long the app may be used offline before access is blocked.
    public var periodOfflineBeforeAccessCheck: PolicyDuration?
    /// How long the app may be offline before its organization data is removed.
    public var periodOfflineBeforeWipeIsEnforced: PolicyDuration?
    /// Whether jailbroken devices are refused.
    public var deviceComplianceRequired: Bool?
    /// What happens on a jailbroken device.
    public var appActionIfDeviceComplianceRequired: RemediationAction?
    /// What happens when the account is disabled or deleted.
    public var appActionIfUnableToAuthenticateUser: RemediationAction?
    /// What happens outside the account's working time.
    public var appActionIfAccountIsClockedOut: RemediationAction?
    /// How long the app may be used after working time has ended.
    public var gracePeriodToBlockAppsDuringOffClockHours: PolicyDuration?
    /// Below this version of the operating system access is blocked.
    public var minimumRequiredOsVersion: String?
    /// Below this version of the operating system the user is warned.
    public var minimumWarningOsVersion: String?
    /// Below this version of the operating system data is removed.
    public var minimumWipeOsVersion: String?
    /// Above this version of the operating system access is blocked.
    public var maximumRequiredOsVersion: String?
    /// Above this version of the operating system the user is warned.
    public var maximumWarningOsVersion: String?
    /// Above this version of the operating system data is removed.
    public var maximumWipeOsVersion: String?
    /// Below this version of the app access is blocked.
    public var minimumRequiredAppVersion: String?
    /// Below this version of the app the user is warned.
    public var minimumWarningAppVersion: String?
    /// Below this version of the app data is removed.
    public var minimumWipeAppVersion: String?
    /// Below this version of the SDK access is blocked.
    public var minimumRequiredSdkVersion: String?
    /// Below this version of the SDK the user is warned.
    public var minimumWarningSdkVersion: String?
    /// Below this version of the SDK data is removed.
    public var minimumWipeSdkVersion: String?
    /// The device models that are allowed, parted by semicolons.
    public var allowedIosDeviceModels: String?
    /// What happens on another device model.
    public var appActionIfIosDeviceModelNotAllowed: RemediationAction?
    /// The highest threat level that is accepted.
    public var maximumAllowedDeviceThreatLevel: DeviceThreatLevel?
    /// What happens above that threat level.
    public var mobileThreatDefenseRemediationAction: RemediationAction?
    /// Which threat defense partner counts; unset, it is Microsoft Defender.
    public var mobileThreatDefensePartnerPriority: ThreatDefensePartnerPriority?

    /// Creates a group in which nothing is set.
    public init() {}
  }
}

extension PolicyProperty {
  /// The rows of the property table for ``PolicyDocument/conditionalLaunch``: numbers 170 to 219.
  static let conditionalLaunch: [PolicyProperty] = [
    .number(
      170, "maximumPinRetries", { $0.conditionalLaunch.maximumPinRetries },
      { $0.conditionalLaunch.maximumPinRetries = $1 }, .conditionalLaunch, 1...65535,
      effect: .steersDecisions,
      "How many wrong PINs are accepted, 1 to 65535"),
    .choice(
      171, "appActionIfMaximumPinRetriesExceeded", { $0.conditionalLaunch.appActionIfMaximumPinRetriesExceeded },
      { $0.conditionalLaunch.appActionIfMaximumPinRetriesExceeded = $1 },
      .conditionalLaunch,
      effect: .steersDecisions,
      "What happens after too many wrong PINs; `block` resets the PIN"),
    .duration(
      172, "periodOfflineBeforeAccessCheck", { $0.conditionalLaunch.periodOfflineBeforeAccessCheck },
      { $0.conditionalLaunch.periodOfflineBeforeAccessCheck = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "How long the app may be used offline before access is blocked"),
    .duration(
      173, "periodOfflineBeforeWipeIsEnforced", { $0.conditionalLaunch.periodOfflineBeforeWipeIsEnforced },
      { $0.conditionalLaunch.periodOfflineBeforeWipeIsEnforced = $1 },
      .conditionalLaunch, effect: .steersDecisions,
      "How long the app may be offline before its organization data is removed"),
    .flag(
      174, "deviceComplianceRequired", { $0.conditionalLaunch.deviceComplianceRequired },
      { $0.conditionalLaunch.deviceComplianceRequired = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Whether jailbroken devices are refused"),
    .choice(
      175, "appActionIfDeviceComplianceRequired", { $0.conditionalLaunch.appActionIfDeviceComplianceRequired },
      { $0.conditionalLaunch.appActionIfDeviceComplianceRequired = $1 },
      .conditionalLaunch,
      effect: .steersDecisions,
      "What happens on a jailbroken device"),
    .choice(
      176, "appActionIfUnableToAuthenticateUser", { $0.conditionalLaunch.appActionIfUnableToAuthenticateUser },
      { $0.conditionalLaunch.appActionIfUnableToAuthenticateUser = $1 },
      .conditionalLaunch,
      effect: .steersDecisions,
      "What happens when the account is disabled or deleted"),
    .choice(
      177, "appActionIfAccountIsClockedOut", { $0.conditionalLaunch.appActionIfAccountIsClockedOut },
      { $0.conditionalLaunch.appActionIfAccountIsClockedOut = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "What happens outside the account's working time"),
    .duration(
      178, "gracePeriodToBlockAppsDuringOffClockHours",
      { $0.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours },
      { $0.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = $1 },
      .conditionalLaunch,
      effect: .steersDecisions,
      "How long the app may be used after working time has ended"),
    .text(
      180, "minimumRequiredOsVersion", { $0.conditionalLaunch.minimumRequiredOsVersion },
      { $0.conditionalLaunch.minimumRequiredOsVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Below this version of the operating system access is blocked"),
    .text(
      181, "minimumWarningOsVersion", { $0.conditionalLaunch.minimumWarningOsVersion },
      { $0.conditionalLaunch.minimumWarningOsVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Below this version of the operating system the user is warned"),
    .text(
      182, "minimumWipeOsVersion", { $0.conditionalLaunch.minimumWipeOsVersion },
      { $0.conditionalLaunch.minimumWipeOsVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Below this version of the operating system data is removed"),
    .text(
      183, "maximumRequiredOsVersion", { $0.conditionalLaunch.maximumRequiredOsVersion },
      { $0.conditionalLaunch.maximumRequiredOsVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Above this version of the operating system access is blocked"),
    .text(
      184, "maximumWarningOsVersion", { $0.conditionalLaunch.maximumWarningOsVersion },
      { $0.conditionalLaunch.maximumWarningOsVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Above this version of the operating system the user is warned"),
    .text(
      185, "maximumWipeOsVersion", { $0.conditionalLaunch.maximumWipeOsVersion },
      { $0.conditionalLaunch.maximumWipeOsVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Above this version of the operating system data is removed"),
    .text(
      186, "minimumRequiredAppVersion", { $0.conditionalLaunch.minimumRequiredAppVersion },
      { $0.conditionalLaunch.minimumRequiredAppVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Below this version of the app access is blocked"),
    .text(
      187, "minimumWarningAppVersion", { $0.conditionalLaunch.minimumWarningAppVersion },
      { $0.conditionalLaunch.minimumWarningAppVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Below this version of the app the user is warned"),
    .text(
      188, "minimumWipeAppVersion", { $0.conditionalLaunch.minimumWipeAppVersion },
      { $0.conditionalLaunch.minimumWipeAppVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Below this version of the app data is removed"),
    .text(
      189, "minimumRequiredSdkVersion", { $0.conditionalLaunch.minimumRequiredSdkVersion },
      { $0.conditionalLaunch.minimumRequiredSdkVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Below this version of the SDK access is blocked"),
    .text(
      190, "minimumWarningSdkVersion", { $0.conditionalLaunch.minimumWarningSdkVersion },
      { $0.conditionalLaunch.minimumWarningSdkVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Below this version of the SDK the user is warned"),
    .text(
      191, "minimumWipeSdkVersion", { $0.conditionalLaunch.minimumWipeSdkVersion },
      { $0.conditionalLaunch.minimumWipeSdkVersion = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "Below this version of the SDK data is removed"),
    .text(
      195, "allowedIosDeviceModels", { $0.conditionalLaunch.allowedIosDeviceModels },
      { $0.conditionalLaunch.allowedIosDeviceModels = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "The device models that are allowed, parted by semicolons"),
    .choice(
      196, "appActionIfIosDeviceModelNotAllowed", { $0.conditionalLaunch.appActionIfIosDeviceModelNotAllowed },
      { $0.conditionalLaunch.appActionIfIosDeviceModelNotAllowed = $1 },
      .conditionalLaunch,
      effect: .steersDecisions,
      "What happens on another device model"),
    .choice(
      197, "maximumAllowedDeviceThreatLevel", { $0.conditionalLaunch.maximumAllowedDeviceThreatLevel },
      { $0.conditionalLaunch.maximumAllowedDeviceThreatLevel = $1 }, .conditionalLaunch,
      effect: .steersDecisions,
      "The highest threat level that is accepted"),
    .choice(
      198, "mobileThreatDefenseRemediationAction", { $0.conditionalLaunch.mobileThreatDefenseRemediationAction },
      { $0.conditionalLaunch.mobileThreatDefenseRemediationAction = $1 },
      .conditionalLaunch,
      effect: .steersDecisions,
      "What happens above that threat level"),
    .choice(
      199, "mobileThreatDefensePartnerPriority", { $0.conditionalLaunch.mobileThreatDefensePartnerPriority },
      { $0.conditionalLaunch.mobileThreatDefensePartnerPriority = $1 },
      .conditionalLaunch,
      effect: .steersDecisions,
      "Which threat defense partner counts; unset, it is Microsoft Defender"),
  ]
}
