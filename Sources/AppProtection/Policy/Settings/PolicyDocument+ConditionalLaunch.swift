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
      170, "maximumPinRetries", \.conditionalLaunch.maximumPinRetries, .conditionalLaunch, 1...65535,
      "How many wrong PINs are accepted, 1 to 65535"),
    .choice(
      171, "appActionIfMaximumPinRetriesExceeded", \.conditionalLaunch.appActionIfMaximumPinRetriesExceeded,
      .conditionalLaunch,
      "What happens after too many wrong PINs; `block` resets the PIN"),
    .duration(
      172, "periodOfflineBeforeAccessCheck", \.conditionalLaunch.periodOfflineBeforeAccessCheck, .conditionalLaunch,
      effect: .steersDecisions,
      "How long the app may be used offline before access is blocked"),
    .duration(
      173, "periodOfflineBeforeWipeIsEnforced", \.conditionalLaunch.periodOfflineBeforeWipeIsEnforced,
      .conditionalLaunch, effect: .steersDecisions,
      "How long the app may be offline before its organization data is removed"),
    .flag(
      174, "deviceComplianceRequired", \.conditionalLaunch.deviceComplianceRequired, .conditionalLaunch,
      "Whether jailbroken devices are refused"),
    .choice(
      175, "appActionIfDeviceComplianceRequired", \.conditionalLaunch.appActionIfDeviceComplianceRequired,
      .conditionalLaunch,
      "What happens on a jailbroken device"),
    .choice(
      176, "appActionIfUnableToAuthenticateUser", \.conditionalLaunch.appActionIfUnableToAuthenticateUser,
      .conditionalLaunch,
      "What happens when the account is disabled or deleted"),
    .choice(
      177, "appActionIfAccountIsClockedOut", \.conditionalLaunch.appActionIfAccountIsClockedOut, .conditionalLaunch,
      "What happens outside the account's working time"),
    .duration(
      178, "gracePeriodToBlockAppsDuringOffClockHours", \.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours,
      .conditionalLaunch,
      "How long the app may be used after working time has ended"),
    .text(
      180, "minimumRequiredOsVersion", \.conditionalLaunch.minimumRequiredOsVersion, .conditionalLaunch,
      "Below this version of the operating system access is blocked"),
    .text(
      181, "minimumWarningOsVersion", \.conditionalLaunch.minimumWarningOsVersion, .conditionalLaunch,
      "Below this version of the operating system the user is warned"),
    .text(
      182, "minimumWipeOsVersion", \.conditionalLaunch.minimumWipeOsVersion, .conditionalLaunch,
      "Below this version of the operating system data is removed"),
    .text(
      183, "maximumRequiredOsVersion", \.conditionalLaunch.maximumRequiredOsVersion, .conditionalLaunch,
      "Above this version of the operating system access is blocked"),
    .text(
      184, "maximumWarningOsVersion", \.conditionalLaunch.maximumWarningOsVersion, .conditionalLaunch,
      "Above this version of the operating system the user is warned"),
    .text(
      185, "maximumWipeOsVersion", \.conditionalLaunch.maximumWipeOsVersion, .conditionalLaunch,
      "Above this version of the operating system data is removed"),
    .text(
      186, "minimumRequiredAppVersion", \.conditionalLaunch.minimumRequiredAppVersion, .conditionalLaunch,
      "Below this version of the app access is blocked"),
    .text(
      187, "minimumWarningAppVersion", \.conditionalLaunch.minimumWarningAppVersion, .conditionalLaunch,
      "Below this version of the app the user is warned"),
    .text(
      188, "minimumWipeAppVersion", \.conditionalLaunch.minimumWipeAppVersion, .conditionalLaunch,
      "Below this version of the app data is removed"),
    .text(
      189, "minimumRequiredSdkVersion", \.conditionalLaunch.minimumRequiredSdkVersion, .conditionalLaunch,
      "Below this version of the SDK access is blocked"),
    .text(
      190, "minimumWarningSdkVersion", \.conditionalLaunch.minimumWarningSdkVersion, .conditionalLaunch,
      "Below this version of the SDK the user is warned"),
    .text(
      191, "minimumWipeSdkVersion", \.conditionalLaunch.minimumWipeSdkVersion, .conditionalLaunch,
      "Below this version of the SDK data is removed"),
    .text(
      195, "allowedIosDeviceModels", \.conditionalLaunch.allowedIosDeviceModels, .conditionalLaunch,
      "The device models that are allowed, parted by semicolons"),
    .choice(
      196, "appActionIfIosDeviceModelNotAllowed", \.conditionalLaunch.appActionIfIosDeviceModelNotAllowed,
      .conditionalLaunch,
      "What happens on another device model"),
    .choice(
      197, "maximumAllowedDeviceThreatLevel", \.conditionalLaunch.maximumAllowedDeviceThreatLevel, .conditionalLaunch,
      "The highest threat level that is accepted"),
    .choice(
      198, "mobileThreatDefenseRemediationAction", \.conditionalLaunch.mobileThreatDefenseRemediationAction,
      .conditionalLaunch,
      "What happens above that threat level"),
    .choice(
      199, "mobileThreatDefensePartnerPriority", \.conditionalLaunch.mobileThreatDefensePartnerPriority,
      .conditionalLaunch,
      "Which threat defense partner counts; unset, it is Microsoft Defender"),
  ]
}
