import AppProtection
import JSON

/// Rules of settings that only Android has.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let android: [PolicyRule] = [
    invalidPackage, noApprovedKeyboard, keyboardsWithoutEffect, conflictingBiometrics, invalidPatchLevel,
    evaluationWithoutVerdict,
    deferralTooLong, knoxOnOtherDevices,
  ]

  private static let page = "D Android app protection policy settings"

  /// A package id is malformed.
  public static let invalidPackage = PolicyRule(
    "invalidPackage", .error, "An app of Android is named by one package id.", "\(page); A applicationId", in: .links
  ) { policy, notes in
    for property: PolicyProperty in [
      .exemptedAppPackages, .customDialerAppPackageId, .messagingRedirectAppPackageId, .approvedKeyboards,
      .customBrowserPackageId,
    ] {
      for (index, text) in packages(property, in: policy) {
        let setting = property.name
        guard !text.isEmpty, !PolicyLint.isPlaceholder(text, in: setting), !isPackage(text[...]) else { continue }
        let parts = text.split { ";, |".contains($0) }
        let isSeveral = parts.count > 1 && parts.allSatisfy(isPackage)
        notes.add(
          setting, element: index,
          "\(JSONExcerpt.quoted(text)) is \(isSeveral ? "several package ids, taken for one" : "not a package id")",
          trying: isSeveral
            ? [
              property.kind.isText
                ? .policy("write one of them") { $0[property] = .value(.text(String(parts[0]))) }
                : .policy("write each into an entry of its own") {
                  $0.separate(property, index, parts.map(String.init))
                }
            ] : [], otherwise: "write the id of the app, such as com.contoso.app")
      }
    }
  }

  /// The package ids of a setting, with their places in its list.
  private static func packages(_ property: PolicyProperty, in policy: PolicyDocument) -> [(Int?, String)] {
    switch policy.value(property, ofDefaultToo: .android) {
    case .text(let text): [(nil, text)]
    case .pairs(let pairs):
      // A keyboard's package is the pair's name.
      pairs.enumerated().map { ($0, property == .approvedKeyboards ? $1.name : $1.value ?? "") }
    case .flag, .number, .duration, .date, .choice, .choices, .flags, .texts, .apps, .assignments, nil: []
    }
  }

  /// Two or more parts between points, each of letters, digits and underscores and beginning with a letter (Android,
  /// `applicationId`).
  private static func isPackage(_ text: Substring) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.allSatisfy { part in
        part.utf8.first.map { (0x61...0x7A).contains($0 | 0x20) } == true
          && part.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x5F }
      }
  }

  /// Only approved keyboards are allowed, and none is approved.
  public static let noApprovedKeyboard = PolicyRule(
    "noApprovedKeyboard", .warning, "Where only approved keyboards may be used, one or more are approved.", page,
    in: .transfer
  ) { policy, notes in
    guard policy.flag(.keyboardsRestricted) == true, policy.pairs(.approvedKeyboards)?.isEmpty ?? true else { return }
    notes.add(
      PolicyProperty.keyboardsRestricted.name, "only approved keyboards may be used, and approvedKeyboards has none",
      trying: [
        .open("list the keyboards to approve"),
        .policy("set it to false") { $0[.keyboardsRestricted] = .value(.flag(false)) },
      ])
  }

  /// Keyboards are approved, and all are allowed.
  public static let keyboardsWithoutEffect = PolicyRule(
    "keyboardsWithoutEffect", .note, "Approved keyboards count only where all others are blocked.", page, in: .transfer,
    contradicts: true
  ) { policy, notes in
    guard policy.flag(.keyboardsRestricted) != true, policy.pairs(.approvedKeyboards)?.isEmpty == false else { return }
    notes.add(
      PolicyProperty.approvedKeyboards.name, "keyboardsRestricted is not true, so that the list has no effect",
      trying: [
        .policy("set keyboardsRestricted to true") { $0[.keyboardsRestricted] = .value(.flag(true)) },
        .policy("empty the list") { $0[.approvedKeyboards] = .value(.pairs([])) },
      ])
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
      trying: [
        .policy("remove it: \(flags[0].0) and \(flags[1].0) say the same") {
          $0[.fingerprintAndBiometricEnabled] = .absent
        }
      ])
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
      trying: [
        .open("set requiredAndroidSafetyNetDeviceAttestationType"),
        .policy("set it to basic") {
          $0[.requiredAndroidSafetyNetEvaluationType] = .value(.choice(AndroidAttestationEvaluation.basic.number))
        },
      ])
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
      trying: [
        .policy("set it to blockWhenSettingIsSupported") {
          $0[.appActionIfSamsungKnoxAttestationRequired] = .value(
            .choice(RemediationAction.blockWhenSettingIsSupported.number))
        }, .open("assign the policy with a filter for Samsung"),
      ])
  }
}

extension PolicyProperty.Kind {
  /// Whether a value is one text.
  fileprivate var isText: Bool {
    switch self {
    case .text: true
    case .flag, .number, .duration, .date, .choice, .choices, .flags, .texts, .pairs, .apps, .assignments: false
    }
  }
}

extension PolicyDocument {
  /// Gives each of several packages in one entry an entry of its own.
  fileprivate mutating func separate(_ property: PolicyProperty, _ index: Int?, _ packages: [String]) {
    guard let index, case .value(.pairs(var pairs)) = self[property], pairs.indices.contains(index) else { return }
    let pair = pairs[index]
    pairs.replaceSubrange(
      index...index,
      with: packages.map { property == .approvedKeyboards ? PolicyPair($0, pair.value) : PolicyPair(pair.name, $0) })
    self[property] = .value(.pairs(pairs))
  }

  /// Whether nothing but the PIN opens the app.
  var blocksBiometrics: Bool {
    switch kind.platform {
    case .ios, .windows: access.fingerprintBlocked == true && access.faceIdBlocked == true
    case .android: flag(.biometricAuthenticationBlocked) == true || flag(.fingerprintAndBiometricEnabled) == false
    }
  }
}
