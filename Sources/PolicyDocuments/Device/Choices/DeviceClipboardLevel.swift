import AppProtection

/// How far the clipboard reaches: `ClipboardSharingLevel`. The reverse of Graph's numbers.
public enum DeviceClipboardLevel: Int64, DeviceChoice {
  /// Only within the app.
  case blocked = 0
  /// Policy managed apps.
  case managedApps = 1
  /// Policy managed apps, and from everywhere.
  case managedAppsWithPasteIn = 2
  /// All apps.
  case anyApp = 3

  /// The member in Graph that means the same.
  public var graph: ClipboardSharingLevel {
    switch self {
    case .blocked: .blocked
    case .managedApps: .managedApps
    case .managedAppsWithPasteIn: .managedAppsWithPasteIn
    case .anyApp: .allApps
    }
  }
}
