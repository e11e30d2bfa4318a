import AppProtection

/// Everything around the settings: name, apps, groups, and what the portal does not show for iOS.
extension PortalSetting {
  static let basics: [PortalSetting] = [
    PortalSetting(.basics, "Name", "displayName") { PortalWords.text($0.about.displayName) },
    PortalSetting(.basics, "Description", "description") { PortalWords.text($0.about.description) },
    PortalSetting(.basics, "Identifier", "id") { PortalWords.text($0.about.id) },
    PortalSetting(.basics, "Version", "version") { PortalWords.text($0.about.version) },
    PortalSetting(.basics, "Created", "createdDateTime") { $0.about.createdDateTime?.text },
    PortalSetting(.basics, "Last modified", "lastModifiedDateTime") { $0.about.lastModifiedDateTime?.text },
    PortalSetting(.basics, "Scope tags", "roleScopeTagIds") { PortalWords.scopeTags($0.about.roleScopeTagIds) },
  ]

  static let apps: [PortalSetting] = [
    PortalSetting(.apps, "Target policy to", "appGroupType") {
      PortalWords.choice(
        $0.targeting.appGroupType,
        [
          .selectedPublicApps: "Selected apps", .allCoreMicrosoftApps: "Core Microsoft Apps",
          .allMicrosoftApps: "All Microsoft Apps", .allApps: "All Apps",
        ])
    },
    PortalSetting(.apps, "Device types", "targetedAppManagementLevels") {
      PortalWords.flags(
        $0.targeting.targetedAppManagementLevels, [0: "All device types", 1: "Unmanaged", 2: "Managed"])
    },
    PortalSetting(.apps, "Apps", "apps") { policy in
      PortalWords.list(
        policy.targeting.apps?.map { $0.bundleID ?? $0.id ?? PortalWords.unknown }, empty: "None")
    },
    PortalSetting(.apps, "Deployed apps", "deployedAppCount") { $0.targeting.deployedAppCount.map { "\($0)" } },
  ]

  static let assignments: [PortalSetting] = [
    PortalSetting(.assignments, "Deployed", "isAssigned") {
      PortalWords.deployed($0.targeting.isAssigned, $0.targeting.assignments)
    },
    PortalSetting(.assignments, "Groups", "assignments") { PortalWords.groups($0.targeting.assignments) },
  ]

  static let other: [PortalSetting] = [
    PortalSetting(.other, "Custom settings", "customSettings") { policy in
      PortalWords.list(policy.defaultPolicy.customSettings?.map { "\($0.name) = \($0.value ?? "")" }, empty: "None")
    },
    PortalSetting(.other, "Encrypt app data (Android)", "encryptAppData") {
      PortalWords.requireOrNot($0.defaultPolicy.encryptAppData)
    },
    PortalSetting(
      .other, "Leave app data to an encrypted device (Android)", "disableAppEncryptionIfDeviceEncryptionIsEnabled"
    ) {
      PortalWords.yesOrNo($0.defaultPolicy.disableAppEncryptionIfDeviceEncryptionIsEnabled)
    },
    PortalSetting(.other, "Min patch version, Block access (Android)", "minimumRequiredPatchVersion") {
      PortalWords.version($0.defaultPolicy.minimumRequiredPatchVersion)
    },
    PortalSetting(.other, "Min patch version, Warn (Android)", "minimumWarningPatchVersion") {
      PortalWords.version($0.defaultPolicy.minimumWarningPatchVersion)
    },
    PortalSetting(.other, "Screen capture (Android)", "screenCaptureBlocked") {
      PortalWords.blockOrAllow($0.defaultPolicy.screenCaptureBlocked)
    },
  ]
}
