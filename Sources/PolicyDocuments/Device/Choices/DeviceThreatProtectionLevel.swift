import AppProtection

/// The highest threat level that is accepted: `MinimumRequiredDeviceThreatProtectionLevel`. Numbered as in Graph.
public enum DeviceThreatProtectionLevel: Int64, DeviceChoice {
  /// The level is not looked at.
  case notConfigured = 0
  /// No threat at all.
  case secured = 1
  /// Low.
  case low = 2
  /// Medium.
  case medium = 3
  /// High.
  case high = 4

  /// The member in Graph that means the same.
  public var graph: DeviceThreatLevel {
    switch self {
    case .notConfigured: .notConfigured
    case .secured: .secured
    case .low: .low
    case .medium: .medium
    case .high: .high
    }
  }
}
