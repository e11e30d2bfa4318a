import AppProtection

/// The page "Conditional launch" (D iOS app protection policy settings).
extension PortalSetting {
  static let appConditions: [PortalSetting] =
    [
      PortalSetting(
        .appConditions, "Max PIN attempts", "maximumPinRetries", "appActionIfMaximumPinRetriesExceeded"
      ) { policy in
        let launch = policy.conditionalLaunch
        // The portal shows Graph's "block" as resetting the PIN.
        let action = launch.appActionIfMaximumPinRetriesExceeded
        let words = action == .block ? "Reset PIN" : PortalWords.action(action)
        return joined(launch.maximumPinRetries.map { "\($0)" }, words)
      },
      PortalSetting(
        .appConditions, "Offline grace period, Block access (minutes)", "periodOfflineBeforeAccessCheck"
      ) {
        PortalWords.duration($0.conditionalLaunch.periodOfflineBeforeAccessCheck, in: .minute)
      },
      PortalSetting(
        .appConditions, "Offline grace period, Wipe data (days)", "periodOfflineBeforeWipeIsEnforced"
      ) {
        PortalWords.duration($0.conditionalLaunch.periodOfflineBeforeWipeIsEnforced, in: .day)
      },
      PortalSetting(.appConditions, "Disabled account", "appActionIfUnableToAuthenticateUser") {
        PortalWords.action($0.conditionalLaunch.appActionIfUnableToAuthenticateUser)
      },
    ]
    + versions(
      .appConditions, "Min app version",
      [
        ("Warn", "minimumWarningAppVersion", { $0.conditionalLaunch.minimumWarningAppVersion }),
        ("Block access", "minimumRequiredAppVersion", { $0.conditionalLaunch.minimumRequiredAppVersion }),
        ("Wipe data", "minimumWipeAppVersion", { $0.conditionalLaunch.minimumWipeAppVersion }),
      ])
    + versions(
      .appConditions, "Min SDK version",
      [
        ("Warn", "minimumWarningSdkVersion", { $0.conditionalLaunch.minimumWarningSdkVersion }),
        ("Block access", "minimumRequiredSdkVersion", { $0.conditionalLaunch.minimumRequiredSdkVersion }),
        ("Wipe data", "minimumWipeSdkVersion", { $0.conditionalLaunch.minimumWipeSdkVersion }),
      ])
    + [
      PortalSetting(
        .appConditions, "Non-working time", "appActionIfAccountIsClockedOut",
        "gracePeriodToBlockAppsDuringOffClockHours"
      ) { policy in
        let launch = policy.conditionalLaunch
        return joined(
          PortalWords.action(launch.appActionIfAccountIsClockedOut),
          PortalWords.duration(launch.gracePeriodToBlockAppsDuringOffClockHours, in: .minute).map { "after \($0)" })
      }
    ]

  static let deviceConditions: [PortalSetting] =
    [
      PortalSetting(
        .deviceConditions, "Jailbroken/rooted devices", "deviceComplianceRequired",
        "appActionIfDeviceComplianceRequired"
      ) { policy in
        guard policy.conditionalLaunch.deviceComplianceRequired == true else { return nil }
        return PortalWords.action(policy.conditionalLaunch.appActionIfDeviceComplianceRequired) ?? "Block access"
      }
    ]
    + versions(
      .deviceConditions, "Min OS version",
      [
        ("Warn", "minimumWarningOsVersion", { $0.conditionalLaunch.minimumWarningOsVersion }),
        ("Block access", "minimumRequiredOsVersion", { $0.conditionalLaunch.minimumRequiredOsVersion }),
        ("Wipe data", "minimumWipeOsVersion", { $0.conditionalLaunch.minimumWipeOsVersion }),
      ])
    + versions(
      .deviceConditions, "Max OS version",
      [
        ("Warn", "maximumWarningOsVersion", { $0.conditionalLaunch.maximumWarningOsVersion }),
        ("Block access", "maximumRequiredOsVersion", { $0.conditionalLaunch.maximumRequiredOsVersion }),
        ("Wipe data", "maximumWipeOsVersion", { $0.conditionalLaunch.maximumWipeOsVersion }),
      ])
    + [
      PortalSetting(
        .deviceConditions, "Device model(s)", "allowedIosDeviceModels", "appActionIfIosDeviceModelNotAllowed"
      ) { policy in
        guard let models = PortalWords.text(policy.conditionalLaunch.allowedIosDeviceModels) else { return nil }
        let action = policy.conditionalLaunch.appActionIfIosDeviceModelNotAllowed
        let verb = action == .wipe ? "Wipe" : action == .block || action == nil ? "Block" : PortalWords.unknown
        return "\(models), Allow specified (\(verb) non-specified)"
      },
      PortalSetting(
        .deviceConditions, "Max allowed device threat level", "maximumAllowedDeviceThreatLevel",
        "mobileThreatDefenseRemediationAction"
      ) { policy in
        let launch = policy.conditionalLaunch
        guard let level = launch.maximumAllowedDeviceThreatLevel, level != .notConfigured else { return nil }
        let words: [DeviceThreatLevel: String] = [
          .secured: "Secured", .low: "Low", .medium: "Medium", .high: "High",
        ]
        return joined(
          PortalWords.choice(level, words), PortalWords.action(launch.mobileThreatDefenseRemediationAction))
      },
      PortalSetting(.deviceConditions, "Primary MTD service", "mobileThreatDefensePartnerPriority") {
        PortalWords.choice(
          $0.conditionalLaunch.mobileThreatDefensePartnerPriority,
          [
            .defenderOverThirdPartyPartner: "Microsoft Defender for Endpoint",
            .thirdPartyPartnerOverDefender: "Mobile Threat Defense (Non-Microsoft)",
          ])
      },
    ]

  private static func versions(
    _ group: Group, _ title: String,
    _ rows: [(action: String, name: String, read: @Sendable (PolicyDocument) -> String?)]
  ) -> [PortalSetting] {
    rows.map { row in
      PortalSetting(group, "\(title), \(row.action)", row.name) { PortalWords.version(row.read($0)) }
    }
  }

  private static func joined(_ parts: String?...) -> String? {
    let given = parts.compactMap { $0 }
    return given.isEmpty ? nil : given.joined(separator: ", ")
  }
}
