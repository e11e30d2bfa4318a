extension LaunchRule {
  /// The settings that make the rule come to an outcome, by their names in Graph.
  public func settings(for outcome: LaunchOutcome) -> [String] {
    switch self {
    case .met, .unmanaged, .pendingWipe, .keychain: []
    case .offlineWipe: ["periodOfflineBeforeWipeIsEnforced"]
    case .offlineAccess: ["periodOfflineBeforeAccessCheck"]
    case .jailbreak: ["deviceComplianceRequired", "appActionIfDeviceComplianceRequired"]
    case .sdkVersion: ["minimum\(Self.word(outcome))SdkVersion"]
    case .appVersion: ["minimum\(Self.word(outcome))AppVersion"]
    case .osMinimum: ["minimum\(Self.word(outcome))OsVersion"]
    case .osMaximum: ["maximum\(Self.word(outcome))OsVersion"]
    case .deviceModel: ["allowedIosDeviceModels", "appActionIfIosDeviceModelNotAllowed"]
    case .threatLevel:
      [
        "maximumAllowedDeviceThreatLevel", "mobileThreatDefenseRemediationAction", "mobileThreatDefensePartnerPriority",
      ]
    case .accountDisabled: ["appActionIfUnableToAuthenticateUser"]
    case .devicePasscode: ["appDataEncryptionType"]
    case .pinAttempts: ["pinRequired", "maximumPinRetries", "appActionIfMaximumPinRetriesExceeded"]
    case .clockOut: ["gracePeriodToBlockAppsDuringOffClockHours", "appActionIfAccountIsClockedOut"]
    case .pinMissing: ["pinRequired", "disableAppPinIfDevicePinIsSet"]
    case .pinExpired: ["pinRequired", "periodBeforePinReset"]
    case .pinQuality: ["pinRequired", "minimumPinLength", "pinCharacterSet", "simplePinBlocked"]
    case .pin:
      [
        "pinRequired", "periodOnlineBeforeAccessCheck", "fingerprintBlocked", "faceIdBlocked",
        "pinRequiredInsteadOfBiometricTimeout",
      ]
    case .signIn: ["organizationalCredentialsRequired", "periodOnlineBeforeAccessCheck"]
    }
  }

  private static func word(_ outcome: LaunchOutcome) -> String {
    switch outcome {
    case .wipe: "Wipe"
    case .warn: "Warning"
    default: "Required"
    }
  }

  /// The facts that the rule compares with its settings, as paths of the state.
  public func facts(of account: AccountNumber) -> [String] {
    let record = "/launch/accounts/\(account)"
    return switch self {
    case .met: []
    case .unmanaged: ["/policies/\(account)/enforced"]
    case .pendingWipe: ["/accounts/\(account)/enrollment/status", "/wipes/\(account)/reason"]
    case .offlineWipe, .offlineAccess:
      ["/accounts/\(account)/enrollment/lastCompletedCheckIn", "\(record)/checkedInAt", "/launch/clock/elapsed"]
    case .jailbreak: ["/launch/device/isJailbroken"]
    case .sdkVersion: ["/process/sdkVersion", "/launch/device/isPolicyVersionUnknown"]
    case .appVersion: ["/process/appVersion"]
    case .osMinimum, .osMaximum: ["/process/osVersion"]
    case .deviceModel: ["/process/deviceModel"]
    case .threatLevel:
      ["threatDefense", "threatLevel", "defender", "defenderThreatLevel"].map { "/launch/device/\($0)" }
    case .accountDisabled: ["\(record)/isDisabled"]
    case .keychain: ["/launch/device/isKeychainUnreadable"]
    case .devicePasscode: ["/launch/device/hasPasscode"]
    case .pinAttempts: ["/launch/pin/failures"]
    case .clockOut: ["\(record)/clockStatus", "\(record)/offWorkSince", "/launch/clock/elapsed"]
    case .pinMissing:
      ["/launch/pin/setAt", "/launch/pin/generation", "/launch/device/isManaged", "/launch/device/hasPasscode"]
    case .pinExpired: ["/launch/pin/setAt", "/launch/clock/elapsed"]
    case .pinQuality:
      ["length", "hasDigit", "hasLetter", "hasSymbol", "hasSimpleRun"].map { "/launch/pin/\($0)" }
    case .pin:
      [
        "/launch/pin/verifiedAt", "/launch/pin/biometricsAt", "/launch/pin/biometry", "/launch/pin/longestPause",
        "\(record)/biometricsAt", "\(record)/passedAt", "/launch/pin/biometricsChanged", "/launch/device/biometry",
        "/launch/clock/elapsed",
      ]
    case .signIn: ["\(record)/signedInAt", "\(record)/passedAt", "/launch/clock/elapsed"]
    }
  }
}
