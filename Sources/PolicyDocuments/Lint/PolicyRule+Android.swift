import AppProtection
import JSON

/// Rules of settings that only Android has.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let android: [PolicyRule] = [
    noApprovedKeyboard, keyboardsWithoutEffect, conflictingBiometrics, invalidPatchLevel, evaluationWithoutVerdict,
    deferralTooLong, knoxOnOtherDevices,
  ]

  private static let page = "D Android app protection policy settings"

  /// Only approved keyboards are allowed, and none is approved.
  public static let noApprovedKeyboard = PolicyRule(
    "noApprovedKeyboard", .warning, "Where only approved keyboards may be used, one or more are approved.", page,
    in: .transfer
  ) { policy, notes in
    guard policy.flag(.keyboardsRestricted) == true, policy.pairs(.approvedKeyboards)?.isEmpty ?? true else { return }
    notes.add(
      PolicyProperty.keyboardsRestricted.name, "only approved keyboards may be used, and approvedKeyboards has none",
      remedy: "list the keyboards to approve, or set it to false")
  }

  /// Keyboards are approved, and all are allowed.
  public static let keyboardsWithoutEffect = PolicyRule(
    "keyboardsWithoutEffect", .note, "Approved keyboards count only where all others are blocked.", page, in: .transfer,
    contradicts: true
  ) { policy, notes in
    guard policy.flag(.keyboardsRestricted) != true, policy.pairs(.approvedKeyboards)?.isEmpty == false else { return }
    notes.add(
      PolicyProperty.approvedKeyboards.name, "keyboardsRestricted is not true, so that the list has no effect",
      remedy: "set keyboardsRestricted to true, or empty the list")
  }

  /// Two settings about biometrics disagree.
  public static let conflictingBiometrics = PolicyRule(
    "conflictingBiometrics", .warning, "Settings about biometrics do not contradict one another.",
    "G androidManagedAppProtection, fingerprintAndBiometricEnabled", in: .access, contradicts: true
  ) { policy, notes in
    guard let isEnabled = policy.flag(.fingerprintAndBiometricEnabled) else { return }
    let flags = [
      (PolicyProperty.fingerprintBlocked.name, policy.access.fingerprintBlocked),
      (PolicyProperty.biometricAuthenticationBlocked.name, policy.flag(.biometricAuthenticationBlocked)),
    ]
    guard let other = flags.first(where: { $0.1 == isEnabled }) else { return }
    notes.add(
      PolicyProperty.fingerprintAndBiometricEnabled.name, "it is \(isEnabled), and so is \(other.0)",
      remedy: "remove it: \(flags[0].0) and \(flags[1].0) say the same")
  }

  /// A patch level is no date.
  public static let invalidPatchLevel = PolicyRule(
    "invalidPatchLevel", .error, "A patch level is a date: year, month and day.", page
  ) { subject, notes in
    guard case .patchLevel(let name, let text) = subject, !PolicyVersionNumber.isUnset(text),
      !PolicyLint.isPlaceholder(text, in: name), !isDate(text)
    else { return }
    notes.add(
      name, "\(JSONExcerpt.quoted(text)) is not a patch level", remedy: "write a date such as 2026-01-05")
  }

  private static func isDate(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let month = Int(parts[1]), let day = Int(parts[2])
    else { return false }
    return (1...12).contains(month) && (1...31).contains(day)
  }

  /// A strong evaluation is required of a verdict that the policy does not ask for.
  public static let evaluationWithoutVerdict = PolicyRule(
    "evaluationWithoutVerdict", .warning, "How integrity is evaluated counts only where it is asked for.", "DERIVED",
    in: .conditions, contradicts: true
  ) { policy, notes in
    guard let evaluation: AndroidAttestationEvaluation = policy.choice(.requiredAndroidSafetyNetEvaluationType),
      evaluation == .hardwareBacked
    else { return }
    let type: AndroidDeviceAttestation? = policy.choice(.requiredAndroidSafetyNetDeviceAttestationType)
    guard type ?? .nothing == .nothing else { return }
    notes.add(
      PolicyProperty.requiredAndroidSafetyNetEvaluationType.name,
      "requiredAndroidSafetyNetDeviceAttestationType asks for no integrity, so that the evaluation has no effect",
      remedy: "set requiredAndroidSafetyNetDeviceAttestationType, or set it to basic")
  }

  /// The age of the Company Portal is beyond what Graph allows.
  public static let deferralTooLong = PolicyRule(
    "deferralTooLong", .error, "The age of the Company Portal is 0 to 365 days.", "G androidManagedAppProtection",
    in: .conditions
  ) { policy, notes in
    for property: PolicyProperty in [
      .warnAfterCompanyPortalUpdateDeferralInDays, .blockAfterCompanyPortalUpdateDeferralInDays,
      .wipeAfterCompanyPortalUpdateDeferralInDays,
    ] {
      notes.addNumber(property.name, of: policy)
    }
  }

  /// Knox is demanded of devices that cannot have it.
  public static let knoxOnOtherDevices = PolicyRule(
    "knoxOnOtherDevices", .note,
    "Where Samsung Knox is demanded, a policy reaches devices of Samsung alone, by their models or a filter.", page,
    in: .conditions
  ) { policy, notes in
    let action: RemediationAction? = policy.choice(.appActionIfSamsungKnoxAttestationRequired)
    let isFiltered = policy.targeting.assignments?.contains { $0.filterID != nil && $0.filterType != "none" } == true
    guard let action, [.block, .wipe].contains(action), !isFiltered else { return }
    notes.add(
      PolicyProperty.appActionIfSamsungKnoxAttestationRequired.name,
      "every device of another manufacturer fails it: \(action == .block ? "access is blocked" : "data is removed")",
      remedy: "set it to blockWhenSettingIsSupported, or assign the policy with a filter for Samsung")
  }
}

extension PolicyDocument {
  /// Whether nothing but the PIN opens the app.
  var blocksBiometrics: Bool {
    switch kind.platform {
    case .ios, .windows: access.fingerprintBlocked == true && access.faceIdBlocked == true
    case .android: flag(.biometricAuthenticationBlocked) == true || flag(.fingerprintAndBiometricEnabled) == false
    }
  }
}
