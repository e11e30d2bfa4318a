import EventSourcing

/// How a remediation ended (`IntuneMAMComplianceStatus`).
public enum ComplianceStatus: Int, WireEnumeration {
  /// Enrolled and reported: the token may be requested again.
  case compliant = 0
  /// The account cannot become compliant, for example because no policy targets it.
  case notCompliant = 1
  /// The service failed.
  case serviceFailure = 2
  /// The network failed.
  case networkFailure = 3
  /// A silent remediation cannot finish: repeat it once with interaction.
  case interactionRequired = 4
  /// The user canceled.
  case userCancelled = 5
}
