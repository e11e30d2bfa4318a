import AppProtection

/// The page "Data protection" (D iOS app protection policy settings).
extension PortalSetting {
  static let dataTransfer: [PortalSetting] = [
    PortalSetting(.dataTransfer, "Backup Org data to iTunes and iCloud backups", "dataBackupBlocked") {
      PortalWords.blockOrAllow($0.dataTransfer.dataBackupBlocked)
    },
    PortalSetting(
      .dataTransfer, "Send Org data to other apps", "allowedOutboundDataTransferDestinations",
      "disableProtectionOfManagedOutboundOpenInData", "filterOpenInToOnlyManagedApps"
    ) { policy in
      let transfer = policy.dataTransfer
      return transfer.sendChoice?.rawValue
        ?? PortalWords.noChoice(
          transfer.allowedOutboundDataTransferDestinations,
          [
            ("OS sharing", transfer.disableProtectionOfManagedOutboundOpenInData),
            ("Open-In/Share filtering", transfer.filterOpenInToOnlyManagedApps),
          ])
    },
    PortalSetting(.dataTransfer, "Select apps to exempt", "exemptedAppProtocols") { policy in
      PortalWords.list(policy.dataTransfer.exemptedAppProtocols?.map { "\($0.name): \($0.value ?? "")" })
    },
    PortalSetting(.dataTransfer, "Select universal links to exempt", "exemptedUniversalLinks") {
      PortalWords.list($0.redirection.exemptedUniversalLinks)
    },
    PortalSetting(.dataTransfer, "Select managed universal links", "managedUniversalLinks") {
      PortalWords.list($0.redirection.managedUniversalLinks)
    },
    PortalSetting(.dataTransfer, "Save copies of Org data", "saveAsBlocked") {
      PortalWords.blockOrAllow($0.dataTransfer.saveAsBlocked)
    },
    PortalSetting(
      .dataTransfer, "Allow user to save copies to selected services", "allowedDataStorageLocations"
    ) { policy in
      let words: [DataStorageLocation: String] = [
        .oneDriveForBusiness: "OneDrive for Business", .sharePoint: "SharePoint", .box: "Box",
        .localStorage: "Local Storage", .photoLibrary: "Photo Library", .iManage: "iManage", .egnyte: "Egnyte",
      ]
      return PortalWords.list(
        policy.dataTransfer.allowedDataStorageLocations?.compactMap { PortalWords.choice($0, words) })
    },
    PortalSetting(.dataTransfer, "Transfer telecommunication data to", "dialerRestrictionLevel") {
      PortalWords.choice(
        $0.redirection.dialerRestrictionLevel,
        [
          .allApps: "Any dialer app", .managedApps: "Any policy-managed dialer app",
          .customApp: "A specific dialer app", .blocked: "None, do not transfer this data between apps",
        ])
    },
    PortalSetting(.dataTransfer, "Dialer App URL Scheme", "customDialerAppProtocol") {
      PortalWords.text($0.redirection.customDialerAppProtocol)
    },
    PortalSetting(.dataTransfer, "Transfer messaging data to", "protectedMessagingRedirectAppType") {
      PortalWords.choice(
        $0.redirection.protectedMessagingRedirectAppType,
        [
          .anyApp: "Any messaging app", .anyManagedApp: "Any policy-managed messaging app",
          .specificApps: "A specific messaging app", .blocked: "None, do not transfer this data between apps",
        ])
    },
    PortalSetting(.dataTransfer, "Messaging App URL Scheme", "messagingRedirectAppUrlScheme") {
      PortalWords.text($0.redirection.messagingRedirectAppUrlScheme)
    },
    PortalSetting(
      .dataTransfer, "Receive data from other apps", "allowedInboundDataTransferSources",
      "protectInboundDataFromUnknownSources"
    ) { policy in
      let transfer = policy.dataTransfer
      return transfer.receiveChoice?.rawValue
        ?? PortalWords.noChoice(
          transfer.allowedInboundDataTransferSources,
          [("incoming Org data", transfer.protectInboundDataFromUnknownSources)])
    },
    PortalSetting(
      .dataTransfer, "Open data into Org documents", "blockDataIngestionIntoOrganizationDocuments"
    ) {
      PortalWords.blockOrAllow($0.dataTransfer.blockDataIngestionIntoOrganizationDocuments)
    },
    PortalSetting(
      .dataTransfer, "Allow users to open data from selected services", "allowedDataIngestionLocations"
    ) { policy in
      let words: [DataIngestionLocation: String] = [
        .oneDriveForBusiness: "OneDrive for Business", .sharePoint: "SharePoint", .camera: "Camera",
        .photoLibrary: "Photo Library",
      ]
      return PortalWords.list(
        policy.dataTransfer.allowedDataIngestionLocations?.compactMap { PortalWords.choice($0, words) })
    },
    PortalSetting(
      .dataTransfer, "Restrict cut, copy, and paste between other apps", "allowedOutboundClipboardSharingLevel"
    ) {
      PortalWords.choice(
        $0.dataTransfer.allowedOutboundClipboardSharingLevel,
        [
          .allApps: "Any app", .managedAppsWithPasteIn: "Policy managed apps with paste in",
          .managedApps: "Policy managed apps", .blocked: "Blocked",
        ])
    },
    PortalSetting(
      .dataTransfer, "Cut and copy character limit for any app", "allowedOutboundClipboardSharingExceptionLength"
    ) {
      $0.dataTransfer.allowedOutboundClipboardSharingExceptionLength.map { "\($0)" }
    },
    PortalSetting(.dataTransfer, "Third party keyboards", "thirdPartyKeyboardsBlocked") {
      PortalWords.blockOrAllow($0.surfaces.thirdPartyKeyboardsBlocked)
    },
  ]

  static let encryption: [PortalSetting] = [
    PortalSetting(.encryption, "Encrypt Org data", "appDataEncryptionType") {
      PortalWords.choice(
        $0.encryption.appDataEncryptionType,
        [
          .useDeviceSettings: "Not required (use device settings)",
          .afterDeviceRestart: "Require (after device restart)",
          .whenDeviceLockedExceptOpenFiles: "Require (when device is locked, except open files)",
          .whenDeviceLocked: "Require (when device is locked)",
        ])
    }
  ]

  static let functionality: [PortalSetting] = [
    PortalSetting(
      .functionality, "Sync policy managed app data with native apps or add-ins", "contactSyncBlocked"
    ) {
      PortalWords.blockOrAllow($0.surfaces.contactSyncBlocked)
    },
    PortalSetting(.functionality, "Sync Org data with widgets", "allowWidgetContentSync") {
      PortalWords.allowOrBlock($0.surfaces.allowWidgetContentSync)
    },
    PortalSetting(.functionality, "Printing Org data", "printBlocked") {
      PortalWords.blockOrAllow($0.surfaces.printBlocked)
    },
    PortalSetting(
      .functionality, "Restrict web content transfer with other apps", "managedBrowserToOpenLinksRequired",
      "managedBrowser"
    ) { policy in
      let redirection = policy.redirection
      if let choice = redirection.webContentChoice { return choice.rawValue }
      let browsers = PortalWords.flags(redirection.managedBrowser, [0: "no browser", 1: "Microsoft Edge"])
      guard redirection.managedBrowserToOpenLinksRequired != nil || redirection.managedBrowser != nil else {
        return nil
      }
      let required = redirection.managedBrowserToOpenLinksRequired == true ? "required" : "not required"
      return "No choice of the portal: \(browsers ?? "no browser"), \(required)"
    },
    PortalSetting(.functionality, "Unmanaged Browser Protocol", "customBrowserProtocol") {
      PortalWords.text($0.redirection.customBrowserProtocol)
    },
    PortalSetting(.functionality, "Org data notifications", "notificationRestriction") {
      PortalWords.choice(
        $0.surfaces.notificationRestriction,
        [.allow: "Allow", .blockOrganizationalData: "Block org Data", .block: "Block"])
    },
    PortalSetting(.functionality, "Genmoji", "genmojiConfigurationState") {
      PortalWords.choice($0.surfaces.genmojiConfigurationState, featureStates)
    },
    PortalSetting(.functionality, "Screen capture", "screenCaptureConfigurationState") {
      PortalWords.choice($0.surfaces.screenCaptureConfigurationState, featureStates)
    },
    PortalSetting(.functionality, "Writing Tools", "writingToolsConfigurationState") {
      PortalWords.choice($0.surfaces.writingToolsConfigurationState, featureStates)
    },
  ]

  private static let featureStates: [FeatureConfigurationState: String] = [.notBlocked: "Allow", .blocked: "Block"]
}
