import AppProtection
import JSON

/// Checks of launch conditions and access requirements.
extension PolicyLint {
  /// actionNotOffered, actionWithoutCondition, wipeBeforeBlock, shortOfflineGrace, modelSeparator, partnerWithoutLevel
  mutating func checkConditions() {
    let launch = policy.conditionalLaunch
    let conditions: [(name: String, action: RemediationAction?, offered: [RemediationAction])] = [
      ("appActionIfMaximumPinRetriesExceeded", launch.appActionIfMaximumPinRetriesExceeded, [.block, .wipe]),
      ("appActionIfDeviceComplianceRequired", launch.appActionIfDeviceComplianceRequired, [.block, .wipe]),
      ("appActionIfUnableToAuthenticateUser", launch.appActionIfUnableToAuthenticateUser, [.block, .wipe]),
      ("appActionIfAccountIsClockedOut", launch.appActionIfAccountIsClockedOut, [.block, .warn]),
      ("appActionIfIosDeviceModelNotAllowed", launch.appActionIfIosDeviceModelNotAllowed, [.block, .wipe]),
      ("mobileThreatDefenseRemediationAction", launch.mobileThreatDefenseRemediationAction, [.block, .wipe]),
    ]
    for (name, action, offered) in conditions {
      guard let action, action.isRecognized, !offered.contains(action) else { continue }
      note(
        .actionNotOffered, name, "\(action.rawValue) is not an action for this condition",
        remedy: "write \(offered.map(\.rawValue).joined(separator: " or "))")
    }
    if launch.appActionIfAccountIsClockedOut != nil, launch.gracePeriodToBlockAppsDuringOffClockHours == nil {
      note(
        .actionWithoutCondition, "appActionIfAccountIsClockedOut",
        "gracePeriodToBlockAppsDuringOffClockHours is not set, so that working time is not looked at",
        remedy: "set it, such as to PT15M, or remove the action")
    } else if launch.gracePeriodToBlockAppsDuringOffClockHours != nil, launch.appActionIfAccountIsClockedOut == nil {
      note(
        .actionWithoutCondition, "gracePeriodToBlockAppsDuringOffClockHours",
        "appActionIfAccountIsClockedOut is not set, so that nothing happens after working time",
        remedy: "set it to block or warn, or remove the period")
    }
    if let block = launch.periodOfflineBeforeAccessCheck {
      // Zero means no limit.
      if let wipe = launch.periodOfflineBeforeWipeIsEnforced, wipe.nanoseconds > 0,
        wipe.nanoseconds <= block.nanoseconds
      {
        note(
          .wipeBeforeBlock, "periodOfflineBeforeWipeIsEnforced",
          "data is removed after \(wipe.text) offline, and access is blocked after \(block.text)",
          remedy: "set it above periodOfflineBeforeAccessCheck, such as to P90D")
      }
      if block.nanoseconds == 0 {
        note(
          .shortOfflineGrace, "periodOfflineBeforeAccessCheck",
          "\(block.text) is taken for no limit, so that access is never blocked offline",
          remedy: "set it to PT30M or more, or remove it")
      } else if block.nanoseconds < 1_800_000_000_000 {
        note(
          .shortOfflineGrace, "periodOfflineBeforeAccessCheck",
          "\(block.text) is less than 30 minutes, so that opening the app may be interrupted every time",
          remedy: "set it to PT30M or more")
      }
    }
    checkModels(launch.allowedIosDeviceModels)
    let level = launch.maximumAllowedDeviceThreatLevel
    if let partner = launch.mobileThreatDefensePartnerPriority, partner.isRecognized, level == .notConfigured {
      note(
        .partnerWithoutLevel, "mobileThreatDefensePartnerPriority",
        "maximumAllowedDeviceThreatLevel is not configured, so that no service is asked",
        remedy: "set maximumAllowedDeviceThreatLevel, or remove it")
    }
  }

  /// Every identifier contains a comma, so a comma cannot separate two.
  private mutating func checkModels(_ list: String?) {
    guard let list, !Self.isPlaceholder(list, in: "allowedIosDeviceModels") else { return }
    for model in PolicyText.list(list) {
      let parts = model.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count > 1, parts.count > 2 || !(parts.last?.allSatisfy(\.isWholeNumber) ?? true) else { continue }
      note(
        .modelSeparator, "allowedIosDeviceModels",
        "\(JSONExcerpt.quoted(model)) is compared as one model, because semicolons separate models and commas do not",
        remedy: "write a semicolon between two models, such as iPhone12,1;iPhone13,2")
      return
    }
  }

  // MARK: Access

  /// simplePIN, pinLength, biometricTimeoutTooShort, biometricTimeoutWithoutBiometrics
  mutating func checkAccess() {
    let access = policy.access
    guard access.pinRequired == true else { return }
    if access.simplePinBlocked == false {
      note(
        .simplePIN, "simplePinBlocked", "PINs such as 1234 and 1111 are allowed", remedy: "set it to true")
    }
    checkNumber("minimumPinLength", .pinLength)
    guard let timeout = access.pinRequiredInsteadOfBiometricTimeout else { return }
    if access.fingerprintBlocked == true, access.faceIdBlocked == true {
      note(
        .biometricTimeoutWithoutBiometrics, "pinRequiredInsteadOfBiometricTimeout",
        "Touch ID and Face ID are blocked, so that the timeout has no effect", remedy: "remove it")
    } else if let recheck = access.periodOnlineBeforeAccessCheck, timeout.nanoseconds <= recheck.nanoseconds {
      note(
        .biometricTimeoutTooShort, "pinRequiredInsteadOfBiometricTimeout",
        "\(timeout.text) is not longer than periodOnlineBeforeAccessCheck, \(recheck.text), so biometrics are hardly ever requested",
        remedy: "set it above \(recheck.text)")
    }
  }
}
