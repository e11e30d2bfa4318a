extension PolicyDocument {
  /// Conditions that are checked when the app is opened, and what happens when one is not met.
  ///
  /// `nil` means that the document lacks the setting or has it as `null`; ``PolicyDocument/subscript(_:)``
  /// distinguishes the two.
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
    /// The device models that are allowed, separated by semicolons.
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
    maximumPinRetries, appActionIfMaximumPinRetriesExceeded, periodOfflineBeforeAccessCheck,
    periodOfflineBeforeWipeIsEnforced, deviceComplianceRequired, appActionIfDeviceComplianceRequired,
    appActionIfUnableToAuthenticateUser, appActionIfAccountIsClockedOut, gracePeriodToBlockAppsDuringOffClockHours,
    minimumRequiredOsVersion, minimumWarningOsVersion, minimumWipeOsVersion, maximumRequiredOsVersion,
    maximumWarningOsVersion, maximumWipeOsVersion, minimumRequiredAppVersion, minimumWarningAppVersion,
    minimumWipeAppVersion, minimumRequiredSdkVersion, minimumWarningSdkVersion, minimumWipeSdkVersion,
    allowedIosDeviceModels, appActionIfIosDeviceModelNotAllowed, maximumAllowedDeviceThreatLevel,
    mobileThreatDefenseRemediationAction, mobileThreatDefensePartnerPriority,
  ]

  package static let maximumPinRetries: PolicyProperty = row(
    170, "maximumPinRetries", .number(1...65535),
    "How many wrong PINs are accepted, 1 to 65535", { $0.conditionalLaunch.maximumPinRetries },
    { $0.conditionalLaunch.maximumPinRetries = $1 }, of: .protection, effect: .steersDecisions,
    combines: .smallestNumber, launch: 2,
    portal: .entry(
      .appConditions, 10, "Max PIN attempts",
      .document { policy in
        let launch = policy.conditionalLaunch
        // The portal shows Graph's "block" as resetting the PIN.
        let action = launch.appActionIfMaximumPinRetriesExceeded
        return PortalWords.joined(
          launch.maximumPinRetries.map { "\($0)" }, action == .block ? "Reset PIN" : PortalWords.action(action))
      }, standard: "5, Reset PIN",
      with: [.appActionIfMaximumPinRetriesExceeded]),
    device: .number("PINNumRetry"))

  // To block means that the PIN must be reset.
  package static let appActionIfMaximumPinRetriesExceeded: PolicyProperty = row(
    171, "appActionIfMaximumPinRetriesExceeded", .choice,
    "What happens after too many wrong PINs; `block` resets the PIN",
    { $0.conditionalLaunch.appActionIfMaximumPinRetriesExceeded },
    { $0.conditionalLaunch.appActionIfMaximumPinRetriesExceeded = $1 }, of: .protection, effect: .steersDecisions,
    combines: .strictestChoice, launch: 3,
    portal: .beside(.appConditions), device: .action("MaxPinRetryExceededAction"))

  package static let periodOfflineBeforeAccessCheck: PolicyProperty = row(
    172, "periodOfflineBeforeAccessCheck", .duration,
    "How long the app may be used offline before access is blocked",
    { $0.conditionalLaunch.periodOfflineBeforeAccessCheck },
    { $0.conditionalLaunch.periodOfflineBeforeAccessCheck = $1 }, of: [.protection, .windows], effect: .steersDecisions,
    combines: .shortestLimit, launch: 16,
    portal: .entry(
      .appConditions, 20, "Offline grace period, Block access (minutes)", .duration(in: .minute),
      standard: "1440 minutes"),
    device: .minutes("AccessRecheckOfflineTimeout"))

  package static let periodOfflineBeforeWipeIsEnforced: PolicyProperty = row(
    173, "periodOfflineBeforeWipeIsEnforced", .duration,
    "How long the app may be offline before its organization data is removed",
    { $0.conditionalLaunch.periodOfflineBeforeWipeIsEnforced },
    { $0.conditionalLaunch.periodOfflineBeforeWipeIsEnforced = $1 }, of: [.protection, .windows],
    effect: .steersDecisions, combines: .shortestLimit, launch: 17,
    portal: .entry(
      .appConditions, 30, "Offline grace period, Wipe data (days)", .duration(in: .day, zero: "Never"),
      standard: "90 days"),
    device: .days("OfflineWipeInterval"))

  package static let deviceComplianceRequired: PolicyProperty = row(
    174, "deviceComplianceRequired", .flag,
    "Whether jailbroken devices are refused", { $0.conditionalLaunch.deviceComplianceRequired },
    { $0.conditionalLaunch.deviceComplianceRequired = $1 }, of: .protection, effect: .steersDecisions,
    combines: .onWins, launch: 18,
    portal: .entry(
      .deviceConditions, 10, "Jailbroken/rooted devices",
      .document { policy in
        guard policy.conditionalLaunch.deviceComplianceRequired == true else { return nil }
        return PortalWords.action(policy.conditionalLaunch.appActionIfDeviceComplianceRequired) ?? "Block access"
      }, standard: "Block access",
      with: [.appActionIfDeviceComplianceRequired]),
    device: .flag("DeviceComplianceEnabled"))

  package static let appActionIfDeviceComplianceRequired: PolicyProperty = row(
    175, "appActionIfDeviceComplianceRequired", .choice,
    "What happens on a jailbroken device", { $0.conditionalLaunch.appActionIfDeviceComplianceRequired },
    { $0.conditionalLaunch.appActionIfDeviceComplianceRequired = $1 }, of: .protection, effect: .steersDecisions,
    combines: .strictestChoice, launch: 19,
    portal: .beside(.deviceConditions), device: .action("DeviceComplianceFailureAction"))

  package static let appActionIfUnableToAuthenticateUser: PolicyProperty = row(
    176, "appActionIfUnableToAuthenticateUser", .choice,
    "What happens when the account is disabled or deleted",
    { $0.conditionalLaunch.appActionIfUnableToAuthenticateUser },
    { $0.conditionalLaunch.appActionIfUnableToAuthenticateUser = $1 }, of: [.protection, .windows],
    effect: .steersDecisions, combines: .strictestChoice, launch: 20,
    portal: .entry(.appConditions, 40, "Disabled account", .action),
    device: .action("AppActionIfUnableToAuthenticateUser"))

  package static let appActionIfAccountIsClockedOut: PolicyProperty = row(
    177, "appActionIfAccountIsClockedOut", .choice,
    "What happens outside the account's working time", { $0.conditionalLaunch.appActionIfAccountIsClockedOut },
    { $0.conditionalLaunch.appActionIfAccountIsClockedOut = $1 }, of: .protection, effect: .steersDecisions,
    combines: .strictestChoice, launch: 21,
    portal: .entry(
      .appConditions, 110, "Non-working time",
      .document { policy in
        let launch = policy.conditionalLaunch
        return PortalWords.joined(
          PortalWords.action(launch.appActionIfAccountIsClockedOut),
          PortalWords.duration(launch.gracePeriodToBlockAppsDuringOffClockHours, in: .minute).map { "after \($0)" })
      },
      with: [.gracePeriodToBlockAppsDuringOffClockHours]))

  package static let gracePeriodToBlockAppsDuringOffClockHours: PolicyProperty = row(
    178, "gracePeriodToBlockAppsDuringOffClockHours", .duration,
    "How long the app may be used after working time has ended",
    { $0.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours },
    { $0.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = $1 }, of: .protection, effect: .steersDecisions,
    combines: .shortestDuration, launch: 22,
    portal: .beside(.appConditions),
    device: .clockOutGrace("BlockClockStatusWithGracePeriod", with: .appActionIfAccountIsClockedOut))

  package static let minimumRequiredOsVersion: PolicyProperty = row(
    180, "minimumRequiredOsVersion", .text,
    "Below this version of the operating system access is blocked", { $0.conditionalLaunch.minimumRequiredOsVersion },
    { $0.conditionalLaunch.minimumRequiredOsVersion = $1 }, of: [.protection, .windows], effect: .steersDecisions,
    combines: .higherVersion, launch: 23,
    portal: .entry(.deviceConditions, 30, "Min OS version, Block access", .version), device: .version("MinOsVersion"))

  package static let minimumWarningOsVersion: PolicyProperty = row(
    181, "minimumWarningOsVersion", .text,
    "Below this version of the operating system the user is warned", { $0.conditionalLaunch.minimumWarningOsVersion },
    { $0.conditionalLaunch.minimumWarningOsVersion = $1 }, of: [.protection, .windows], effect: .steersDecisions,
    combines: .higherVersion, launch: 24,
    portal: .entry(.deviceConditions, 20, "Min OS version, Warn", .version), device: .version("MinOsVersionWarning"))

  package static let minimumWipeOsVersion: PolicyProperty = row(
    182, "minimumWipeOsVersion", .text,
    "Below this version of the operating system data is removed", { $0.conditionalLaunch.minimumWipeOsVersion },
    { $0.conditionalLaunch.minimumWipeOsVersion = $1 }, of: [.protection, .windows], effect: .steersDecisions,
    combines: .higherVersion, launch: 25,
    portal: .entry(.deviceConditions, 40, "Min OS version, Wipe data", .version), device: .version("MinOsVersionWipe"))

  package static let maximumRequiredOsVersion: PolicyProperty = row(
    183, "maximumRequiredOsVersion", .text,
    "Above this version of the operating system access is blocked", { $0.conditionalLaunch.maximumRequiredOsVersion },
    { $0.conditionalLaunch.maximumRequiredOsVersion = $1 }, of: [.protection, .windows], effect: .steersDecisions,
    combines: .lowerVersion, launch: 26,
    portal: .entry(.deviceConditions, 60, "Max OS version, Block access", .version), device: .version("MaxOsVersion"))

  package static let maximumWarningOsVersion: PolicyProperty = row(
    184, "maximumWarningOsVersion", .text,
    "Above this version of the operating system the user is warned", { $0.conditionalLaunch.maximumWarningOsVersion },
    { $0.conditionalLaunch.maximumWarningOsVersion = $1 }, of: [.protection, .windows], effect: .steersDecisions,
    combines: .lowerVersion, launch: 27,
    portal: .entry(.deviceConditions, 50, "Max OS version, Warn", .version), device: .version("MaxOsVersionWarning"))

  package static let maximumWipeOsVersion: PolicyProperty = row(
    185, "maximumWipeOsVersion", .text,
    "Above this version of the operating system data is removed", { $0.conditionalLaunch.maximumWipeOsVersion },
    { $0.conditionalLaunch.maximumWipeOsVersion = $1 }, of: [.protection, .windows], effect: .steersDecisions,
    combines: .lowerVersion, launch: 28,
    portal: .entry(.deviceConditions, 70, "Max OS version, Wipe data", .version), device: .version("MaxOsVersionWipe"))

  package static let minimumRequiredAppVersion: PolicyProperty = row(
    186, "minimumRequiredAppVersion", .text,
    "Below this version of the app access is blocked", { $0.conditionalLaunch.minimumRequiredAppVersion },
    { $0.conditionalLaunch.minimumRequiredAppVersion = $1 }, of: [.protection, .windows], effect: .steersDecisions,
    combines: .higherVersion, launch: 29,
    portal: .entry(.appConditions, 60, "Min app version, Block access", .version), device: .version("MinAppVersion"))

  package static let minimumWarningAppVersion: PolicyProperty = row(
    187, "minimumWarningAppVersion", .text,
    "Below this version of the app the user is warned", { $0.conditionalLaunch.minimumWarningAppVersion },
    { $0.conditionalLaunch.minimumWarningAppVersion = $1 }, of: [.protection, .windows], effect: .steersDecisions,
    combines: .higherVersion, launch: 30,
    portal: .entry(.appConditions, 50, "Min app version, Warn", .version), device: .version("MinAppVersionWarning"))

  package static let minimumWipeAppVersion: PolicyProperty = row(
    188, "minimumWipeAppVersion", .text,
    "Below this version of the app data is removed", { $0.conditionalLaunch.minimumWipeAppVersion },
    { $0.conditionalLaunch.minimumWipeAppVersion = $1 }, of: [.protection, .windows], effect: .steersDecisions,
    combines: .higherVersion, launch: 31,
    portal: .entry(.appConditions, 70, "Min app version, Wipe data", .version), device: .version("MinAppVersionWipe"))

  package static let minimumRequiredSdkVersion: PolicyProperty = row(
    189, "minimumRequiredSdkVersion", .text,
    "Below this version of the SDK access is blocked", { $0.conditionalLaunch.minimumRequiredSdkVersion },
    { $0.conditionalLaunch.minimumRequiredSdkVersion = $1 }, of: [.ios, .standard, .windows], effect: .steersDecisions,
    combines: .higherVersion, launch: 32,
    portal: .entry(.appConditions, 90, "Min SDK version, Block access", .version), device: .version("MinSDKVersion"))

  package static let minimumWarningSdkVersion: PolicyProperty = row(
    190, "minimumWarningSdkVersion", .text,
    "Below this version of the SDK the user is warned", { $0.conditionalLaunch.minimumWarningSdkVersion },
    { $0.conditionalLaunch.minimumWarningSdkVersion = $1 }, of: [.ios, .standard], effect: .steersDecisions,
    combines: .higherVersion, launch: 33,
    portal: .entry(.appConditions, 80, "Min SDK version, Warn", .version), device: .version("MinSDKVersionWarning"))

  package static let minimumWipeSdkVersion: PolicyProperty = row(
    191, "minimumWipeSdkVersion", .text,
    "Below this version of the SDK data is removed", { $0.conditionalLaunch.minimumWipeSdkVersion },
    { $0.conditionalLaunch.minimumWipeSdkVersion = $1 }, of: [.ios, .standard, .windows], effect: .steersDecisions,
    combines: .higherVersion, launch: 34,
    portal: .entry(.appConditions, 100, "Min SDK version, Wipe data", .version), device: .version("MinSDKVersionWipe"))

  package static let allowedIosDeviceModels: PolicyProperty = row(
    195, "allowedIosDeviceModels", .text,
    "The device models that are allowed, parted by semicolons", { $0.conditionalLaunch.allowedIosDeviceModels },
    { $0.conditionalLaunch.allowedIosDeviceModels = $1 }, of: [.ios, .standard], effect: .steersDecisions,
    combines: .commonModels { !PolicyText.list($0.conditionalLaunch.allowedIosDeviceModels ?? "").isEmpty }, launch: 35,
    portal: .entry(
      .deviceConditions, 80, "Device model(s)",
      .document { policy in
        guard let models = PortalWords.text(policy.conditionalLaunch.allowedIosDeviceModels) else { return nil }
        let action = policy.conditionalLaunch.appActionIfIosDeviceModelNotAllowed
        let verb = action == .wipe ? "Wipe" : action == .block || action == nil ? "Block" : PortalWords.unknown
        return "\(models), Allow specified (\(verb) non-specified)"
      },
      with: [.appActionIfIosDeviceModelNotAllowed]),
    device: .models("AllowedIOSModelsElseBlock", else: .block, with: .appActionIfIosDeviceModelNotAllowed),
    .models("AllowedIOSModelsElseWipe", else: .wipe, with: .appActionIfIosDeviceModelNotAllowed))

  package static let appActionIfIosDeviceModelNotAllowed: PolicyProperty = row(
    196, "appActionIfIosDeviceModelNotAllowed", .choice,
    "What happens on another device model", { $0.conditionalLaunch.appActionIfIosDeviceModelNotAllowed },
    { $0.conditionalLaunch.appActionIfIosDeviceModelNotAllowed = $1 }, of: [.ios, .standard], effect: .steersDecisions,
    combines: .strictestChoice, launch: 36,
    portal: .beside(.deviceConditions))

  package static let maximumAllowedDeviceThreatLevel: PolicyProperty = row(
    197, "maximumAllowedDeviceThreatLevel", .choice,
    "The highest threat level that is accepted", { $0.conditionalLaunch.maximumAllowedDeviceThreatLevel },
    { $0.conditionalLaunch.maximumAllowedDeviceThreatLevel = $1 }, of: [.protection, .windows],
    effect: .steersDecisions, combines: .strictestChoice, launch: 37,
    portal: .entry(
      .deviceConditions, 90, "Max allowed device threat level",
      .document { policy in
        let launch = policy.conditionalLaunch
        guard let level = launch.maximumAllowedDeviceThreatLevel, level != .notConfigured else { return nil }
        let words: KeyValuePairs<DeviceThreatLevel, String> = [
          .secured: "Secured", .low: "Low", .medium: "Medium", .high: "High",
        ]
        return PortalWords.joined(
          PortalWords.choice(level, words), PortalWords.action(launch.mobileThreatDefenseRemediationAction))
      },
      with: [.mobileThreatDefenseRemediationAction]),
    device: .choice(
      "MinimumRequiredDeviceThreatProtectionLevel",
      [0: .notConfigured, 1: .secured, 2: .low, 3: .medium, 4: .high]))

  package static let mobileThreatDefenseRemediationAction: PolicyProperty = row(
    198, "mobileThreatDefenseRemediationAction", .choice,
    "What happens above that threat level", { $0.conditionalLaunch.mobileThreatDefenseRemediationAction },
    { $0.conditionalLaunch.mobileThreatDefenseRemediationAction = $1 }, of: [.protection, .windows],
    effect: .steersDecisions, combines: .strictestChoice, launch: 38,
    portal: .beside(.deviceConditions), device: .action("MobileThreatDefenseRemediationAction"))

  package static let mobileThreatDefensePartnerPriority: PolicyProperty = row(
    199, "mobileThreatDefensePartnerPriority", .choice,
    "Which threat defense partner counts; unset, it is Microsoft Defender",
    { $0.conditionalLaunch.mobileThreatDefensePartnerPriority },
    { $0.conditionalLaunch.mobileThreatDefensePartnerPriority = $1 }, of: .protection, effect: .steersDecisions,
    combines: .firstGiven, launch: 39,
    portal: .entry(
      .deviceConditions, 100, "Primary MTD service",
      .choice([
        .defenderOverThirdPartyPartner: "Microsoft Defender for Endpoint",
        .thirdPartyPartnerOverDefender: "Mobile Threat Defense (Non-Microsoft)",
      ])))
}
