/// The steps of the official troubleshooting order (D), the first failed one of which explains why an account has no
/// policy, and the app's own steps.
public enum TroubleshootingStep: Equatable, Sendable, CaseIterable {
  /// The app registered the account.
  case registered
  /// The user has a license.
  case licensed
  /// A policy targets the user.
  case targeted
  /// The policy applies to the app.
  case appInPolicy
  /// The signed-in account is the targeted one and may be enrolled here.
  case rightAccount
  /// The app checked in with the service.
  case checkedIn
  /// The policy is enforced in this process.
  case enforced
  /// The user interface or the process acts for the account.
  case identitySet
}
