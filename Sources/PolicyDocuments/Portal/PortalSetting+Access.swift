import AppProtection

/// The page "Access requirements" (D iOS app protection policy settings).
extension PortalSetting {
  static let access: [PortalSetting] = [
    PortalSetting(.access, "PIN for access", "pinRequired") { PortalWords.requireOrNot($0.access.pinRequired) },
    PortalSetting(.access, "PIN type", "pinCharacterSet") {
      PortalWords.choice($0.access.pinCharacterSet, [.numeric: "Numeric", .alphanumericAndSymbol: "Passcode"])
    },
    PortalSetting(.access, "Simple PIN", "simplePinBlocked") { PortalWords.blockOrAllow($0.access.simplePinBlocked) },
    PortalSetting(.access, "Select minimum PIN length", "minimumPinLength") {
      $0.access.minimumPinLength.map { "\($0)" }
    },
    PortalSetting(.access, "Touch ID instead of PIN for access", "fingerprintBlocked") {
      PortalWords.blockOrAllow($0.access.fingerprintBlocked)
    },
    PortalSetting(.access, "Face ID instead of PIN for access", "faceIdBlocked") {
      PortalWords.blockOrAllow($0.access.faceIdBlocked)
    },
    PortalSetting(
      .access, "Override biometrics with PIN after timeout", "pinRequiredInsteadOfBiometricTimeout"
    ) { policy in
      PortalWords.duration(policy.access.pinRequiredInsteadOfBiometricTimeout, in: .minute)
        .map { "Require, after \($0) of inactivity" }
    },
    PortalSetting(.access, "PIN reset after number of days", "periodBeforePinReset") { policy in
      guard let period = policy.access.periodBeforePinReset else { return nil }
      return period.nanoseconds == 0 ? "No" : PortalWords.duration(period, in: .day).map { "Yes, after \($0)" }
    },
    PortalSetting(.access, "Select number of previous PIN values to maintain", "previousPinBlockCount") {
      $0.access.previousPinBlockCount.map { "\($0)" }
    },
    PortalSetting(.access, "App PIN when device PIN is set", "disableAppPinIfDevicePinIsSet") {
      PortalWords.flag("Not required", "Require")($0.access.disableAppPinIfDevicePinIsSet)
    },
    PortalSetting(
      .access, "Work or school account credentials for access", "organizationalCredentialsRequired"
    ) {
      PortalWords.requireOrNot($0.access.organizationalCredentialsRequired)
    },
    PortalSetting(
      .access, "Recheck the access requirements after (minutes of inactivity)", "periodOnlineBeforeAccessCheck"
    ) {
      PortalWords.duration($0.access.periodOnlineBeforeAccessCheck, in: .minute)
    },
  ]
}
