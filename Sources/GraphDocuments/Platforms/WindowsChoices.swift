import AppProtection

/// Where data may come from or go to. `windowsManagedAppDataTransferLevel` in Graph.
public enum WindowsTransferLevel: String, PolicyChoice {
  /// Everywhere.
  case allApps
  /// Nowhere.
  case noApps = "none"
  /// A name or number that this program does not know.
  case unrecognized

  /// The number in Graph.
  public var number: UInt64 {
    switch self {
    case .allApps: 0
    case .noApps: 1
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in messages.
  public static let schemaName = "WindowsTransferLevel"
}

/// How far the clipboard reaches. `windowsManagedAppClipboardSharingLevel` in Graph.
public enum WindowsClipboardLevel: String, PolicyChoice {
  /// From and to everywhere.
  case anyDestinationAnySource
  /// Neither in nor out.
  case noSharing = "none"
  /// From everywhere, and to organization data alone.
  case orgDestinationAnySource
  /// From and to organization data alone.
  case orgDestinationOrgSource
  /// A name or number that this program does not know.
  case unrecognized

  /// The number in Graph.
  public var number: UInt64 {
    switch self {
    case .anyDestinationAnySource: 0
    case .noSharing: 1
    case .orgDestinationAnySource: 2
    case .orgDestinationOrgSource: 3
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// As the levels of the mobile platforms are ordered: from everywhere to nowhere.
  public var strictness: UInt64 { counterpart?.strictness ?? .max }

  /// The level of the mobile platforms with the same meaning.
  public var counterpart: ClipboardSharingLevel? {
    switch self {
    case .anyDestinationAnySource: .allApps
    case .orgDestinationAnySource: .managedAppsWithPasteIn
    case .orgDestinationOrgSource: .managedApps
    case .noSharing: .blocked
    case .unrecognized: nil
    }
  }

  /// The name in messages.
  public static let schemaName = "WindowsClipboardLevel"
}
