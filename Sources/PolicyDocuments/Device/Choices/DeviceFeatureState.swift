import AppProtection

/// Whether a feature of the system may be used: `ScreenCaptureConfigurationState` and its kin. The numbers are published
/// nowhere; these are Graph's (DERIVED).
public enum DeviceFeatureState: Int64, DeviceChoice {
  /// It may.
  case notBlocked = 0
  /// It may not.
  case blocked = 1

  /// The member in Graph that means the same.
  public var graph: FeatureConfigurationState { self == .blocked ? .blocked : .notBlocked }
}
