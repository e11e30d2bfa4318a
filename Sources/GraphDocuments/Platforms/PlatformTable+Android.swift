import AppProtection

/// The table of Android: what only its policies have, and how its portal shows what it shares with iOS (D Android app
/// protection policy settings; G androidManagedAppProtection).
extension PlatformTable {
  static let android = Self(
    .androidPolicy, .android, appIdentifier: "packageId",
    own: PolicyProperty.androidTransfer + PolicyProperty.androidAccess + PolicyProperty.androidLaunch,
    entries: [
      PolicyProperty.dataBackupBlocked.entry(
        .dataTransfer, 10, "Backup org data to Android backup services", standard: "Allow"),
      PolicyProperty.allowedOutboundClipboardSharingLevel.entry(
        .dataTransfer, 150, "Restrict cut, copy and paste between other apps", standard: "Any app"),
      PolicyProperty.dialerRestrictionLevel.entry(
        .dataTransfer, 80, "Transfer telecommunications data to", standard: "Any dialer app"),
      PolicyProperty.screenCaptureBlocked.entry(
        .dataTransfer, 170, "Screen capture and Google Assistant", standard: "Allow"),
      PolicyProperty.encryptAppData.entry(.encryption, 10, "Encrypt org data", standard: "Require"),
      PolicyProperty.disableAppEncryptionIfDeviceEncryptionIsEnabled.entry(
        .encryption, 20, "Encrypt org data on enrolled devices", standard: "Require"
      ) { $0.defaultPolicy.disableAppEncryptionIfDeviceEncryptionIsEnabled.map { $0 ? "Not required" : "Require" } },
      PolicyProperty.managedBrowserToOpenLinksRequired.entry(
        .functionality, 40, "Restrict web content transfer with other apps", standard: "Any app",
        with: [.managedBrowser]
      ) { policy in
        // A package names the browser that a URL scheme names on iOS.
        var policy = policy
        policy.redirection.customBrowserProtocol = policy.text(.customBrowserPackageId)
        return PolicyProperty.managedBrowserToOpenLinksRequired.portal?.words(policy)
      },
      PolicyProperty.fingerprintBlocked.entry(
        .access, 50, "Fingerprint instead of PIN for access (Android 6.0+)", standard: "Allow"),
      PolicyProperty.targetedAppManagementLevels.entry(.apps, 20, "Device types") {
        PortalWords.flags(
          $0.targeting.targetedAppManagementLevels,
          [
            0: "All device types", 1: "Unmanaged", 2: "Intune managed devices", 4: "Android Enterprise",
            8: "Android Enterprise dedicated devices with Azure AD Shared mode",
            16: "Android (AOSP) user-associated devices", 32: "Android (AOSP) userless devices",
          ])
      },
      PolicyProperty.minimumWarningPatchVersion.entry(.deviceConditions, 72, "Min patch version, Warn"),
      PolicyProperty.minimumRequiredPatchVersion.entry(.deviceConditions, 74, "Min patch version, Block access"),
    ],
    headings: [.other: "Not in the portal for Android"])
}

/// Settings of Android alone; their numbers begin at 1000.
extension PolicyProperty {
  fileprivate static let androidTransfer: [PolicyProperty] = [
    exemptedAppPackages, customDialerAppPackageId, customDialerAppDisplayName, messagingRedirectAppPackageId,
    messagingRedirectAppDisplayName, keyboardsRestricted, approvedKeyboards, customBrowserPackageId,
    customBrowserDisplayName, connectToVpnOnLaunch,
  ]

  package static let exemptedAppPackages = own(
    1000, "exemptedAppPackages", .pairs, "Apps to which data may go although its transfer is restricted",
    combines: .common { $0.dataTransfer.allowedOutboundDataTransferDestinations != .allApps },
    portal: .entry(
      .dataTransfer, 30, "Select apps to exempt",
      .value { PortalWords.list($0.map { PortalWords.named($0.name, $0.value) }) }))

  package static let customDialerAppPackageId = own(
    1001, "customDialerAppPackageId", .text, "The package of the dialer when one is prescribed",
    combines: .together(.dialer), portal: .entry(.dataTransfer, 90, "Dialer App Package ID", .text))

  package static let customDialerAppDisplayName = own(
    1002, "customDialerAppDisplayName", .text, "The name of the dialer when one is prescribed",
    combines: .together(.dialer), portal: .entry(.dataTransfer, 95, "Dialer App Name", .text))

  package static let messagingRedirectAppPackageId = own(
    1003, "messagingRedirectAppPackageId", .text, "The package of the messaging app when one is prescribed",
    combines: .together(.messaging), portal: .entry(.dataTransfer, 110, "Messaging App Package ID", .text))

  package static let messagingRedirectAppDisplayName = own(
    1004, "messagingRedirectAppDisplayName", .text, "The name of the messaging app when one is prescribed",
    combines: .together(.messaging), portal: .entry(.dataTransfer, 115, "Messaging App Name", .text))

  package static let keyboardsRestricted = own(
    1005, "keyboardsRestricted", .flag, "Whether only approved keyboards may be used", combines: .onWins,
    portal: .entry(.dataTransfer, 180, "Approved keyboards", .requireOrNot, standard: "Not required"))

  // Unlike exempted apps, a keyboard's package is the pair's name.
  package static let approvedKeyboards: PolicyProperty = own(
    1006, "approvedKeyboards", .pairs, "The keyboards that are approved: packages with names",
    combines: .commonNames { $0.flag(.keyboardsRestricted) == true },
    portal: .entry(
      .dataTransfer, 190, "Select keyboards to approve",
      .value { PortalWords.list($0.map { PortalWords.named($0.value ?? "", $0.name) }) }))

  package static let customBrowserPackageId = own(
    1007, "customBrowserPackageId", .text, "The package of the browser that opens web links",
    combines: .together(.browser), portal: .entry(.functionality, 50, "Unmanaged Browser ID", .text))

  package static let customBrowserDisplayName = own(
    1008, "customBrowserDisplayName", .text, "The name of the browser that opens web links",
    combines: .together(.browser), portal: .entry(.functionality, 55, "Unmanaged Browser Name", .text))

  static let connectToVpnOnLaunch = own(
    1009, "connectToVpnOnLaunch", .flag, "Whether the app connects to Microsoft Tunnel when it is opened",
    combines: .onWins, portal: .entry(.functionality, 70, "Start Microsoft Tunnel connection on app-launch", .yesOrNo))

  fileprivate static let androidAccess: [PolicyProperty] = [
    biometricAuthenticationBlocked, requireClass3Biometrics, requirePinAfterBiometricChange,
    fingerprintAndBiometricEnabled,
  ]

  package static let biometricAuthenticationBlocked = own(
    1020, "biometricAuthenticationBlocked", .flag, "Whether biometrics in place of the PIN are blocked",
    combines: .onWins,
    portal: .entry(.access, 60, "Biometrics instead of PIN for access", .blockOrAllow, standard: "Allow"))

  package static let requireClass3Biometrics = own(
    1021, "requireClass3Biometrics", .flag, "Whether only biometrics of class 3 count", combines: .onWins,
    portal: .entry(.access, 72, "Class 3 biometrics (Android 9.0+)", .requireOrNot, standard: "Not required"))

  package static let requirePinAfterBiometricChange = own(
    1022, "requirePinAfterBiometricChange", .flag, "Whether the PIN is asked once biometrics have changed",
    combines: .onWins,
    portal: .entry(
      .access, 74, "Override biometrics with PIN after biometric updates", .requireOrNot, standard: "Not required"))

  package static let fingerprintAndBiometricEnabled = own(
    1023, "fingerprintAndBiometricEnabled", .flag,
    "Whether fingerprints and biometrics in place of the PIN are allowed",
    combines: .offWins, portal: .entry(.other, 10, "Fingerprint and biometrics together", .allowOrBlock))

  fileprivate static let androidLaunch: [PolicyProperty] = [
    minimumWipePatchVersion, allowedAndroidDeviceManufacturers, appActionIfAndroidDeviceManufacturerNotAllowed,
    allowedAndroidDeviceModels, appActionIfAndroidDeviceModelNotAllowed, requiredAndroidSafetyNetDeviceAttestationType,
    appActionIfAndroidSafetyNetDeviceAttestationFailed, requiredAndroidSafetyNetEvaluationType,
    requiredAndroidSafetyNetAppsVerificationType, appActionIfAndroidSafetyNetAppsVerificationFailed,
    deviceLockRequired, appActionIfDeviceLockNotSet, appActionIfDevicePasscodeComplexityLessThanLow,
    appActionIfDevicePasscodeComplexityLessThanMedium, appActionIfDevicePasscodeComplexityLessThanHigh,
    minimumWarningCompanyPortalVersion, minimumRequiredCompanyPortalVersion, minimumWipeCompanyPortalVersion,
    warnAfterCompanyPortalUpdateDeferralInDays, blockAfterCompanyPortalUpdateDeferralInDays,
    wipeAfterCompanyPortalUpdateDeferralInDays, appActionIfSamsungKnoxAttestationRequired,
  ]

  package static let minimumWipePatchVersion = own(
    1040, "minimumWipePatchVersion", .text, "Below this security patch level data is removed", combines: .higherVersion,
    portal: .entry(.deviceConditions, 76, "Min patch version, Wipe data", .version))

  package static let allowedAndroidDeviceManufacturers: PolicyProperty = own(
    1041, "allowedAndroidDeviceManufacturers", .text, "The manufacturers that are allowed, separated by semicolons",
    combines: .commonModels { $0.text(.allowedAndroidDeviceManufacturers) != nil },
    portal: .entry(
      .deviceConditions, 78, "Device manufacturer(s)",
      .document { policy in
        policy.text(.allowedAndroidDeviceManufacturers).map {
          PortalWords.allowing($0, else: policy.choice(.appActionIfAndroidDeviceManufacturerNotAllowed))
        }
      }, with: [.appActionIfAndroidDeviceManufacturerNotAllowed]))

  package static let appActionIfAndroidDeviceManufacturerNotAllowed = action(
    1042, "appActionIfAndroidDeviceManufacturerNotAllowed", "What happens on a device of another manufacturer")

  package static let allowedAndroidDeviceModels: PolicyProperty = own(
    1043, "allowedAndroidDeviceModels", .texts, "The device models that are allowed",
    combines: .common { $0.texts(.allowedAndroidDeviceModels)?.isEmpty == false },
    portal: .entry(
      .deviceConditions, 80, "Device model(s)",
      .document { policy in
        guard let models = policy.texts(.allowedAndroidDeviceModels), !models.isEmpty else { return nil }
        return PortalWords.allowing(
          models.joined(separator: ";"), else: policy.choice(.appActionIfAndroidDeviceModelNotAllowed))
      }, with: [.appActionIfAndroidDeviceModelNotAllowed]))

  package static let appActionIfAndroidDeviceModelNotAllowed = action(
    1044, "appActionIfAndroidDeviceModelNotAllowed", "What happens on another device model")

  package static let requiredAndroidSafetyNetDeviceAttestationType: PolicyProperty = own(
    1045, "requiredAndroidSafetyNetDeviceAttestationType", PolicyValueForm<AndroidDeviceAttestation>.choice,
    "What the device's integrity must be", combines: .strictestChoice,
    portal: .entry(
      .deviceConditions, 82, "Play integrity verdict",
      .document { policy in
        let words: KeyValuePairs<AndroidDeviceAttestation, String> = [
          .basicIntegrity: "Basic integrity",
          .basicIntegrityAndDeviceCertification: "Basic integrity and device integrity",
        ]
        let type: AndroidDeviceAttestation? = policy.choice(.requiredAndroidSafetyNetDeviceAttestationType)
        guard let type, type != .nothing else { return nil }
        return PortalWords.joined(
          PortalWords.choice(type, words),
          PortalWords.action(policy.choice(.appActionIfAndroidSafetyNetDeviceAttestationFailed)))
      }, with: [.appActionIfAndroidSafetyNetDeviceAttestationFailed]))

  package static let appActionIfAndroidSafetyNetDeviceAttestationFailed = action(
    1046, "appActionIfAndroidSafetyNetDeviceAttestationFailed", "What happens on a device without that integrity")

  package static let requiredAndroidSafetyNetEvaluationType = own(
    1047, "requiredAndroidSafetyNetEvaluationType", PolicyValueForm<AndroidAttestationEvaluation>.choice,
    "How the device's integrity is evaluated", combines: .strictestChoice,
    portal: .entry(
      .deviceConditions, 84, "Play integrity verdict evaluation type",
      .value { $0 == .basic ? nil : PortalWords.choice($0, [.hardwareBacked: "Check strong integrity"]) }))

  package static let requiredAndroidSafetyNetAppsVerificationType: PolicyProperty = own(
    1048, "requiredAndroidSafetyNetAppsVerificationType", PolicyValueForm<AndroidAppsVerification>.choice,
    "Whether the device's apps must be scanned", combines: .strictestChoice,
    portal: .entry(
      .deviceConditions, 86, "Require threat scan on apps",
      .document { policy in
        let type: AndroidAppsVerification? = policy.choice(.requiredAndroidSafetyNetAppsVerificationType)
        guard let type, type != .nothing else { return nil }
        return PortalWords.joined(
          PortalWords.choice(type, [.enabled: "Require"]),
          PortalWords.action(policy.choice(.appActionIfAndroidSafetyNetAppsVerificationFailed)))
      }, with: [.appActionIfAndroidSafetyNetAppsVerificationFailed]))

  package static let appActionIfAndroidSafetyNetAppsVerificationFailed = action(
    1049, "appActionIfAndroidSafetyNetAppsVerificationFailed", "What happens where the apps are not scanned")

  package static let deviceLockRequired: PolicyProperty = own(
    1050, "deviceLockRequired", .flag, "Whether the device must have a lock", combines: .onWins,
    portal: .entry(
      .deviceConditions, 88, "Require device lock",
      .document { policy in
        guard policy.flag(.deviceLockRequired) == true else { return nil }
        return PortalWords.action(policy.choice(.appActionIfDeviceLockNotSet)) ?? "Block access"
      }, with: [.appActionIfDeviceLockNotSet]))

  package static let appActionIfDeviceLockNotSet = action(
    1051, "appActionIfDeviceLockNotSet", "What happens on a device without a lock")

  package static let appActionIfDevicePasscodeComplexityLessThanLow: PolicyProperty = own(
    1052, "appActionIfDevicePasscodeComplexityLessThanLow", PolicyValueForm<RemediationAction>.choice,
    "What happens on a device whose lock is simpler than of low complexity", combines: .strictestChoice,
    portal: .entry(
      .deviceConditions, 89, "Require device lock, complexity",
      .document { policy in
        PortalWords.joined(
          PortalWords.lock("Low", policy.choice(.appActionIfDevicePasscodeComplexityLessThanLow)),
          PortalWords.lock("Medium", policy.choice(.appActionIfDevicePasscodeComplexityLessThanMedium)),
          PortalWords.lock("High", policy.choice(.appActionIfDevicePasscodeComplexityLessThanHigh)))
      },
      with: [
        .appActionIfDevicePasscodeComplexityLessThanMedium, .appActionIfDevicePasscodeComplexityLessThanHigh,
      ]))

  package static let appActionIfDevicePasscodeComplexityLessThanMedium = action(
    1053, "appActionIfDevicePasscodeComplexityLessThanMedium",
    "What happens on a device whose lock is simpler than of medium complexity")

  package static let appActionIfDevicePasscodeComplexityLessThanHigh = action(
    1054, "appActionIfDevicePasscodeComplexityLessThanHigh",
    "What happens on a device whose lock is simpler than of high complexity")

  package static let minimumWarningCompanyPortalVersion = own(
    1055, "minimumWarningCompanyPortalVersion", .text, "Below this version of the Company Portal the user is warned",
    combines: .higherVersion, portal: .entry(.deviceConditions, 110, "Min Company Portal version, Warn", .version))

  package static let minimumRequiredCompanyPortalVersion = own(
    1056, "minimumRequiredCompanyPortalVersion", .text, "Below this version of the Company Portal access is blocked",
    combines: .higherVersion,
    portal: .entry(.deviceConditions, 112, "Min Company Portal version, Block access", .version))

  package static let minimumWipeCompanyPortalVersion = own(
    1057, "minimumWipeCompanyPortalVersion", .text, "Below this version of the Company Portal data is removed",
    combines: .higherVersion, portal: .entry(.deviceConditions, 114, "Min Company Portal version, Wipe data", .version))

  package static let warnAfterCompanyPortalUpdateDeferralInDays = days(
    1058, "warnAfterCompanyPortalUpdateDeferralInDays",
    "How many days after an update of the Company Portal the user is warned", 116, "Warn")

  package static let blockAfterCompanyPortalUpdateDeferralInDays = days(
    1059, "blockAfterCompanyPortalUpdateDeferralInDays",
    "How many days after an update of the Company Portal access is blocked", 118, "Block access")

  package static let wipeAfterCompanyPortalUpdateDeferralInDays = days(
    1060, "wipeAfterCompanyPortalUpdateDeferralInDays",
    "How many days after an update of the Company Portal data is removed", 120, "Wipe data")

  package static let appActionIfSamsungKnoxAttestationRequired = own(
    1061, "appActionIfSamsungKnoxAttestationRequired", PolicyValueForm<RemediationAction>.choice,
    "What happens on a device without the attestation of Samsung Knox", combines: .strictestChoice,
    portal: .entry(
      .deviceConditions, 122, "Samsung Knox device attestation",
      .value { action in
        action == .blockWhenSettingIsSupported ? "Block access on supported devices" : PortalWords.action(action)
      }))

  /// An action that another setting's entry shows.
  private static func action(_ number: Int, _ name: String, _ meaning: String) -> PolicyProperty {
    own(
      number, name, PolicyValueForm<RemediationAction>.choice, meaning, combines: .strictestChoice,
      portal: .beside(.deviceConditions))
  }

  /// Days after an update, where zero is no limit.
  private static func days(
    _ number: Int, _ name: String, _ meaning: String, _ place: Int, _ action: String
  ) -> PolicyProperty {
    own(
      number, name, .number(0...2_147_483_647, documented: 0...365), meaning, combines: .shortestLimit,
      portal: .entry(
        .deviceConditions, place, "Max Company Portal version age (days), \(action)",
        .value { $0 == 0 ? nil : "\($0)" }))
  }
}

extension PortalWords {
  /// An app by its name and its package.
  fileprivate static func named(_ name: String, _ package: String?) -> String {
    guard let package, !package.isEmpty else { return name }
    return name.isEmpty ? package : "\(name) (\(package))"
  }

  /// A list of what is allowed, and what happens elsewhere.
  fileprivate static func allowing(_ list: String, else action: RemediationAction?) -> String {
    let verb = action == .wipe ? "Wipe" : action == .block || action == nil ? "Block" : unknown
    return "\(list), Allow specified (\(verb) non-specified)"
  }

  /// What happens below a complexity of the device's lock.
  fileprivate static func lock(_ complexity: String, _ action: RemediationAction?) -> String? {
    PortalWords.action(action).map { "\(complexity) complexity: \($0)" }
  }
}
