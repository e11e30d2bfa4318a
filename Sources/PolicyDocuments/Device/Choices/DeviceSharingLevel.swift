import AppProtection

/// Which apps may receive or send data: `AppSharingToLevel`, `AppSharingFromLevel`. Graph's numbers in reverse.
public enum DeviceSharingLevel: Int64, DeviceChoice {
  /// No app.
  case noApps = 0
  /// Policy managed apps.
  case managedApps = 1
  /// All apps.
  case allApps = 2

  /// The corresponding member in Graph.
  public var graph: DataTransferLevel {
    switch self {
    case .noApps: .noApps
    case .managedApps: .managedApps
    case .allApps: .allApps
    }
  }
}
