/// An account's standing with conditional access.
public enum RemediationStatus: Int, WireEnumeration {
  /// No token was refused and no remediation requested.
  case unknown = 0
  /// A token was refused because the account must be protected first.
  case blocked = 1
  /// A remediation waits for another account's.
  case queued = 2
  /// A remediation is under way.
  case remediating = 3
  /// The last remediation ended compliant.
  case compliant = 4
  /// The last remediation ended not compliant.
  case notCompliant = 5
  /// The last remediation failed at the service.
  case serviceFailure = 6
  /// The last remediation failed on the network.
  case networkFailure = 7
  /// The last remediation needs interaction.
  case interactionRequired = 8
  /// The user canceled the last remediation.
  case userCancelled = 9
}
