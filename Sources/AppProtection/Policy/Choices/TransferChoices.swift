/// Which apps may exchange organization data with the app. `managedAppDataTransferLevel` in Graph.
public enum DataTransferLevel: String, PolicyChoice {
  /// Every app.
  case allApps
  /// Only apps that have a policy for the same account.
  case managedApps
  /// No app; `none` in Graph.
  case noApps = "none"
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .allApps: 0
    case .managedApps: 1
    case .noApps: 2
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "DataTransferLevel"
}

/// Where cut and copied organization data may be pasted, and from where data may be pasted into it.
/// `managedAppClipboardSharingLevel` in Graph.
public enum ClipboardSharingLevel: String, PolicyChoice {
  /// Everywhere.
  case allApps
  /// Only into managed apps; from everywhere.
  case managedAppsWithPasteIn
  /// Only into and from managed apps.
  case managedApps
  /// Only within the app.
  case blocked
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .allApps: 0
    case .managedAppsWithPasteIn: 1
    case .managedApps: 2
    case .blocked: 3
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "ClipboardSharingLevel"
}

/// From where data may be opened into organization documents although opening is blocked.
/// `managedAppDataIngestionLocation` in Graph.
public enum DataIngestionLocation: String, PolicyChoice {
  /// OneDrive for work or school, and SharePoint Online.
  case oneDriveForBusiness
  /// SharePoint on premises.
  case sharePoint
  /// The camera.
  case camera
  /// The photo library.
  case photoLibrary
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .oneDriveForBusiness: 1
    case .sharePoint: 2
    case .camera: 3
    case .photoLibrary: 4
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "DataIngestionLocation"
}

/// Where copies of organization data may be saved although saving copies is blocked.
/// `managedAppDataStorageLocation` in Graph.
public enum DataStorageLocation: String, PolicyChoice {
  /// OneDrive for work or school, and SharePoint Online.
  case oneDriveForBusiness
  /// SharePoint on premises.
  case sharePoint
  /// Box.
  case box
  /// The app's own storage on the device.
  case localStorage
  /// The photo library.
  case photoLibrary
  /// iManage.
  case iManage
  /// Egnyte.
  case egnyte
  /// Graph's own placeholder for a later member. A decision must treat it as ``unrecognized``.
  case unknownFutureValue
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .oneDriveForBusiness: 1
    case .sharePoint: 2
    case .box: 3
    case .localStorage: 6
    case .photoLibrary: 7
    case .iManage: 8
    case .egnyte: 9
    case .unknownFutureValue: 10
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "DataStorageLocation"
}

/// What notifications may show. `managedAppNotificationRestriction` in Graph.
public enum NotificationRestriction: String, PolicyChoice {
  /// Everything.
  case allow
  /// Nothing of the organization.
  case blockOrganizationalData
  /// No notifications.
  case block
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .allow: 0
    case .blockOrganizationalData: 1
    case .block: 2
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "NotificationRestriction"
}
