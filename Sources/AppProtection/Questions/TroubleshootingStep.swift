/// The steps of the official troubleshooting order (D), in which the first one that fails is why an account has no policy,
/// and what an app adds to them.
public enum TroubleshootingStep: Equatable, Sendable, CaseIterable {
  /// The app registered the account.
  case registered
  /// The user has a license.
  case licensed
  /// A policy targets the user.
  case targeted
  /// The app is among those of the policy.
  case appInPolicy
  /// The account that signed in is the one that is targeted and may be enrolled here.
  case rightAccount
  /// The app checked in with the service.
  case checkedIn
  /// The policy is enforced in this process.
  case enforced
  /// The user interface or the process acts for the account.
  case identitySet
}
