import AppProtection

/// Whether a system feature may be used: `ScreenCaptureConfigurationState` and similar settings. The device's numbers
/// are not published; these are Graph's (DERIVED).
public enum DeviceFeatureState: Int64, DeviceChoice {
  /// The feature may be used.
  case notBlocked = 0
  /// The feature is blocked.
  case blocked = 1

  /// The corresponding member in Graph.
  public var graph: FeatureConfigurationState { self == .blocked ? .blocked : .notBlocked }
}
