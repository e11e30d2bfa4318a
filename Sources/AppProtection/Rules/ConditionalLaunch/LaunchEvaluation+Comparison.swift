extension LaunchEvaluation {
  /// A finding with the setting and the fact that a reader would compare.
  func compared(_ finding: LaunchFinding) -> LaunchFinding {
    LaunchFinding(finding.rule, finding.outcome, comparison: comparison(behind: finding))
  }

  /// The basis of a finding: the setting and the fact that a reader would compare.
  func comparison(behind finding: LaunchFinding) -> LaunchComparison {
    switch finding.rule {
    case .met: LaunchComparison(fact: .none)
    case .unmanaged: LaunchComparison(fact: .isEnforced)
    case .pendingWipe: compared(.none, .enrollmentStatus)
    case .offlineWipe: compared(.periodOfflineBeforeWipeIsEnforced, .lastCompletedCheckIn, ago: record.checkedInAt)
    case .offlineAccess: compared(.periodOfflineBeforeAccessCheck, .lastCompletedCheckIn, ago: record.checkedInAt)
    case .jailbreak: compared(.deviceComplianceRequired, .isJailbroken)
    case .sdkVersion:
      compared(
        finding.rule.limit(for: finding.outcome),
        dialog(for: finding) == .policyVersionMismatch ? .isPolicyVersionUnknown : .sdkVersion)
    case .appVersion: compared(finding.rule.limit(for: finding.outcome), .appVersion)
    case .osMinimum, .osMaximum: compared(finding.rule.limit(for: finding.outcome), .osVersion)
    case .deviceModel: compared(.allowedIosDeviceModels, .deviceModel)
    case .threatLevel: compared(.maximumAllowedDeviceThreatLevel, threatFact)
    case .accountDisabled: compared(.appActionIfUnableToAuthenticateUser, .isDisabled)
    case .keychain: compared(.none, .isKeychainUnreadable)
    case .devicePasscode: compared(.appDataEncryptionType, .hasPasscode)
    case .pinAttempts: compared(.maximumPinRetries, .pinFailures)
    case .clockOut:
      record.offWorkSince == nil
        ? compared(.gracePeriodToBlockAppsDuringOffClockHours, .clockStatus)
        : compared(.gracePeriodToBlockAppsDuringOffClockHours, .offWorkSince, ago: record.offWorkSince)
    case .pinMissing: compared(.pinRequired, .pinSetAt)
    case .pinExpired: compared(.periodBeforePinReset, .pinSetAt, ago: pin.setAt)
    case .pinQuality: weakness
    case .pin: compared(.periodOnlineBeforeAccessCheck, .pinVerifiedAt, ago: pin.verifiedAt)
    case .signIn: compared(.periodOnlineBeforeAccessCheck, .signedInAt, ago: record.signedInAt)
    }
  }

  private func compared(_ setting: PolicyProperty?, _ fact: LaunchFact, ago time: Int64? = nil) -> LaunchComparison {
    LaunchComparison(
      setting: setting, settingValue: setting.map { text(of: $0) } ?? "", fact: fact, factValue: text(of: fact),
      age: time.map { elapsed(since: $0) })
  }

  /// The first objection to the PIN that is set.
  private var weakness: LaunchComparison {
    let refusal = policy.access.refusals(of: pin.facts).first ?? .tooShort
    return switch refusal {
    case .tooShort, .reused: compared(refusal.property, .pinLength)
    case .notNumeric, .lacksLetterOrSymbol, .lacksCharacterClass: compared(refusal.property, .pinHasLetter)
    case .simple: compared(refusal.property, .pinHasSimpleRun)
    }
  }

  /// The threat defense fact that counts: the level of the deciding partner, or its state if it reports none.
  private var threatFact: LaunchFact {
    let report = device.threatDefense(by: policy.conditionalLaunch.mobileThreatDefensePartnerPriority)
    let isPartner = report.state == device.threatDefense && report.level == device.threatLevel
    if report.state == .active && report.level != .unknown { return isPartner ? .threatLevel : .defenderThreatLevel }
    return isPartner ? .threatDefense : .defender
  }

  /// A setting's value as text, or the default that applies in its place; empty for a setting that is on.
  private func text(of setting: PolicyProperty) -> String {
    switch setting.read(policy) {
    case .flag: return ""
    case .text(let text): return text
    case .number(let number): return "\(number)"
    case .duration(let duration): return duration.text
    case .choice(let number):
      if case .choice(let names) = setting.kind { return names.name(of: number) ?? "\(number)" }
      return "\(number)"
    case nil where setting == .maximumPinRetries: return "\(Self.defaultPINAttempts)"
    case nil where setting == .periodOnlineBeforeAccessCheck: return "PT30M"
    case .date, .choices, .flags, .texts, .pairs, .apps, .assignments, nil: return ""
    }
  }

  /// A fact's value as text; empty if unknown, and for a point in time.
  private func text(of fact: LaunchFact) -> String {
    return switch fact {
    case .isJailbroken: Self.text(device.isJailbroken)
    case .hasPasscode: Self.text(device.hasPasscode)
    case .isManaged: Self.text(device.isManaged)
    case .isKeychainUnreadable: Self.text(device.isKeychainUnreadable)
    case .isPolicyVersionUnknown: Self.text(device.isPolicyVersionUnknown)
    case .threatDefense: device.threatDefense == .unknown ? "" : device.threatDefense.name
    case .threatLevel: device.threatLevel == .unknown ? "" : device.threatLevel.name
    case .defender: device.defender == .unknown ? "" : device.defender.name
    case .defenderThreatLevel: device.defenderThreatLevel == .unknown ? "" : device.defenderThreatLevel.name
    case .sdkVersion: process.sdkVersion
    case .appVersion: process.appVersion
    case .osVersion: process.osVersion
    case .deviceModel: process.deviceModel
    case .enrollmentStatus: status?.name ?? ""
    case .isDisabled: Self.text(record.isDisabled)
    case .clockStatus: record.clockStatus.name
    case .pinFailures: "\(pin.failures)"
    case .pinLength: "\(pin.facts.length)"
    case .pinHasLetter: Self.text(pin.facts.hasLetter)
    case .pinHasSimpleRun: Self.text(pin.facts.hasSimpleRun)
    // Points in time, and facts that rules read without comparing them with a setting.
    case .none, .pinSetAt, .pinVerifiedAt, .pinGeneration, .pinHasDigit, .pinHasSymbol, .pinBiometricsAt, .pinBiometry,
      .pinLongestPause, .biometricsChanged, .deviceBiometry, .lastCompletedCheckIn, .checkedInAt, .wipeReason,
      .isEnforced, .offWorkSince, .signedInAt, .passedAt, .accountBiometricsAt, .clockElapsed:
      ""
    }
  }

  private static func text(_ flag: Bool?) -> String {
    flag.map { $0 ? "true" : "false" } ?? ""
  }
}
