import AppProtection

/// To or from which apps data may go: `AppSharingToLevel`, `AppSharingFromLevel`. The reverse of Graph's numbers.
public enum DeviceSharingLevel: Int64, DeviceChoice {
  /// No app.
  case noApps = 0
  /// Policy managed apps.
  case managedApps = 1
  /// All apps.
  case allApps = 2

  /// The member in Graph that means the same.
  public var graph: DataTransferLevel {
    switch self {
    case .noApps: .noApps
    case .managedApps: .managedApps
    case .allApps: .allApps
    }
  }
}
