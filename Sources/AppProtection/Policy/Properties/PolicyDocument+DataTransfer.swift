extension PolicyDocument {
  /// Where organization data may go, and from where data may come in.
  ///
  /// `nil` means that the document lacks the setting or has it as `null`; ``PolicyDocument/subscript(_:)``
  /// distinguishes the two.
  public struct DataTransfer: Equatable, Sendable {
    /// The apps from which the app may receive data.
    public var allowedInboundDataTransferSources: DataTransferLevel?
    /// The apps to which the app may send organization data.
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
    /// URL schemes that may be opened although data transfer is restricted: names with lists separated by semicolons.
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
    allowedInboundDataTransferSources, allowedOutboundDataTransferDestinations, allowedOutboundClipboardSharingLevel,
    allowedOutboundClipboardSharingExceptionLength, saveAsBlocked, allowedDataStorageLocations,
    blockDataIngestionIntoOrganizationDocuments, allowedDataIngestionLocations,
    disableProtectionOfManagedOutboundOpenInData, filterOpenInToOnlyManagedApps, protectInboundDataFromUnknownSources,
    exemptedAppProtocols, dataBackupBlocked,
  ]

  package static let allowedInboundDataTransferSources: PolicyProperty = row(
    50, "allowedInboundDataTransferSources", .choice,
    "From which apps the app may receive data", { $0.dataTransfer.allowedInboundDataTransferSources },
    { $0.dataTransfer.allowedInboundDataTransferSources = $1 }, of: [.protection, .windows], effect: .steersDecisions,
    combines: .together(.receive),
    portal: .entry(
      .dataTransfer, 120, "Receive data from other apps",
      .document { policy in
        let transfer = policy.dataTransfer
        return transfer.receiveChoice?.rawValue
          ?? PortalWords.noChoice(
            transfer.allowedInboundDataTransferSources,
            [("incoming Org data", transfer.protectInboundDataFromUnknownSources)])
      }, standard: "All apps",
      with: [.protectInboundDataFromUnknownSources]),
    device: .choice("AppSharingFromLevel", [0: .noApps, 1: .managedApps, 2: .allApps]))

  package static let allowedOutboundDataTransferDestinations: PolicyProperty = row(
    51, "allowedOutboundDataTransferDestinations", .choice,
    "To which apps the app may send organization data", { $0.dataTransfer.allowedOutboundDataTransferDestinations },
    { $0.dataTransfer.allowedOutboundDataTransferDestinations = $1 }, of: [.protection, .windows],
    effect: .steersDecisions, combines: .together(.send),
    portal: .entry(
      .dataTransfer, 20, "Send Org data to other apps",
      .document { policy in
        let transfer = policy.dataTransfer
        return transfer.sendChoice?.rawValue
          ?? PortalWords.noChoice(
            transfer.allowedOutboundDataTransferDestinations,
            [
              ("OS sharing", transfer.disableProtectionOfManagedOutboundOpenInData),
              ("Open-In/Share filtering", transfer.filterOpenInToOnlyManagedApps),
            ])
      }, standard: "All apps",
      with: [.disableProtectionOfManagedOutboundOpenInData, .filterOpenInToOnlyManagedApps]),
    device: .choice("AppSharingToLevel", [0: .noApps, 1: .managedApps, 2: .allApps]))

  package static let allowedOutboundClipboardSharingLevel: PolicyProperty = row(
    52, "allowedOutboundClipboardSharingLevel", .choice,
    "How far the clipboard reaches", { $0.dataTransfer.allowedOutboundClipboardSharingLevel },
    { $0.dataTransfer.allowedOutboundClipboardSharingLevel = $1 }, of: [.protection, .windows],
    effect: .steersDecisions, combines: .strictestChoice,
    portal: .entry(
      .dataTransfer, 150, "Restrict cut, copy, and paste between other apps",
      .choice([
        .allApps: "Any app", .managedAppsWithPasteIn: "Policy managed apps with paste in",
        .managedApps: "Policy managed apps", .blocked: "Blocked",
      ]), standard: "Any app"),
    device: .choice(
      "ClipboardSharingLevel", [0: .blocked, 1: .managedApps, 2: .managedAppsWithPasteIn, 3: .allApps]))

  package static let allowedOutboundClipboardSharingExceptionLength: PolicyProperty = row(
    53, "allowedOutboundClipboardSharingExceptionLength", .number(0...2_147_483_647, documented: 0...65_535),
    "How many characters may cross despite the clipboard level, 0 to 65535",
    { $0.dataTransfer.allowedOutboundClipboardSharingExceptionLength },
    { $0.dataTransfer.allowedOutboundClipboardSharingExceptionLength = $1 }, of: .protection, effect: .steersDecisions,
    combines: .smallestNumber,
    portal: .entry(.dataTransfer, 160, "Cut and copy character limit for any app", .number, standard: "0"),
    device: .number("ClipboardCharacterExceptionLength", or: "ClipboardCharacterLengthException"))

  package static let saveAsBlocked: PolicyProperty = row(
    54, "saveAsBlocked", .flag,
    "Whether saving copies of organization data is blocked", { $0.dataTransfer.saveAsBlocked },
    { $0.dataTransfer.saveAsBlocked = $1 }, of: .protection, combines: .onWins, feeds: .on(.savingBlocked),
    portal: .entry(.dataTransfer, 60, "Save copies of Org data", .blockOrAllow, standard: "Allow"),
    device: .flag("FileSharingSaveAsDisabled"))

  // On devices, the documentation assigns 128 to the photo library. In the SDK's enumeration of locations, 128 is the
  // account's document and 64 the camera roll, so both bits are ambiguous. Here 128 is the photo library, as documented,
  // and 64 is reported.
  package static let allowedDataStorageLocations: PolicyProperty = row(
    55, "allowedDataStorageLocations", .choices(),
    "Where copies may be saved although saving is blocked", { $0.dataTransfer.allowedDataStorageLocations },
    { $0.dataTransfer.allowedDataStorageLocations = $1 }, of: .protection, effect: .steersDecisions,
    combines: .common { $0.dataTransfer.saveAsBlocked == true },
    portal: .entry(
      .dataTransfer, 70, "Allow user to save copies to selected services",
      .choices([
        .oneDriveForBusiness: "OneDrive for Business", .sharePoint: "SharePoint", .box: "Box",
        .localStorage: "Local Storage", .photoLibrary: "Photo Library", .iManage: "iManage", .egnyte: "Egnyte",
      ]), standard: "0 selected"),
    device: .mask(
      "ManagedLocations", [1: .oneDriveForBusiness, 2: .sharePoint, 4: .box, 32: .localStorage, 128: .photoLibrary]))

  package static let blockDataIngestionIntoOrganizationDocuments: PolicyProperty = row(
    56, "blockDataIngestionIntoOrganizationDocuments", .flag,
    "Whether opening data into organization documents is blocked",
    { $0.dataTransfer.blockDataIngestionIntoOrganizationDocuments },
    { $0.dataTransfer.blockDataIngestionIntoOrganizationDocuments = $1 }, of: .protection, combines: .onWins,
    feeds: .on(.openingBlocked),
    portal: .entry(.dataTransfer, 130, "Open data into Org documents", .blockOrAllow, standard: "Allow"),
    device: .flag("OpenDataIntoOrgDocumentsBlocked"))

  // The bit 8 of devices, local storage, has no counterpart in Graph.
  package static let allowedDataIngestionLocations: PolicyProperty = row(
    57, "allowedDataIngestionLocations", .choices(),
    "From where data may be opened although opening is blocked", { $0.dataTransfer.allowedDataIngestionLocations },
    { $0.dataTransfer.allowedDataIngestionLocations = $1 }, of: .protection, effect: .steersDecisions,
    combines: .common { $0.dataTransfer.blockDataIngestionIntoOrganizationDocuments == true },
    portal: .entry(
      .dataTransfer, 140, "Allow users to open data from selected services",
      .choices([
        .oneDriveForBusiness: "OneDrive for Business", .sharePoint: "SharePoint", .camera: "Camera",
        .photoLibrary: "Photo Library",
      ]), standard: "all selected"),
    device: .mask(
      "OpenDataFromManagedLocations", [1: .oneDriveForBusiness, 2: .sharePoint, 4: .camera, 16: .photoLibrary]))

  package static let disableProtectionOfManagedOutboundOpenInData: PolicyProperty = row(
    58, "disableProtectionOfManagedOutboundOpenInData", .flag,
    "Whether data leaves unencrypted for apps that the device's management manages; meaningful when sending to managed apps",
    { $0.dataTransfer.disableProtectionOfManagedOutboundOpenInData },
    { $0.dataTransfer.disableProtectionOfManagedOutboundOpenInData = $1 }, of: [.ios, .standard],
    combines: .together(.send),
    feeds: .on(.osSharing) { isOn, storage in isOn && storage.dataTransfer.sendsToManagedApps },
    portal: .beside(.dataTransfer), device: .opposite("ProtectManagedOpenInData"))

  package static let filterOpenInToOnlyManagedApps: PolicyProperty = row(
    59, "filterOpenInToOnlyManagedApps", .flag,
    "Whether the share sheet lists managed apps only; meaningful when sending to managed apps",
    { $0.dataTransfer.filterOpenInToOnlyManagedApps }, { $0.dataTransfer.filterOpenInToOnlyManagedApps = $1 },
    of: [.ios, .standard], combines: .together(.send),
    feeds: .on(.openInFiltered) { isOn, storage in
      isOn && storage.dataTransfer.sendsToManagedApps
        && storage.dataTransfer.disableProtectionOfManagedOutboundOpenInData != true
    },
    portal: .beside(.dataTransfer), device: .flag("EnableOpenInFilter"))

  package static let protectInboundDataFromUnknownSources: PolicyProperty = row(
    60, "protectInboundDataFromUnknownSources", .flag,
    "Whether data without an identity becomes organization data; meaningful when receiving from all apps",
    { $0.dataTransfer.protectInboundDataFromUnknownSources },
    { $0.dataTransfer.protectInboundDataFromUnknownSources = $1 }, of: [.ios, .standard], combines: .together(.receive),
    feeds: .on(.unknownSourcesProtected) { isOn, storage in
      isOn && storage.dataTransfer.allowedInboundDataTransferSources ?? .allApps == .allApps
    },
    portal: .beside(.dataTransfer), device: .flag("ProtectAllIncomingUnknownSourceData"))

  package static let exemptedAppProtocols: PolicyProperty = row(
    61, "exemptedAppProtocols", .pairs,
    "URL schemes that may be opened although data transfer is restricted: names with lists parted by semicolons",
    { $0.dataTransfer.exemptedAppProtocols }, { $0.dataTransfer.exemptedAppProtocols = $1 }, of: [.ios, .standard],
    effect: .steersDecisions, combines: .common(where: \.restrictsSending),
    portal: .entry(
      .dataTransfer, 30, "Select apps to exempt",
      .value { PortalWords.list($0.map { "\($0.name): \($0.value ?? "")" }) }),
    device: .schemes("ProtocolExclusions"))

  package static let dataBackupBlocked: PolicyProperty = row(
    62, "dataBackupBlocked", .flag,
    "Whether organization data is kept out of backups", { $0.dataTransfer.dataBackupBlocked },
    { $0.dataTransfer.dataBackupBlocked = $1 }, of: .protection, combines: .onWins, feeds: .on(.backupBlocked),
    portal: .entry(.dataTransfer, 10, "Backup Org data to iTunes and iCloud backups", .blockOrAllow, standard: "Allow"),
    device: .flag("DataBackupDisabled"))
}

extension PolicySwitches {
  /// Saving copies is blocked.
  public static let savingBlocked = PolicySwitches(rawValue: 1 << 0)
  /// Opening data is blocked.
  public static let openingBlocked = PolicySwitches(rawValue: 1 << 1)
  /// Data leaves unencrypted for apps of the device's management. Only where data is sent to managed apps.
  public static let osSharing = PolicySwitches(rawValue: 1 << 2)
  /// The share sheet lists managed apps only. Only where data is sent to managed apps, and without ``osSharing``: the service
  /// refuses both together.
  public static let openInFiltered = PolicySwitches(rawValue: 1 << 3)
  /// Data without an identity becomes organization data. Only where data is received from all apps.
  public static let unknownSourcesProtected = PolicySwitches(rawValue: 1 << 4)
  /// Organization data stays out of backups.
  public static let backupBlocked = PolicySwitches(rawValue: 1 << 5)
}

extension PolicyDocument {
  /// Whether sending data is restricted, so that exceptions from it have an effect.
  var restrictsSending: Bool { dataTransfer.allowedOutboundDataTransferDestinations != .allApps }
}

extension PolicyDocument.DataTransfer {
  fileprivate var sendsToManagedApps: Bool { allowedOutboundDataTransferDestinations == .managedApps }
}
