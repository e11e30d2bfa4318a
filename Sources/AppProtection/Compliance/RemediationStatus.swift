/// Where an account stands with conditional access.
public enum RemediationStatus: Int, WireEnumeration {
  /// Nothing has been asked.
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
  /// The last remediation was canceled by the user.
  case userCancelled = 9
}
