/// Whether an app may be used that has no policy.
public enum LaunchGate: Sendable {
  /// It may.
  case open
  /// It may, after the user has seen a warning (`MAMPolicyWarnAbsent`, T19).
  case warned
  /// It may not: a policy must come first, and be enforced (`MAMPolicyRequired`, T18).
  case blocked
}

extension AppProtectionState {
  /// Whether the app may be used in its present state.
  public var launchGate: LaunchGate {
    if policies.records.contains(where: \.isEnforced) { return .open }
    // A policy that waits for a restart protects nothing yet.
    if settings.app.policyRequired { return .blocked }
    return policies.isEmpty && settings.app.warnsWhenPolicyAbsent && !process.wasWarned ? .warned : .open
  }
}
