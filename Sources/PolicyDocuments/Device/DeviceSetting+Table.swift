extension DeviceSetting {
  /// Every setting that is documented or was found in dumps, ordered by kind.
  public static let all: [DeviceSetting] = transfer + surfaces + access + conditions + versions + deviceOnly

  private static let transfer: [DeviceSetting] = [
    DeviceSetting("AppSharingToLevel", choice(DeviceSharingLevel.self), "allowedOutboundDataTransferDestinations"),
    DeviceSetting("AppSharingFromLevel", choice(DeviceSharingLevel.self), "allowedInboundDataTransferSources"),
    DeviceSetting("EnableOpenInFilter", .flag(negated: false), "filterOpenInToOnlyManagedApps"),
    DeviceSetting("ProtectManagedOpenInData", .flag(negated: true), "disableProtectionOfManagedOutboundOpenInData"),
    DeviceSetting(
      "ProtectAllIncomingUnknownSourceData", .flag(negated: false), "protectInboundDataFromUnknownSources"),
    DeviceSetting("ClipboardSharingLevel", choice(DeviceClipboardLevel.self), "allowedOutboundClipboardSharingLevel"),
    DeviceSetting(
      "ClipboardCharacterExceptionLength", or: ["ClipboardCharacterLengthException"], .number,
      "allowedOutboundClipboardSharingExceptionLength"),
    DeviceSetting("FileSharingSaveAsDisabled", .flag(negated: false), "saveAsBlocked"),
    DeviceSetting("ManagedLocations", mask(DeviceSaveLocation.self), "allowedDataStorageLocations"),
    DeviceSetting(
      "OpenDataIntoOrgDocumentsBlocked", .flag(negated: false), "blockDataIngestionIntoOrganizationDocuments"),
    DeviceSetting("OpenDataFromManagedLocations", mask(DeviceOpenLocation.self), "allowedDataIngestionLocations"),
    DeviceSetting("ProtocolExclusions", .schemes, "exemptedAppProtocols"),
    DeviceSetting("UniversalLinkExclusions", .links, "exemptedUniversalLinks"),
    DeviceSetting("ManagedUniversalLinks", or: ["ManageableUniversalLinks"], .links, "managedUniversalLinks"),
    DeviceSetting("DataBackupDisabled", .flag(negated: false), "dataBackupBlocked"),
    DeviceSetting("FileEncryptionLevel", choice(DeviceFileEncryptionLevel.self), "appDataEncryptionType"),
  ]

  private static let surfaces: [DeviceSetting] = [
    DeviceSetting("ManagedBrowserRequired", .flag(negated: false), "managedBrowserToOpenLinksRequired"),
    DeviceSetting("UnmanagedBrowserProtocol", .text, "customBrowserProtocol"),
    DeviceSetting("DialerRestrictionLevel", choice(DeviceDialerLevel.self), "dialerRestrictionLevel"),
    DeviceSetting("SpecificDialerProtocol", .text, "customDialerAppProtocol"),
    DeviceSetting("ContactSyncDisabled", .flag(negated: false), "contactSyncBlocked"),
    DeviceSetting("PrintingBlocked", .flag(negated: false), "printBlocked"),
    DeviceSetting("ThirdPartyKeyboardsBlocked", .flag(negated: false), "thirdPartyKeyboardsBlocked"),
    DeviceSetting("NotificationRestriction", choice(DeviceNotificationRestriction.self), "notificationRestriction"),
    DeviceSetting(
      "ScreenCaptureConfigurationState", choice(DeviceFeatureState.self), "screenCaptureConfigurationState"),
    DeviceSetting("GenmojiConfigurationState", choice(DeviceFeatureState.self), "genmojiConfigurationState"),
    DeviceSetting(
      "WritingToolsConfigurationState", choice(DeviceFeatureState.self), "writingToolsConfigurationState"),
  ]

  private static let access: [DeviceSetting] = [
    DeviceSetting("PINEnabled", .flag(negated: false), "pinRequired"),
    DeviceSetting("PINMinLength", .number, "minimumPinLength"),
    DeviceSetting("PINCharacterType", choice(DevicePINCharacterType.self), "pinCharacterSet"),
    DeviceSetting("SimplePINAllowed", .flag(negated: true), "simplePinBlocked"),
    DeviceSetting("PINExpiryDays", .days, "periodBeforePinReset"),
    DeviceSetting("TouchIDEnabled", .flag(negated: true), "fingerprintBlocked"),
    DeviceSetting("FaceIDEnabled", .flag(negated: true), "faceIdBlocked"),
    DeviceSetting("NonBioPassTimeOutRequired", .biometricTimeoutRequired, "pinRequiredInsteadOfBiometricTimeout"),
    DeviceSetting("NonBioPassTimeOut", .biometricTimeout, "pinRequiredInsteadOfBiometricTimeout"),
    DeviceSetting("AppPinDisabled", .flag(negated: false), "disableAppPinIfDevicePinIsSet"),
    DeviceSetting("AuthenticationEnabled", .flag(negated: false), "organizationalCredentialsRequired"),
    DeviceSetting("AccessRecheckOnlineTimeout", .minutes, "periodOnlineBeforeAccessCheck"),
  ]

  private static let conditions: [DeviceSetting] = [
    DeviceSetting("PINNumRetry", .number, "maximumPinRetries"),
    DeviceSetting("MaxPinRetryExceededAction", choice(DevicePINAction.self), "appActionIfMaximumPinRetriesExceeded"),
    DeviceSetting("AccessRecheckOfflineTimeout", .minutes, "periodOfflineBeforeAccessCheck"),
    DeviceSetting("OfflineWipeInterval", .days, "periodOfflineBeforeWipeIsEnforced"),
    DeviceSetting("DeviceComplianceEnabled", .flag(negated: false), "deviceComplianceRequired"),
    DeviceSetting(
      "DeviceComplianceFailureAction", choice(DeviceConditionAction.self), "appActionIfDeviceComplianceRequired"),
    DeviceSetting(
      "AppActionIfUnableToAuthenticateUser", choice(DeviceConditionAction.self), "appActionIfUnableToAuthenticateUser"
    ),
    DeviceSetting(
      "AllowedIOSModelsElseBlock", .models(.block), "allowedIosDeviceModels", "appActionIfIosDeviceModelNotAllowed"),
    DeviceSetting(
      "AllowedIOSModelsElseWipe", .models(.wipe), "allowedIosDeviceModels", "appActionIfIosDeviceModelNotAllowed"),
    DeviceSetting(
      "MinimumRequiredDeviceThreatProtectionLevel", choice(DeviceThreatProtectionLevel.self),
      "maximumAllowedDeviceThreatLevel"),
    DeviceSetting(
      "MobileThreatDefenseRemediationAction", choice(DeviceConditionAction.self),
      "mobileThreatDefenseRemediationAction"),
    DeviceSetting(
      "BlockClockStatusWithGracePeriod", .clockOutGrace, "gracePeriodToBlockAppsDuringOffClockHours",
      "appActionIfAccountIsClockedOut"),
  ]

  private static let versions: [DeviceSetting] = [
    DeviceSetting("MinOsVersion", .version, "minimumRequiredOsVersion"),
    DeviceSetting("MinOsVersionWarning", .version, "minimumWarningOsVersion"),
    DeviceSetting("MinOsVersionWipe", .version, "minimumWipeOsVersion"),
    DeviceSetting("MaxOsVersion", .version, "maximumRequiredOsVersion"),
    DeviceSetting("MaxOsVersionWarning", .version, "maximumWarningOsVersion"),
    DeviceSetting("MaxOsVersionWipe", .version, "maximumWipeOsVersion"),
    DeviceSetting("MinAppVersion", .version, "minimumRequiredAppVersion"),
    DeviceSetting("MinAppVersionWarning", .version, "minimumWarningAppVersion"),
    DeviceSetting("MinAppVersionWipe", .version, "minimumWipeAppVersion"),
    DeviceSetting("MinSDKVersion", .version, "minimumRequiredSdkVersion"),
    DeviceSetting("MinSDKVersionWarning", .version, "minimumWarningSdkVersion"),
    DeviceSetting("MinSDKVersionWipe", .version, "minimumWipeSdkVersion"),
  ]

  private static let deviceOnly: [DeviceSetting] = [
    only("DictationBlocked", "Whether dictation is blocked"),
    only("RequireFileEncryption", "Whether the app must encrypt files itself; the service does not use it"),
    only("ClipboardEncryptionEnabled", "Whether the clipboard is encrypted"),
    only("IntuneIdentityUPN", "The user principal name of the managed account"),
    only("IntuneIdentityOID", "The object id of the managed account"),
    only("IntuneMAMPolicyVersion", "The version of the encoding"),
    only("ContainerName", "The name of the container"),
    only("UsePPE", "Whether the service's test environment is used"),
    only("ManagedBrowserURLListMode", "How the lists of the retired managed browser count"),
    only("MTDAppStoreUrl", "Where the threat defense app is found"),
    only("MTDAppFriendlyName", "What the threat defense app is called"),
    only("MTDAppLaunchUrl", "How the threat defense app is opened"),
    only("IsMTDAppEnabledForWPJ", "Whether the threat defense app joins the workplace"),
    only("WPJReplicationDelay", "How long joining the workplace takes to be known"),
    only("DisableAria", "Whether telemetry is off"),
    only("DisableShareSense", "Not used by the service"),
    only("ADALTenantId", "The tenant for signing in"),
    only("QuickLookBlockedOverride", "Whether Quick Look is left alone"),
    only("MinSecurityPatchVersionWarn", "Of another platform"),
    only("MaxSecurityPatchVersionWarn", "Of another platform"),
  ]

  private static func only(_ name: String, _ meaning: String) -> DeviceSetting {
    DeviceSetting(name, .deviceOnly, meaning: meaning)
  }
}
