extension LaunchEvaluation {
  /// The dialog's reason for a finding; `nil` without a finding.
  func dialog(for finding: LaunchFinding) -> LaunchReason? {
    switch finding.rule {
    case .met, .unmanaged: nil
    case .pendingWipe: .dataRemoval
    case .offlineWipe: .offlineRemovalDue
    case .jailbreak: .jailbroken
    case .sdkVersion:
      finding.outcome == .block && device.isPolicyVersionUnknown ? .policyVersionMismatch : .sdkTooOld
    case .appVersion: .appTooOld
    case .osMinimum: hasBothLimits(finding.outcome) ? .osOutsideRange : .osTooOld
    case .osMaximum: hasBothLimits(finding.outcome) ? .osOutsideRange : .osTooNew
    case .deviceModel: .modelRefused
    case .threatLevel: threatDialog
    case .accountDisabled: .accountDisabled
    case .keychain: .keychainUnreadable
    case .devicePasscode: .devicePasscodeRequired
    case .offlineAccess: needsSignIn ? .offlineSignInNeeded : .offlineRefreshNeeded
    case .pinAttempts: .tooManyPINAttempts
    case .clockOut: record.clockStatus == .clockedOut ? .clockedOut : .clockStatusUncertain
    case .pinMissing: .pinMissing
    case .pinExpired: .pinExpired
    case .pinQuality: .pinTooWeak
    case .pin: finding.outcome == .promptBiometrics ? .biometricsRequired : .pinRequired
    case .signIn: .signInRequired
    }
  }

  /// The first member of the assumptions on which a finding rests.
  func assumption(behind first: LaunchFinding, among findings: [LaunchFinding]) -> String? {
    if let assumption = first.rule.assumption { return assumption }
    switch first.rule {
    case .clockOut where record.clockStatus != .clockedOut: return "uncertainClockStatusCountsAsOut"
    case .met where !areFactsKnown: return "unreportedFactsPass"
    case .offlineAccess where countsAnyAnswer: return "oldSDKCountsAnyAnswer"
    case .jailbreak where device.isJailbroken == nil: return "unreportedFactsPass"
    case .sdkVersion, .appVersion, .osMinimum:
      if first.outcome == .wipe && assumptions.wipeVersionInclusive { return "wipeVersionInclusive" }
    case .met, .pendingWipe, .offlineWipe, .jailbreak, .osMaximum, .deviceModel, .threatLevel, .accountDisabled,
      .keychain, .devicePasscode, .offlineAccess, .pinAttempts, .clockOut, .pinMissing, .pinExpired, .pinQuality, .pin,
      .signIn, .unmanaged:
      break
    }
    guard findings.count > 1 else { return nil }
    // Where another order would let another rule decide, the outcome rests on the order.
    let other: LaunchOrder = assumptions.launchOrder == .endingFirst ? .versionsFirst : .endingFirst
    var reordered = findings
    LaunchFinding.sort(&reordered, by: other)
    return reordered.first == findings.first ? nil : "launchOrder"
  }

  private var areFactsKnown: Bool {
    policy.conditionalLaunch.deviceComplianceRequired != true || device.isJailbroken != nil
  }

  private func hasBothLimits(_ outcome: LaunchOutcome) -> Bool {
    let conditions = policy.conditionalLaunch
    let (minimum, maximum) =
      switch outcome {
      case .wipe: (conditions.minimumWipeOsVersion, conditions.maximumWipeOsVersion)
      case .warn: (conditions.minimumWarningOsVersion, conditions.maximumWarningOsVersion)
      case .allowed, .promptSignIn, .promptBiometrics, .promptPIN, .promptNewPIN, .resetPIN, .block, .signInOrWipe:
        (conditions.minimumRequiredOsVersion, conditions.maximumRequiredOsVersion)
      }
    return LaunchVersion(setting: minimum) != nil && LaunchVersion(setting: maximum) != nil
  }

  private var threatDialog: LaunchReason {
    let report = device.threatDefense(by: policy.conditionalLaunch.mobileThreatDefensePartnerPriority)
    return switch report.state {
    case .notInstalled: .threatDefenseNotInstalled
    case .recheckFailed: .threatDefenseRecheckFailed
    case .active where report.level != .unknown: .threatTooGreat
    case .unknown, .notActivated, .active: .threatDefenseNotActivated
    }
  }
}
