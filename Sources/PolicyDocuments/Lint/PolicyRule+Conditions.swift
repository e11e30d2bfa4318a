import AppProtection
import JSON

/// Rules of launch conditions and access requirements.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let conditions: [PolicyRule] = [
    actionNotOffered, actionWithoutCondition, wipeBeforeBlock, shortOfflineGrace, modelSeparator, modelName,
    partnerWithoutLevel, simplePIN, pinLength, biometricTimeoutWithoutBiometrics, biometricTimeoutTooShort,
  ]

  /// A condition has an action that it does not support.
  public static let actionNotOffered = PolicyRule(
    "actionNotOffered", .error, "An action is one that the portal offers for its condition.", settings, in: .conditions
  ) { policy, notes in
    let launch = policy.conditionalLaunch
    let conditions: [(name: String, action: RemediationAction?, offered: [RemediationAction])] = [
      ("appActionIfMaximumPinRetriesExceeded", launch.appActionIfMaximumPinRetriesExceeded, [.block, .wipe]),
      ("appActionIfDeviceComplianceRequired", launch.appActionIfDeviceComplianceRequired, [.block, .wipe]),
      ("appActionIfUnableToAuthenticateUser", launch.appActionIfUnableToAuthenticateUser, [.block, .wipe]),
      ("appActionIfAccountIsClockedOut", launch.appActionIfAccountIsClockedOut, [.block, .warn]),
      ("appActionIfIosDeviceModelNotAllowed", launch.appActionIfIosDeviceModelNotAllowed, [.block, .wipe]),
      ("mobileThreatDefenseRemediationAction", launch.mobileThreatDefenseRemediationAction, [.block, .wipe]),
      offer(.appActionIfAndroidDeviceManufacturerNotAllowed, [.block, .wipe], in: policy),
      offer(.appActionIfAndroidDeviceModelNotAllowed, [.block, .wipe], in: policy),
      offer(.appActionIfAndroidSafetyNetAppsVerificationFailed, [.block, .warn], in: policy),
    ]
    for (name, action, offered) in conditions {
      guard let action, action.isRecognized, !offered.contains(action) else { continue }
      notes.add(
        name, "\(action.rawValue) is not an action for this condition",
        trying: offered.map { .setting($0.rawValue, name, to: .choice($0.number)) }, after: "write ",
        separatedBy: " or ")
    }
  }

  /// An action lacks its condition, or a condition lacks its action.
  public static let actionWithoutCondition = PolicyRule(
    "actionWithoutCondition", .warning, "A condition and its action are set together.", "DERIVED", in: .conditions,
    contradicts: true
  ) { policy, notes in
    let launch = policy.conditionalLaunch
    if launch.appActionIfAccountIsClockedOut != nil, launch.gracePeriodToBlockAppsDuringOffClockHours == nil {
      notes.add(
        "appActionIfAccountIsClockedOut",
        "gracePeriodToBlockAppsDuringOffClockHours is not set, so that working time is not looked at",
        trying: [
          .policy("set it, such as to PT15M") {
            $0.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = try? PolicyDuration("PT15M")
          }, .policy("remove the action") { $0.conditionalLaunch.appActionIfAccountIsClockedOut = nil },
        ])
    } else if launch.gracePeriodToBlockAppsDuringOffClockHours != nil, launch.appActionIfAccountIsClockedOut == nil {
      notes.add(
        "gracePeriodToBlockAppsDuringOffClockHours",
        "appActionIfAccountIsClockedOut is not set, so that nothing happens after working time",
        trying: [
          .policy("set it to block or warn") { $0.conditionalLaunch.appActionIfAccountIsClockedOut = .block },
          .policy("remove the period") { $0.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = nil },
        ])
    }
  }

  /// Data is wiped before access is blocked.
  public static let wipeBeforeBlock = PolicyRule(
    "wipeBeforeBlock", .warning, "Offline, access is blocked long before data is removed.",
    "\(settings), Offline grace period", in: .conditions, contradicts: true
  ) { policy, notes in
    let launch = policy.conditionalLaunch
    // Zero means no limit.
    guard let block = launch.periodOfflineBeforeAccessCheck, let wipe = launch.periodOfflineBeforeWipeIsEnforced,
      wipe.nanoseconds > 0, wipe.nanoseconds <= block.nanoseconds
    else { return }
    notes.add(
      "periodOfflineBeforeWipeIsEnforced",
      "data is removed after \(wipe.text) offline, and access is blocked after \(block.text)",
      trying: [
        .policy("set it above periodOfflineBeforeAccessCheck, such as to P90D") {
          $0.conditionalLaunch.periodOfflineBeforeWipeIsEnforced = try? PolicyDuration("P90D")
        }
      ], otherwise: "set it above \(block.text)")
  }

  /// The offline grace is very short.
  public static let shortOfflineGrace = PolicyRule(
    "shortOfflineGrace", .warning, "The offline grace period is 30 minutes or more.",
    "\(settings), Offline grace period", in: .conditions
  ) { policy, notes in
    guard let block = policy.conditionalLaunch.periodOfflineBeforeAccessCheck else { return }
    if block.nanoseconds == 0, notes.platform == .windows {
      notes.add(
        "periodOfflineBeforeAccessCheck", "with \(block.text), access is blocked as soon as the device is offline",
        trying: [halfAnHour], otherwise: longer)
    } else if block.nanoseconds == 0 {
      notes.add(
        "periodOfflineBeforeAccessCheck",
        "\(block.text) is taken for no limit, so that access is never blocked offline",
        trying: [
          halfAnHour, .policy("remove it") { $0.conditionalLaunch.periodOfflineBeforeAccessCheck = nil },
        ], otherwise: longer)
    } else if block.nanoseconds < 1_800_000_000_000 {
      notes.add(
        "periodOfflineBeforeAccessCheck",
        "\(block.text) is less than 30 minutes, so that opening the app may be interrupted every time",
        trying: [halfAnHour], otherwise: longer)
    }
  }

  private static let halfAnHour = LintTrial.policy("set it to PT30M or more") {
    $0.conditionalLaunch.periodOfflineBeforeAccessCheck = try? PolicyDuration("PT30M")
  }
  /// Where half an hour is beyond the time after which data is removed.
  private static let longer = "set it to PT30M or more, and periodOfflineBeforeWipeIsEnforced above it"

  /// Device models are separated by commas.
  public static let modelSeparator = PolicyRule(
    "modelSeparator", .error, "Semicolons separate the identifiers of device models, and the names of manufacturers.",
    "\(settings), Conditional launch", in: .conditions
  ) { policy, notes in
    addJoined(in: policy, &notes)
    guard let list = policy.conditionalLaunch.allowedIosDeviceModels,
      !PolicyLint.isPlaceholder(list, in: "allowedIosDeviceModels")
    else { return }
    guard let joined = PolicyText.list(list).first(where: areJoined) else { return }
    notes.add(
      "allowedIosDeviceModels",
      "\(JSONExcerpt.quoted(joined)) is compared as one model, because semicolons separate models and commas do not",
      trying: [
        .policy("write a semicolon between two models, such as iPhone12,1;iPhone13,2") { policy in
          let parts = joined.split(separator: ",").map { $0.filter { $0 != " " } }
          let models = stride(from: 0, to: parts.count, by: 2).map {
            parts[$0..<min($0 + 2, parts.count)].joined(separator: ",")
          }
          policy.conditionalLaunch.allowedIosDeviceModels = list.replacing(joined, with: models.joined(separator: ";"))
        }
      ], otherwise: "write the identifiers of models, such as iPhone12,1;iPhone13,2")
  }

  /// Whether an entry is several models. Every identifier contains a comma, so a comma cannot separate two.
  private static func areJoined(_ entry: String) -> Bool {
    let parts = entry.split(separator: ",", omittingEmptySubsequences: false)
    return parts.count > 1 && (parts.count > 2 || !(parts.last?.allSatisfy(\.isWholeNumber) ?? true))
  }

  /// The name of a product stands in the place of a model.
  public static let modelName = PolicyRule(
    "modelName", .error, "A device model is what the device reports, and not the name of a product.",
    "\(settings), Conditional launch", in: .conditions
  ) { policy, notes in
    if let list = policy.conditionalLaunch.allowedIosDeviceModels,
      !PolicyLint.isPlaceholder(list, in: "allowedIosDeviceModels")
    {
      let names = PolicyText.list(list).filter { !PolicyText.isModelIdentifier($0) && !areJoined($0) }
      if !names.isEmpty {
        notes.add(
          "allowedIosDeviceModels",
          "\(names.map { JSONExcerpt.quoted($0) }.joined(separator: ", ")): no device reports this as its model",
          remedy: "write the identifier, such as iPhone14,7")
      }
    }
    let models = PolicyProperty.allowedAndroidDeviceModels
    guard case .texts(let texts) = policy.value(models, ofDefaultToo: .android) else { return }
    // Samsung's devices report a model number; those of others may report the product's name.
    for (index, text) in texts.enumerated() where text.lowercased().hasPrefix("galaxy ") {
      notes.add(
        models.name, element: index, "\(JSONExcerpt.quoted(text)): no device reports this as its model",
        remedy: "write the model number, such as SM-S911B")
    }
  }

  /// Finds names of Android that are joined in one entry.
  private static func addJoined(in policy: PolicyDocument, _ notes: inout LintNotes) {
    let manufacturers = PolicyProperty.allowedAndroidDeviceManufacturers
    if case .text(let text) = policy.value(manufacturers, ofDefaultToo: .android),
      !PolicyLint.isPlaceholder(text, in: manufacturers.name),
      let joined = PolicyText.list(text).first(where: { $0.contains { ",|".contains($0) } })
    {
      notes.add(
        manufacturers.name,
        "\(JSONExcerpt.quoted(joined)) is compared as one manufacturer, because semicolons separate them, so that every device is refused",
        trying: [
          .policy("write a semicolon between two, such as Samsung;Google") {
            $0[manufacturers] = .value(.text(String(text.map { ",|".contains($0) ? ";" : $0 })))
          }
        ])
    }
    let models = PolicyProperty.allowedAndroidDeviceModels
    guard case .texts(let texts) = policy.value(models, ofDefaultToo: .android) else { return }
    for (index, text) in texts.enumerated() where !PolicyLint.isPlaceholder(text, in: models.name) {
      guard text.contains(where: { ",;|".contains($0) }) else { continue }
      notes.add(
        models.name, element: index, "\(JSONExcerpt.quoted(text)) is compared as one model",
        trying: [
          .policy("write each model as an element of its own") {
            $0[models] = .value(.texts(texts.flatMap { $0.split { ",;|".contains($0) }.map(String.init) }))
          }
        ])
    }
  }

  /// A partner is chosen but no threat level.
  public static let partnerWithoutLevel = PolicyRule(
    "partnerWithoutLevel", .warning, "A primary threat defense service counts only beside a threat level.", settings,
    in: .conditions, contradicts: true
  ) { policy, notes in
    let launch = policy.conditionalLaunch
    guard let partner = launch.mobileThreatDefensePartnerPriority, partner.isRecognized,
      launch.maximumAllowedDeviceThreatLevel == .notConfigured
    else { return }
    notes.add(
      "mobileThreatDefensePartnerPriority",
      "maximumAllowedDeviceThreatLevel is not configured, so that no service is asked",
      trying: [
        .open("set maximumAllowedDeviceThreatLevel"),
        .policy("remove it") { $0.conditionalLaunch.mobileThreatDefensePartnerPriority = nil },
      ])
  }

  /// A PIN is required but may be simple.
  public static let simplePIN = PolicyRule(
    "simplePIN", .note, "A PIN that is required is none that can be guessed.", settings, in: .access
  ) { policy, notes in
    guard policy.access.pinRequired == true, policy.access.simplePinBlocked == false else { return }
    notes.add(
      "simplePinBlocked", "PINs such as 1234 and 1111 are allowed",
      trying: [.policy("set it to true") { $0.access.simplePinBlocked = true }])
  }

  /// The minimum PIN length is one that the portal does not offer.
  public static let pinLength = PolicyRule(
    "pinLength", .warning, "The shortest PIN has 4 to 16 characters.", settings, in: .access
  ) { policy, notes in
    if policy.access.pinRequired == true { notes.addNumber("minimumPinLength", of: policy) }
  }

  /// Biometrics have a timeout but are blocked.
  public static let biometricTimeoutWithoutBiometrics = PolicyRule(
    "biometricTimeoutWithoutBiometrics", .note, "A timeout of biometrics counts only where biometrics are allowed.",
    "DERIVED", in: .access, contradicts: true
  ) { policy, notes in
    let access = policy.access
    guard access.pinRequired == true, access.pinRequiredInsteadOfBiometricTimeout != nil, policy.blocksBiometrics else {
      return
    }
    notes.add(
      "pinRequiredInsteadOfBiometricTimeout",
      "\(notes.platform == .ios ? "Touch ID and Face ID" : "biometrics") are blocked, so that the timeout has no effect",
      trying: [.policy("remove it") { $0.access.pinRequiredInsteadOfBiometricTimeout = nil }])
  }

  /// Biometrics time out no later than the next recheck of the access requirements.
  public static let biometricTimeoutTooShort = PolicyRule(
    "biometricTimeoutTooShort", .warning,
    "The timeout after which a PIN takes the place of biometrics is longer than the time to the next recheck.",
    settings, in: .access
  ) { policy, notes in
    let access = policy.access
    guard access.pinRequired == true, !policy.blocksBiometrics,
      let timeout = access.pinRequiredInsteadOfBiometricTimeout, let recheck = access.periodOnlineBeforeAccessCheck,
      timeout.nanoseconds <= recheck.nanoseconds
    else { return }
    notes.add(
      "pinRequiredInsteadOfBiometricTimeout",
      "\(timeout.text) is not longer than periodOnlineBeforeAccessCheck, \(recheck.text), so biometrics are hardly ever requested",
      remedy: "set it above \(recheck.text)")
  }
}

/// An action of Android with those that the portal offers.
private func offer(
  _ property: PolicyProperty, _ offered: [RemediationAction], in policy: PolicyDocument
) -> (name: String, action: RemediationAction?, offered: [RemediationAction]) {
  (property.name, policy.choice(property), offered)
}
