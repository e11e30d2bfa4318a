import AppProtection

/// What happens after too many wrong PINs: `MaxPinRetryExceededAction`.
public enum DevicePINAction: Int64, DeviceChoice {
  /// The PIN must be reset, which Graph calls `block`.
  case resetPIN = 0
  /// Data is removed.
  case wipe = 1

  /// The corresponding member in Graph.
  public var graph: RemediationAction { self == .resetPIN ? .block : .wipe }
}
