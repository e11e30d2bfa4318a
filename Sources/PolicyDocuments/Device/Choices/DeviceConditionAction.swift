import AppProtection

/// What happens if a condition is not met: `DeviceComplianceFailureAction`, `AppActionIfUnableToAuthenticateUser`,
/// `MobileThreatDefenseRemediationAction`.
public enum DeviceConditionAction: Int64, DeviceChoice {
  /// Access is blocked.
  case block = 0
  /// Data is removed.
  case wipe = 1

  /// The corresponding member in Graph.
  public var graph: RemediationAction { self == .block ? .block : .wipe }
}
