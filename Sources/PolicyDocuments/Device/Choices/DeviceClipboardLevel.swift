import AppProtection

/// How far the clipboard reaches: `ClipboardSharingLevel`. Graph's numbers in reverse.
public enum DeviceClipboardLevel: Int64, DeviceChoice {
  /// Only within the app.
  case blocked = 0
  /// Policy managed apps.
  case managedApps = 1
  /// Policy managed apps, plus pasting from any app.
  case managedAppsWithPasteIn = 2
  /// All apps.
  case anyApp = 3

  /// The corresponding member in Graph.
  public var graph: ClipboardSharingLevel {
    switch self {
    case .blocked: .blocked
    case .managedApps: .managedApps
    case .managedAppsWithPasteIn: .managedAppsWithPasteIn
    case .anyApp: .allApps
    }
  }
}
