/// What a policy allows or does not, for the account whose data is concerned and without further questions.
public enum ProtectedFeature: String, CaseIterable, Sendable {
  /// Printing (`UIPrintInteractionController.isPrintingAvailable`).
  case printing
  /// Contacts in the device's address book (`isContactSyncAllowed`).
  case contactSync
  /// Organization data in widgets (`isWidgetContentSyncAllowed`).
  case widgets
  /// Indexing for the device's search (`isSpotlightIndexingAllowed`).
  case spotlight
  /// Siri, its intents and donations (`areSiriIntentsAllowed`).
  case siri
  /// Sending data to an extension, such as one of Safari's (`isAppSharingAllowed`).
  case appSharing
  /// Files in backups of the device.
  case backup
  /// Genmoji.
  case genmoji
  /// Writing Tools.
  case writingTools

  /// The setting that is read, by its name in Graph.
  public var setting: String {
    switch self {
    case .printing: "printBlocked"
    case .contactSync: "contactSyncBlocked"
    case .widgets: "allowWidgetContentSync"
    case .spotlight, .siri, .appSharing: "allowedOutboundDataTransferDestinations"
    case .backup: "dataBackupBlocked"
    case .genmoji: "genmojiConfigurationState"
    case .writingTools: "writingToolsConfigurationState"
    }
  }

  /// How it is called in a sentence.
  var phrase: String {
    switch self {
    case .printing: "printing"
    case .contactSync: "contacts in the address book"
    case .widgets: "organization data in widgets"
    case .spotlight: "the device's search"
    case .siri: "Siri"
    case .appSharing: "sending data to extensions"
    case .backup: "files in backups"
    case .genmoji: "Genmoji"
    case .writingTools: "Writing Tools"
    }
  }

  func isBlocked(by policy: EffectivePolicy) -> Bool {
    switch self {
    case .printing: policy.switches.contains(.printingBlocked)
    case .contactSync: policy.switches.contains(.contactSyncBlocked)
    case .widgets: policy.switches.contains(.widgetsBlocked)
    case .spotlight, .siri, .appSharing: policy.send != .allApps
    case .backup: policy.switches.contains(.backupBlocked)
    case .genmoji: policy.switches.contains(.genmojiBlocked)
    case .writingTools: policy.switches.contains(.writingToolsBlocked)
    }
  }
}
