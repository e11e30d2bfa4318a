/// What an engine finds when it makes an account compliant: eight outcomes, of which the app hears six.
public enum RemediationCause: CaseIterable, Sendable {
  /// The account is enrolled and reported.
  case compliant
  /// Conditional access demands protection, and no policy is meant for the account.
  case misconfigured
  /// The network is not available.
  case networkUnavailable
  /// There is no token for the service.
  case noToken
  /// The service failed.
  case serviceFailure
  /// The service did not answer in time.
  case timeout
  /// Nothing is known about it.
  case unknown
  /// The user canceled.
  case userCancelled

  /// What the app is told. Of a missing token and an unknown outcome no rule is published; the assumptions say.
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
