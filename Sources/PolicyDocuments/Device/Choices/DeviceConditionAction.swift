import AppProtection

/// What happens when a condition is not met: `DeviceComplianceFailureAction`, `AppActionIfUnableToAuthenticateUser`,
/// `MobileThreatDefenseRemediationAction`.
public enum DeviceConditionAction: Int64, DeviceChoice {
  /// Access is blocked.
  case block = 0
  /// Data is removed.
  case wipe = 1

  /// The member in Graph that means the same.
  public var graph: RemediationAction { self == .block ? .block : .wipe }
}
