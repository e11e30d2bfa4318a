/// A feature that a policy allows or blocks for the account that owns the data, without further conditions.
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

  /// Everything about one feature.
  struct Row {
    /// The place in ``ProtectedFeature/allCases``.
    let number: UInt8
    /// Its name in a sentence.
    let phrase: StaticString
    /// The setting that is read.
    let setting: @Sendable @convention(thin) () -> PolicyProperty
    /// The switch of a policy that blocks it; `nil` where sending to all apps is what allows it.
    let blocking: PolicySwitches?

    init(
      _ number: UInt8, _ phrase: StaticString, _ blocking: PolicySwitches?,
      _ setting: @escaping @Sendable @convention(thin) () -> PolicyProperty
    ) {
      self.number = number
      self.phrase = phrase
      self.setting = setting
      self.blocking = blocking
    }

    init(_ number: UInt8, needsSending phrase: StaticString) {
      self.init(number, phrase, nil) { .allowedOutboundDataTransferDestinations }
    }
  }

  var row: Row {
    switch self {
    case .printing: Row(0, "printing", .printingBlocked) { .printBlocked }
    case .contactSync: Row(1, "contacts in the address book", .contactSyncBlocked) { .contactSyncBlocked }
    case .widgets: Row(2, "organization data in widgets", .widgetsBlocked) { .allowWidgetContentSync }
    case .spotlight: Row(3, needsSending: "the device's search")
    case .siri: Row(4, needsSending: "Siri")
    case .appSharing: Row(5, needsSending: "sending data to extensions")
    case .backup: Row(6, "files in backups", .backupBlocked) { .dataBackupBlocked }
    case .genmoji: Row(7, "Genmoji", .genmojiBlocked) { .genmojiConfigurationState }
    case .writingTools: Row(8, "Writing Tools", .writingToolsBlocked) { .writingToolsConfigurationState }
    }
  }

  /// The setting that is read, by its name in Graph.
  public var setting: String { row.setting().name }

  func isBlocked(by policy: EffectivePolicy) -> Bool {
    row.blocking.map(policy.switches.contains) ?? (policy.send != .allApps)
  }
}
