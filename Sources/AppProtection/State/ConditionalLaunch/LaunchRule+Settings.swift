extension LaunchRule {
  /// The settings that give the rule an outcome, by their names in Graph.
  public func settings(for outcome: LaunchOutcome) -> [String] { properties(for: outcome).map(\.name) }

  /// The facts that the rule compares with its settings, as paths of the state.
  public func facts(of account: AccountNumber) -> [String] { facts.map { $0.path(of: account) } }

  /// The settings that give the rule an outcome.
  package func properties(for outcome: LaunchOutcome) -> [PolicyProperty] {
    switch self {
    case .met, .unmanaged, .pendingWipe, .keychain: []
    case .offlineWipe: [.periodOfflineBeforeWipeIsEnforced]
    case .offlineAccess: [.periodOfflineBeforeAccessCheck]
    case .jailbreak: [.deviceComplianceRequired, .appActionIfDeviceComplianceRequired]
    case .sdkVersion, .appVersion, .osMinimum, .osMaximum: limit(for: outcome).map { [$0] } ?? []
    case .deviceModel: [.allowedIosDeviceModels, .appActionIfIosDeviceModelNotAllowed]
    case .threatLevel:
      [.maximumAllowedDeviceThreatLevel, .mobileThreatDefenseRemediationAction, .mobileThreatDefensePartnerPriority]
    case .accountDisabled: [.appActionIfUnableToAuthenticateUser]
    case .devicePasscode: [.appDataEncryptionType]
    case .pinAttempts: [.pinRequired, .maximumPinRetries, .appActionIfMaximumPinRetriesExceeded]
    case .clockOut: [.gracePeriodToBlockAppsDuringOffClockHours, .appActionIfAccountIsClockedOut]
    case .pinMissing: [.pinRequired, .disableAppPinIfDevicePinIsSet]
    case .pinExpired: [.pinRequired, .periodBeforePinReset]
    case .pinQuality: [.pinRequired, .minimumPinLength, .pinCharacterSet, .simplePinBlocked]
    case .pin:
      [
        .pinRequired, .periodOnlineBeforeAccessCheck, .fingerprintBlocked, .faceIdBlocked,
        .pinRequiredInsteadOfBiometricTimeout,
      ]
    case .signIn: [.organizationalCredentialsRequired, .periodOnlineBeforeAccessCheck]
    }
  }

  /// The limit of a version that leads to an outcome; `nil` for a rule about something else.
  func limit(for outcome: LaunchOutcome) -> PolicyProperty? {
    switch (self, outcome) {
    case (.sdkVersion, .wipe): .minimumWipeSdkVersion
    case (.sdkVersion, .warn): .minimumWarningSdkVersion
    case (.sdkVersion, _): .minimumRequiredSdkVersion
    case (.appVersion, .wipe): .minimumWipeAppVersion
    case (.appVersion, .warn): .minimumWarningAppVersion
    case (.appVersion, _): .minimumRequiredAppVersion
    case (.osMinimum, .wipe): .minimumWipeOsVersion
    case (.osMinimum, .warn): .minimumWarningOsVersion
    case (.osMinimum, _): .minimumRequiredOsVersion
    case (.osMaximum, .wipe): .maximumWipeOsVersion
    case (.osMaximum, .warn): .maximumWarningOsVersion
    case (.osMaximum, _): .maximumRequiredOsVersion
    case (_, _): nil
    }
  }

  /// The facts that the rule compares with its settings.
  var facts: [LaunchFact] {
    switch self {
    case .met: []
    case .unmanaged: [.isEnforced]
    case .pendingWipe: [.enrollmentStatus, .wipeReason]
    case .offlineWipe, .offlineAccess: [.lastCompletedCheckIn, .checkedInAt, .clockElapsed]
    case .jailbreak: [.isJailbroken]
    case .sdkVersion: [.sdkVersion, .isPolicyVersionUnknown]
    case .appVersion: [.appVersion]
    case .osMinimum, .osMaximum: [.osVersion]
    case .deviceModel: [.deviceModel]
    case .threatLevel: [.threatDefense, .threatLevel, .defender, .defenderThreatLevel]
    case .accountDisabled: [.isDisabled]
    case .keychain: [.isKeychainUnreadable]
    case .devicePasscode: [.hasPasscode]
    case .pinAttempts: [.pinFailures]
    case .clockOut: [.clockStatus, .offWorkSince, .clockElapsed]
    case .pinMissing: [.pinSetAt, .pinGeneration, .isManaged, .hasPasscode]
    case .pinExpired: [.pinSetAt, .clockElapsed]
    case .pinQuality: [.pinLength, .pinHasDigit, .pinHasLetter, .pinHasSymbol, .pinHasSimpleRun]
    case .pin:
      [
        .pinVerifiedAt, .pinBiometricsAt, .pinBiometry, .pinLongestPause, .accountBiometricsAt, .passedAt,
        .biometricsChanged, .deviceBiometry, .clockElapsed,
      ]
    case .signIn: [.signedInAt, .passedAt, .clockElapsed]
    }
  }
}
