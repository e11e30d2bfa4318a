/// An engine's result of making an account compliant: eight outcomes, reported to the app as six.
public enum RemediationCause: CaseIterable, Sendable {
  /// The account is enrolled and reported.
  case compliant
  /// Conditional access requires protection, but no policy targets the account.
  case misconfigured
  /// The network is not available.
  case networkUnavailable
  /// The token for the service is missing.
  case noToken
  /// The service failed.
  case serviceFailure
  /// The service did not answer in time.
  case timeout
  /// The cause is unknown.
  case unknown
  /// The user canceled.
  case userCancelled

  /// The status reported to the app. The rules for a missing token and an unknown outcome are not published;
  /// assumptions supply them.
  public func status(by assumptions: Assumptions) -> ComplianceStatus {
    switch self {
    case .compliant: .compliant
    case .misconfigured: .notCompliant
    case .networkUnavailable, .timeout: .networkFailure
    case .serviceFailure: .serviceFailure
    case .noToken: assumptions.remediationWithoutToken
    case .unknown: assumptions.remediationOfUnknownOutcome
    case .userCancelled: .userCancelled
    }
  }
}
