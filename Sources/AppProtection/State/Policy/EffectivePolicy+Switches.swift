extension EffectivePolicy {
  /// The settings of a policy that are on or off, as decisions need them.
  public struct Switches: OptionSet, Equatable, Sendable {
    /// One bit a setting.
    public let rawValue: UInt32

    /// Creates a set of the bits.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Saving copies is blocked (`saveAsBlocked`).
    public static let savingBlocked = Switches(rawValue: 1 << 0)
    /// Opening data is blocked (`blockDataIngestionIntoOrganizationDocuments`).
    public static let openingBlocked = Switches(rawValue: 1 << 1)
    /// Data leaves unencrypted for apps of the device's management (`disableProtectionOfManagedOutboundOpenInData`). Only
    /// where data is sent to managed apps.
    public static let osSharing = Switches(rawValue: 1 << 2)
    /// The share sheet lists managed apps only (`filterOpenInToOnlyManagedApps`). Only where data is sent to managed apps,
    /// and without ``osSharing``: the service refuses both together.
    public static let openInFiltered = Switches(rawValue: 1 << 3)
    /// Data without an identity becomes organization data (`protectInboundDataFromUnknownSources`). Only where data is
    /// received from all apps.
    public static let unknownSourcesProtected = Switches(rawValue: 1 << 4)
    /// Organization data stays out of backups (`dataBackupBlocked`).
    public static let backupBlocked = Switches(rawValue: 1 << 5)
    /// Web links open in a protected browser (`managedBrowserToOpenLinksRequired`).
    public static let browserRequired = Switches(rawValue: 1 << 6)
    /// That browser is Edge (`managedBrowser`).
    public static let edge = Switches(rawValue: 1 << 7)
    /// That browser has the scheme `customBrowserProtocol`.
    public static let customBrowser = Switches(rawValue: 1 << 8)
    /// Contacts stay out of the address book (`contactSyncBlocked`).
    public static let contactSyncBlocked = Switches(rawValue: 1 << 9)
    /// Printing is blocked (`printBlocked`).
    public static let printingBlocked = Switches(rawValue: 1 << 10)
    /// Keyboards of other makers are blocked (`thirdPartyKeyboardsBlocked`).
    public static let keyboardsBlocked = Switches(rawValue: 1 << 11)
    /// Widgets show nothing of the organization (`allowWidgetContentSync` is off).
    public static let widgetsBlocked = Switches(rawValue: 1 << 12)
    /// Genmoji are blocked (`genmojiConfigurationState`).
    public static let genmojiBlocked = Switches(rawValue: 1 << 13)
    /// Writing Tools are blocked (`writingToolsConfigurationState`).
    public static let writingToolsBlocked = Switches(rawValue: 1 << 14)
    /// The policy says whether the screen may be captured (`screenCaptureConfigurationState` is there).
    public static let screenCaptureSet = Switches(rawValue: 1 << 15)
    /// It says that it may not.
    public static let screenCaptureBlocked = Switches(rawValue: 1 << 16)

    init(of storage: PolicyDocument.Storage, send: DataTransferLevel, receive: DataTransferLevel) {
      var switches: Switches = []
      func add(_ one: Switches, _ isOn: Bool?) {
        if isOn == true { switches.insert(one) }
      }
      func isBlocked(_ state: FeatureConfigurationState?) -> Bool {
        state != nil && state != .notBlocked
      }
      let sendsToManaged = send == .managedApps
      add(.savingBlocked, storage.dataTransfer.saveAsBlocked)
      add(.openingBlocked, storage.dataTransfer.blockDataIngestionIntoOrganizationDocuments)
      let shares = sendsToManaged && storage.dataTransfer.disableProtectionOfManagedOutboundOpenInData == true
      add(.osSharing, shares)
      add(.openInFiltered, sendsToManaged && !shares && storage.dataTransfer.filterOpenInToOnlyManagedApps == true)
      add(
        .unknownSourcesProtected,
        receive == .allApps && storage.dataTransfer.protectInboundDataFromUnknownSources == true)
      add(.backupBlocked, storage.dataTransfer.dataBackupBlocked)
      add(.browserRequired, storage.redirection.managedBrowserToOpenLinksRequired)
      add(.edge, storage.redirection.managedBrowser?.contains(.microsoftEdge))
      add(.customBrowser, storage.redirection.customBrowserProtocol?.isEmpty == false)
      add(.contactSyncBlocked, storage.surfaces.contactSyncBlocked)
      add(.printingBlocked, storage.surfaces.printBlocked)
      add(.keyboardsBlocked, storage.surfaces.thirdPartyKeyboardsBlocked)
      add(.widgetsBlocked, storage.surfaces.allowWidgetContentSync == false)
      add(.genmojiBlocked, isBlocked(storage.surfaces.genmojiConfigurationState))
      add(.writingToolsBlocked, isBlocked(storage.surfaces.writingToolsConfigurationState))
      add(.screenCaptureSet, storage.surfaces.screenCaptureConfigurationState != nil)
      add(.screenCaptureBlocked, isBlocked(storage.surfaces.screenCaptureConfigurationState))
      self = switches
    }
  }
}
