extension PolicyDocument {
  /// Where organization data may go, and from where data may come in.
  ///
  /// `nil` is a setting that the document does not have or has as `null`; ``PolicyDocument/subscript(_:)`` tells the
  /// two apart.
  public struct DataTransfer: Equatable, Sendable {
    /// From which apps the app may receive data.
    public var allowedInboundDataTransferSources: DataTransferLevel?
    /// To which apps the app may send organization data.
    public var allowedOutboundDataTransferDestinations: DataTransferLevel?
    /// How far the clipboard reaches.
    public var allowedOutboundClipboardSharingLevel: ClipboardSharingLevel?
    /// How many characters may cross despite the clipboard level, 0 to 65535 as Graph documents it. A greater number is kept, so
    /// that a check of the document can name it, and counts as 65535.
    public var allowedOutboundClipboardSharingExceptionLength: Int?
    /// Whether saving copies of organization data is blocked.
    public var saveAsBlocked: Bool?
    /// Where copies may be saved although saving is blocked.
    public var allowedDataStorageLocations: [DataStorageLocation]?
    /// Whether opening data into organization documents is blocked.
    public var blockDataIngestionIntoOrganizationDocuments: Bool?
    /// From where data may be opened although opening is blocked.
    public var allowedDataIngestionLocations: [DataIngestionLocation]?
    /// Whether data leaves unencrypted for apps that the device's management manages; meaningful when sending
    /// to managed apps.
    public var disableProtectionOfManagedOutboundOpenInData: Bool?
    /// Whether the share sheet lists managed apps only; meaningful when sending to managed apps.
    public var filterOpenInToOnlyManagedApps: Bool?
    /// Whether data without an identity becomes organization data; meaningful when receiving from all apps.
    public var protectInboundDataFromUnknownSources: Bool?
    /// URL schemes that may be opened although data transfer is restricted: names with lists parted by
    /// semicolons.
    public var exemptedAppProtocols: [PolicyPair]?
    /// Whether organization data is kept out of backups.
    public var dataBackupBlocked: Bool?

    /// Creates a group in which nothing is set.
    public init() {}
  }
}

extension PolicyProperty {
  /// The rows of the property table for ``PolicyDocument/dataTransfer``: numbers 50 to 79.
  static let dataTransfer: [PolicyProperty] = [
    .choice(
      50, "allowedInboundDataTransferSources", { $0.dataTransfer.allowedInboundDataTransferSources },
      { $0.dataTransfer.allowedInboundDataTransferSources = $1 }, .dataProtection,
      effect: .steersDecisions,
      "From which apps the app may receive data"),
    .choice(
      51, "allowedOutboundDataTransferDestinations", { $0.dataTransfer.allowedOutboundDataTransferDestinations },
      { $0.dataTransfer.allowedOutboundDataTransferDestinations = $1 },
      .dataProtection, effect: .steersDecisions,
      "To which apps the app may send organization data"),
    .choice(
      52, "allowedOutboundClipboardSharingLevel", { $0.dataTransfer.allowedOutboundClipboardSharingLevel },
      { $0.dataTransfer.allowedOutboundClipboardSharingLevel = $1 }, .dataProtection, effect: .steersDecisions,
      "How far the clipboard reaches"),
    .number(
      53, "allowedOutboundClipboardSharingExceptionLength",
      { $0.dataTransfer.allowedOutboundClipboardSharingExceptionLength },
      { $0.dataTransfer.allowedOutboundClipboardSharingExceptionLength = $1 }, .dataProtection,
      0...2_147_483_647,
      effect: .steersDecisions,
      "How many characters may cross despite the clipboard level, 0 to 65535"),
    .flag(
      54, "saveAsBlocked", { $0.dataTransfer.saveAsBlocked }, { $0.dataTransfer.saveAsBlocked = $1 }, .dataProtection,
      effect: .steersDecisions,
      "Whether saving copies of organization data is blocked"),
    .choices(
      55, "allowedDataStorageLocations", { $0.dataTransfer.allowedDataStorageLocations },
      { $0.dataTransfer.allowedDataStorageLocations = $1 }, .dataProtection,
      effect: .steersDecisions,
      "Where copies may be saved although saving is blocked"),
    .flag(
      56, "blockDataIngestionIntoOrganizationDocuments",
      { $0.dataTransfer.blockDataIngestionIntoOrganizationDocuments },
      { $0.dataTransfer.blockDataIngestionIntoOrganizationDocuments = $1 },
      .dataProtection, effect: .steersDecisions,
      "Whether opening data into organization documents is blocked"),
    .choices(
      57, "allowedDataIngestionLocations", { $0.dataTransfer.allowedDataIngestionLocations },
      { $0.dataTransfer.allowedDataIngestionLocations = $1 }, .dataProtection,
      effect: .steersDecisions,
      "From where data may be opened although opening is blocked"),
    .flag(
      58, "disableProtectionOfManagedOutboundOpenInData",
      { $0.dataTransfer.disableProtectionOfManagedOutboundOpenInData },
      { $0.dataTransfer.disableProtectionOfManagedOutboundOpenInData = $1 },
      .dataProtection, effect: .steersDecisions,
      "Whether data leaves unencrypted for apps that the device's management manages; meaningful when sending to managed apps"
    ),
    .flag(
      59, "filterOpenInToOnlyManagedApps", { $0.dataTransfer.filterOpenInToOnlyManagedApps },
      { $0.dataTransfer.filterOpenInToOnlyManagedApps = $1 }, .dataProtection, effect: .steersDecisions,
      "Whether the share sheet lists managed apps only; meaningful when sending to managed apps"),
    .flag(
      60, "protectInboundDataFromUnknownSources", { $0.dataTransfer.protectInboundDataFromUnknownSources },
      { $0.dataTransfer.protectInboundDataFromUnknownSources = $1 }, .dataProtection, effect: .steersDecisions,
      "Whether data without an identity becomes organization data; meaningful when receiving from all apps"),
    .pairs(
      61, "exemptedAppProtocols", { $0.dataTransfer.exemptedAppProtocols },
      { $0.dataTransfer.exemptedAppProtocols = $1 }, .dataProtection, effect: .steersDecisions,
      "URL schemes that may be opened although data transfer is restricted: names with lists parted by semicolons"),
    .flag(
      62, "dataBackupBlocked", { $0.dataTransfer.dataBackupBlocked }, { $0.dataTransfer.dataBackupBlocked = $1 },
      .dataProtection, effect: .steersDecisions,
      "Whether organization data is kept out of backups"),
  ]
}
