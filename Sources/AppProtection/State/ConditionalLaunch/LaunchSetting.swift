/// A setting that launch conditions read, as the journal records it. Its numbers are for ever.
public enum LaunchSetting: Int, WireEnumeration {
  /// No setting demands the condition, or one that this program does not know.
  case none = 0
  /// Whether a PIN is required.
  case pinRequired = 1
  /// How many wrong PINs are accepted.
  case maximumPinRetries = 2
  /// What too many of them lead to.
  case appActionIfMaximumPinRetriesExceeded = 3
  /// Whether the device's passcode takes the PIN's place.
  case disableAppPinIfDevicePinIsSet = 4
  /// How old a PIN may become.
  case periodBeforePinReset = 5
  /// How long a PIN must be.
  case minimumPinLength = 6
  /// What a PIN must consist of.
  case pinCharacterSet = 7
  /// Whether simple PINs are refused.
  case simplePinBlocked = 8
  /// How many earlier PINs are refused.
  case previousPinBlockCount = 9
  /// After how long access requirements are asked again.
  case periodOnlineBeforeAccessCheck = 10
  /// Whether fingerprints may not take the PIN's place.
  case fingerprintBlocked = 11
  /// Whether a face may not take the PIN's place.
  case faceIdBlocked = 12
  /// After how long the PIN takes the place of biometrics.
  case pinRequiredInsteadOfBiometricTimeout = 13
  /// Whether the user must sign in.
  case organizationalCredentialsRequired = 14
  /// How data is encrypted.
  case appDataEncryptionType = 15
  /// How long an account may be out of touch before access ends.
  case periodOfflineBeforeAccessCheck = 16
  /// How long an account may be out of touch before its data is removed.
  case periodOfflineBeforeWipeIsEnforced = 17
  /// Whether jailbroken devices are refused.
  case deviceComplianceRequired = 18
  /// What a jailbroken device leads to.
  case appActionIfDeviceComplianceRequired = 19
  /// What a disabled account leads to.
  case appActionIfUnableToAuthenticateUser = 20
  /// What being off work leads to.
  case appActionIfAccountIsClockedOut = 21
  /// How long the app may be used off work.
  case gracePeriodToBlockAppsDuringOffClockHours = 22
  /// The oldest operating system that is not blocked.
  case minimumRequiredOsVersion = 23
  /// The oldest operating system without a warning.
  case minimumWarningOsVersion = 24
  /// The oldest operating system without a wipe.
  case minimumWipeOsVersion = 25
  /// The newest operating system that is not blocked.
  case maximumRequiredOsVersion = 26
  /// The newest operating system without a warning.
  case maximumWarningOsVersion = 27
  /// The newest operating system without a wipe.
  case maximumWipeOsVersion = 28
  /// The oldest app that is not blocked.
  case minimumRequiredAppVersion = 29
  /// The oldest app without a warning.
  case minimumWarningAppVersion = 30
  /// The oldest app without a wipe.
  case minimumWipeAppVersion = 31
  /// The oldest SDK that is not blocked.
  case minimumRequiredSdkVersion = 32
  /// The oldest SDK without a warning.
  case minimumWarningSdkVersion = 33
  /// The oldest SDK without a wipe.
  case minimumWipeSdkVersion = 34
  /// The models that are allowed.
  case allowedIosDeviceModels = 35
  /// What another model leads to.
  case appActionIfIosDeviceModelNotAllowed = 36
  /// The greatest threat that is allowed.
  case maximumAllowedDeviceThreatLevel = 37
  /// What a greater threat leads to.
  case mobileThreatDefenseRemediationAction = 38
  /// Which of two threat defense partners counts.
  case mobileThreatDefensePartnerPriority = 39

  /// ``none``: the setting only explains a finding, which a later program's setting must not make unreadable.
  public static var unlisted: LaunchSetting? { LaunchSetting.none }

  /// The row of the property table; the case's name is the setting's in Graph. `nil` for ``none``.
  public var property: PolicyProperty? {
    let rows = Self.rows
    return rows.indices.contains(rawValue) ? rows[rawValue] : nil
  }

  private static let rows = allCases.map { PolicyProperty.named($0.name) }
}
