import AppProtection

/// The highest threat level accepted: `MinimumRequiredDeviceThreatProtectionLevel`. Numbered as in Graph.
public enum DeviceThreatProtectionLevel: Int64, DeviceChoice {
  /// The level is not checked.
  case notConfigured = 0
  /// No threat.
  case secured = 1
  /// Low.
  case low = 2
  /// Medium.
  case medium = 3
  /// High.
  case high = 4

  /// The corresponding member in Graph.
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
