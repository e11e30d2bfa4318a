import AppProtection

/// The table of the data protection framework for iOS: every setting that a level names, with every value since its revision.
/// The article "Levels of the data protection framework" names the sources, and tests compare the values with the templates.
extension FrameworkRow {
  /// The rows, in the order of the portal.
  static let ios: [FrameworkRow] = dataTransfer + functionality + access + launch

  private static let locations: [DataStorageLocation] = [.oneDriveForBusiness, .sharePoint]
  private static let schemes = "skype;app-settings;calshow;itms;itmss;itms-apps;itms-appss;itms-services;"
  private static let page = FrameworkRevision.page.date

  private static let dataTransfer: [FrameworkRow] = [
    row("backup", .dataBackupBlocked, naming: [.allowed(.flag(false)), .enhanced(.flag(true))]),
    // The page accepts managed apps with OS sharing and with filtering.
    row(
      "send", .allowedOutboundDataTransferDestinations, .disableProtectionOfManagedOutboundOpenInData,
      .filterOpenInToOnlyManagedApps,
      naming: [
        .allowed(.choice(DataTransferLevel.allApps)),
        .enhanced(
          .choice(DataTransferLevel.managedApps),
          accepting: [.choice(DataTransferLevel.managedApps), .flag(true)]),
      ]),
    // The templates of level 3 kept the schemes of calls when those of level 2 dropped them.
    row(
      "exempt", .exemptedAppProtocols, by: .exemptions,
      naming: [
        .enhanced(.schemes("tel;telprompt;" + schemes)), .enhanced(.schemes(schemes), from: "2020-07-15"),
        .high(.schemes("tel;telprompt;" + schemes)), .high(from: page),
      ]),
    row("saveAs", .saveAsBlocked, naming: [.allowed(.flag(false)), .enhanced(.flag(true))]),
    row(
      "saveTo", .allowedDataStorageLocations, by: .saveLocations,
      naming: [.enhanced(.choices(locations)), .enhanced(.choices(locations + [.photoLibrary]), from: page)]),
    row(
      "dialer", .dialerRestrictionLevel, .customDialerAppProtocol, by: .dialer,
      naming: [
        .allowedWhenEnhanced(.choice(DialerRestrictionLevel.allApps), from: "2020-07-15"),
        .high(.choice(DialerRestrictionLevel.customApp), from: "2020-09-22"),
      ]),
    row(
      "receive", .allowedInboundDataTransferSources, .protectInboundDataFromUnknownSources,
      naming: [.allowed(.choice(DataTransferLevel.allApps)), .high(.choice(DataTransferLevel.managedApps))]),
    row("open", .blockDataIngestionIntoOrganizationDocuments, naming: [.high(.flag(true), from: "2020-09-22")]),
    row(
      "openFrom", .allowedDataIngestionLocations, by: .openLocations,
      naming: [
        .high(.choices([DataIngestionLocation.oneDriveForBusiness, .sharePoint]), from: "2020-09-22"),
        .high(.choices([DataIngestionLocation.oneDriveForBusiness, .sharePoint, .camera, .photoLibrary]), from: page),
      ]),
    row(
      "clipboard", .allowedOutboundClipboardSharingLevel,
      naming: [
        .allowed(.choice(ClipboardSharingLevel.allApps)),
        .enhanced(.choice(ClipboardSharingLevel.managedAppsWithPasteIn)),
      ]),
    // Only the templates name it; without it, the row above would mean little.
    row("clipboardLimit", .allowedOutboundClipboardSharingExceptionLength, naming: [.enhanced(.number(0))]),
    row("keyboards", .thirdPartyKeyboardsBlocked, naming: [.allowed(.flag(false)), .high(.flag(true))]),
  ]

  private static let functionality: [FrameworkRow] = [
    // The page says "Require", which every value but the device's own settings meets.
    row(
      "encryption", .appDataEncryptionType,
      naming: [
        .basic(.choice(DataEncryptionType.whenDeviceLocked)),
        .basic(
          .choice(DataEncryptionType.whenDeviceLocked),
          accepting: [.choice(DataEncryptionType.afterDeviceRestart)], from: page),
      ]),
    row("contacts", .contactSyncBlocked, naming: [.allowed(.flag(false))]),
    row("print", .printBlocked, naming: [.allowed(.flag(false)), .high(.flag(true))]),
    row(
      "web", .managedBrowserToOpenLinksRequired, .managedBrowser, .customBrowserProtocol,
      naming: [.allowed(.flag(false)), .enhanced(.flag(true), .flags(ManagedBrowsers.microsoftEdge.rawValue))]),
    row(
      "notifications", .notificationRestriction,
      naming: [
        .allowed(.choice(NotificationRestriction.allow)),
        .enhanced(.choice(NotificationRestriction.blockOrganizationalData)),
      ]),
  ]

  private static let access: [FrameworkRow] = [
    row("pin", .pinRequired, naming: [.basic(.flag(true))]),
    row("pinType", .pinCharacterSet, naming: [.allowed(.choice(PINCharacterSet.numeric))]),
    row("simplePIN", .simplePinBlocked, naming: [.allowed(.flag(false)), .high(.flag(true))]),
    row("pinLength", .minimumPinLength, naming: [.basic(.number(4)), .high(.number(6))]),
    row("touchID", .fingerprintBlocked, naming: [.allowed(.flag(false))]),
    row("faceID", .faceIdBlocked, naming: [.allowed(.flag(false))]),
    row(
      "biometricTimeout", .pinRequiredInsteadOfBiometricTimeout, by: .biometricTimeout,
      naming: [.basic(.duration("PT12H")), .basic(.duration("PT1440M"), from: "2024-07-31")]),
    row("pinReset", .periodBeforePinReset, naming: [.allowed(.duration("PT0S")), .high(.duration("P365D"))]),
    row(
      "devicePIN", .disableAppPinIfDevicePinIsSet,
      admitting: "admitted where a compliance policy enforces a strong device PIN", naming: [.basic(.flag(false))]),
    row("credentials", .organizationalCredentialsRequired, naming: [.allowed(.flag(false))]),
    row("recheck", .periodOnlineBeforeAccessCheck, naming: [.basic(.duration("PT30M"))]),
  ]

  private static let launch: [FrameworkRow] = [
    row(
      "pinAttempts", .maximumPinRetries, .appActionIfMaximumPinRetriesExceeded,
      naming: [.basic(.number(5), .choice(RemediationAction.block))]),
    row(
      "offlineBlock", .periodOfflineBeforeAccessCheck,
      naming: [
        .basic(.duration("PT12H")), .basic(.duration("PT1440M"), from: "2024-01-30"),
        .basic(.duration("PT10080M"), from: "2024-07-31"),
      ]),
    row(
      "offlineWipe", .periodOfflineBeforeWipeIsEnforced,
      naming: [.basic(.duration("P90D")), .enhanced(.duration("P30D"), from: FrameworkRevision.newest.date)]),
    row(
      "disabledAccount", .appActionIfUnableToAuthenticateUser,
      naming: [.enhanced(.choice(RemediationAction.block), from: "2020-11-17")]),
    row(
      "jailbreak", .deviceComplianceRequired, .appActionIfDeviceComplianceRequired,
      naming: [
        .basic(.flag(true), .choice(RemediationAction.block)), .high(.flag(true), .choice(RemediationAction.wipe)),
      ]),
    row(
      "minimumOS", .minimumRequiredOsVersion, .minimumWipeOsVersion, by: .minimumVersion,
      naming: [
        .enhanced(.text("12.4.4")), .enhanced(.text("12.4.6"), from: "2020-04-23"),
        .enhanced(.text("13.7"), from: "2020-11-17"), .enhanced(.text("14.8"), from: page),
        .high(.text("12.4.4")), .high(.text("12.4.6"), from: "2020-04-27"), .high(.text("13.7"), from: "2020-11-17"),
        .high(.text("14.8"), from: "2021-09-30"), .high(from: page),
      ]),
    row(
      "maximumOS", .maximumRequiredOsVersion, .maximumWipeOsVersion, by: .maximumVersion,
      naming: [.high(.text("15.0"), from: "2021-09-30")]),
    row(
      "threatLevel", .maximumAllowedDeviceThreatLevel, .mobileThreatDefenseRemediationAction,
      naming: [.high(.choice(DeviceThreatLevel.secured), .choice(RemediationAction.block))]),
  ]

  private static func row(
    _ id: String, _ properties: PolicyProperty..., by comparison: LevelComparison = .strictness,
    admitting condition: String? = nil, naming demands: [FrameworkDemand.Draft]
  ) -> FrameworkRow {
    Self(id, properties, on: .ios, by: comparison, admitting: condition, naming: demands)
  }
}
