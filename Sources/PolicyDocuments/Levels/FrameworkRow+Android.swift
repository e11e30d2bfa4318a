import AppProtection

/// The table of the data protection framework for Android, as that for iOS. Its first values are those of the last templates.
extension FrameworkRow {
  /// The rows, in the order of the portal.
  static let android: [FrameworkRow] =
    androidTransfer + androidFunctionality + androidAccess + androidConditions + androidDevices

  private static let page = FrameworkRevision.page.date

  private static func row(
    _ id: String, _ properties: PolicyProperty..., by comparison: LevelComparison = .strictness,
    admitting condition: String? = nil, naming demands: [FrameworkDemand.Draft]
  ) -> FrameworkRow {
    Self(id, properties, on: .android, by: comparison, admitting: condition, naming: demands)
  }

  private static let androidTransfer: [FrameworkRow] = [
    row("backup", .dataBackupBlocked, naming: [.allowed(.flag(false)), .enhanced(.flag(true))]),
    row(
      "send", .allowedOutboundDataTransferDestinations,
      naming: [.allowed(.choice(DataTransferLevel.allApps)), .enhanced(.choice(DataTransferLevel.managedApps))]),
    // Only the templates name it; without it, the row above would mean little.
    row("exempt", .exemptedAppPackages, by: .exemptedApps, naming: [.enhanced(.pairs([]))]),
    row("saveAs", .saveAsBlocked, naming: [.allowed(.flag(false)), .enhanced(.flag(true))]),
    row(
      "saveTo", .allowedDataStorageLocations, by: .saveLocations,
      naming: [
        .enhanced(.choices([DataStorageLocation.oneDriveForBusiness, .sharePoint])),
        .enhanced(.choices([DataStorageLocation.oneDriveForBusiness, .sharePoint, .photoLibrary]), from: page),
      ]),
    row(
      "dialer", .dialerRestrictionLevel, .customDialerAppPackageId, by: .dialer,
      naming: [
        .allowedWhenEnhanced(.choice(DialerRestrictionLevel.allApps), from: FrameworkRevision.first.date),
        .high(.choice(DialerRestrictionLevel.managedApps)),
      ]),
    row(
      "receive", .allowedInboundDataTransferSources,
      naming: [.allowed(.choice(DataTransferLevel.allApps)), .high(.choice(DataTransferLevel.managedApps))]),
    row("open", .blockDataIngestionIntoOrganizationDocuments, naming: [.high(.flag(true))]),
    row(
      "openFrom", .allowedDataIngestionLocations, by: .openLocations,
      naming: [
        .high(.choices([DataIngestionLocation.oneDriveForBusiness, .sharePoint])),
        .high(.choices([DataIngestionLocation.oneDriveForBusiness, .sharePoint, .camera, .photoLibrary]), from: page),
      ]),
    row(
      "clipboard", .allowedOutboundClipboardSharingLevel,
      naming: [
        .allowed(.choice(ClipboardSharingLevel.allApps)),
        .enhanced(.choice(ClipboardSharingLevel.managedAppsWithPasteIn)),
      ]),
    row("clipboardLimit", .allowedOutboundClipboardSharingExceptionLength, naming: [.enhanced(.number(0))]),
    row("screenCapture", .screenCaptureBlocked, naming: [.allowed(.flag(false)), .enhanced(.flag(true))]),
    row(
      "keyboards", .keyboardsRestricted, .approvedKeyboards, by: .keyboards,
      naming: [.allowed(.flag(false)), .high(.flag(true))]),
  ]

  private static let androidFunctionality: [FrameworkRow] = [
    row("encryption", .encryptAppData, naming: [.basic(.flag(true))]),
    row(
      "encryptionWhenEnrolled", .disableAppEncryptionIfDeviceEncryptionIsEnabled, naming: [.basic(.flag(false))]),
    row("contacts", .contactSyncBlocked, naming: [.allowed(.flag(false))]),
    row("print", .printBlocked, naming: [.allowed(.flag(false)), .high(.flag(true))]),
    row(
      "web", .managedBrowserToOpenLinksRequired, .managedBrowser, .customBrowserPackageId,
      naming: [.allowed(.flag(false)), .enhanced(.flag(true), .flags(ManagedBrowsers.microsoftEdge.rawValue))]),
    row(
      "notifications", .notificationRestriction,
      naming: [
        .allowed(.choice(NotificationRestriction.allow)),
        .enhanced(.choice(NotificationRestriction.blockOrganizationalData)),
      ]),
  ]

  private static let androidAccess: [FrameworkRow] = [
    row("pin", .pinRequired, naming: [.basic(.flag(true))]),
    row("pinType", .pinCharacterSet, naming: [.allowed(.choice(PINCharacterSet.numeric))]),
    row("simplePIN", .simplePinBlocked, naming: [.allowed(.flag(false)), .high(.flag(true))]),
    row("pinLength", .minimumPinLength, naming: [.basic(.number(4)), .high(.number(6))]),
    row("fingerprint", .fingerprintBlocked, naming: [.allowed(.flag(false))]),
    row("biometrics", .biometricAuthenticationBlocked, naming: [.allowed(.flag(false))]),
    row(
      "biometricTimeout", .pinRequiredInsteadOfBiometricTimeout, by: .biometricTimeout,
      naming: [.basic(.duration("PT12H")), .basic(.duration("PT1440M"), from: "2024-07-31")]),
    row("class3Biometrics", .requireClass3Biometrics, naming: [.high(.flag(true), from: page)]),
    row("biometricChange", .requirePinAfterBiometricChange, naming: [.high(.flag(true), from: page)]),
    row("pinReset", .periodBeforePinReset, naming: [.allowed(.duration("PT0S")), .high(.duration("P365D"))]),
    row(
      "devicePIN", .disableAppPinIfDevicePinIsSet,
      admitting: "admitted where a compliance policy enforces a strong device PIN", naming: [.basic(.flag(false))]),
    row("credentials", .organizationalCredentialsRequired, naming: [.allowed(.flag(false))]),
    row("recheck", .periodOnlineBeforeAccessCheck, naming: [.basic(.duration("PT30M"))]),
  ]

  private static let androidConditions: [FrameworkRow] = [
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
    row("disabledAccount", .appActionIfUnableToAuthenticateUser, naming: [.enhanced(.choice(RemediationAction.block))]),
  ]

  private static let androidDevices: [FrameworkRow] = [
    row(
      "jailbreak", .deviceComplianceRequired, .appActionIfDeviceComplianceRequired,
      naming: [
        .basic(.flag(true), .choice(RemediationAction.block)), .high(.flag(true), .choice(RemediationAction.wipe)),
      ]),
    row(
      "minimumOS", .minimumRequiredOsVersion, .minimumWipeOsVersion, by: .minimumVersion,
      naming: [.enhanced(.text("9.0"))]),
    row(
      "maximumOS", .maximumRequiredOsVersion, .maximumWipeOsVersion, by: .maximumVersion,
      naming: [.high(.text("11.0"))]),
    row(
      "patchLevel", .minimumRequiredPatchVersion, .minimumWipePatchVersion, by: .minimumPatchLevel,
      naming: [.enhanced(.text("2020-01-01"), from: page)]),
    row(
      "integrity", .requiredAndroidSafetyNetDeviceAttestationType, .appActionIfAndroidSafetyNetDeviceAttestationFailed,
      naming: [
        .basic(
          .choice(AndroidDeviceAttestation.basicIntegrityAndDeviceCertification), .choice(RemediationAction.block))
      ]),
    row(
      "integrityEvaluation", .requiredAndroidSafetyNetEvaluationType,
      naming: [.enhanced(.choice(AndroidAttestationEvaluation.hardwareBacked))]),
    row(
      "threatScan", .requiredAndroidSafetyNetAppsVerificationType, .appActionIfAndroidSafetyNetAppsVerificationFailed,
      naming: [.basic(.choice(AndroidAppsVerification.enabled), .choice(RemediationAction.block))]),
    // The page replaced a lock of any kind with a complexity for each level.
    row(
      "deviceLock", .deviceLockRequired, .appActionIfDeviceLockNotSet,
      naming: [.basic(.flag(true), .choice(RemediationAction.block)), .basic(from: page)]),
    row(
      "lowComplexity", .appActionIfDevicePasscodeComplexityLessThanLow,
      .appActionIfDevicePasscodeComplexityLessThanMedium, .appActionIfDevicePasscodeComplexityLessThanHigh,
      by: .deviceLock, naming: [.basic(.choice(RemediationAction.warn), from: page)]),
    row(
      "mediumComplexity", .appActionIfDevicePasscodeComplexityLessThanMedium,
      .appActionIfDevicePasscodeComplexityLessThanHigh, by: .deviceLock,
      naming: [.enhanced(.choice(RemediationAction.block), from: page)]),
    row(
      "highComplexity", .appActionIfDevicePasscodeComplexityLessThanHigh, by: .deviceLock,
      naming: [.high(.choice(RemediationAction.block), from: page)]),
    row(
      "threatLevel", .maximumAllowedDeviceThreatLevel, .mobileThreatDefenseRemediationAction,
      naming: [.high(.choice(DeviceThreatLevel.secured), .choice(RemediationAction.block))]),
    row(
      "knox", .appActionIfSamsungKnoxAttestationRequired,
      naming: [
        .enhanced(.choice(RemediationAction.block), from: "2024-01-30"),
        .high(.choice(RemediationAction.wipe), from: "2024-01-30"),
      ]),
  ]
}
