/// Whether an app without a policy may be used.
public enum LaunchGate: Sendable {
  /// The app may be used.
  case open
  /// The app may be used after a warning (`MAMPolicyWarnAbsent`, T19).
  case warned
  /// The app may not be used until a policy is enforced (`MAMPolicyRequired`, T18).
  case blocked
}

extension AppProtectionState {
  /// Whether the app may be used in its present state.
  public var launchGate: LaunchGate {
    if policies.records.contains(where: \.isEnforced) { return .open }
    // A policy waiting for a restart does not protect anything yet.
    if settings.app.policyRequired { return .blocked }
    return policies.isEmpty && settings.app.warnsWhenPolicyAbsent && !process.wasWarned ? .warned : .open
  }
}
