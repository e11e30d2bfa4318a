import AppProtection
import AppProtectionKit

/// Why a request to a management service did not succeed, before it has a number.
///
/// ``failure(of:)`` gives the number that the domain knows, and ``outcome(isSilent:by:)`` the status of a remediation. Both
/// services use this one table, so that a fault shows alike in each; <doc:ServiceOutcomes> prints it.
public enum ServiceTrouble: Error, Equatable, Sendable {
  /// The service cannot be reached, or the connection broke.
  case unreachable(String)
  /// The service's certificate is not trusted.
  case untrusted(String)
  /// The answer did not come in time.
  case timedOut(String)
  /// The service's address leads elsewhere, or nothing is there.
  case moved(String)
  /// The service answered that it is overloaded or broken (429, 5xx). Seconds, if it says when to ask again.
  case unavailable(String, retryAfter: Int64?)
  /// The answer cannot be read: not JSON, of another form, or too long.
  case unreadable(String)
  /// A token needs the user, or a new one was refused, too.
  case signInRequired(String)
  /// The service refused the token, which may be too old.
  case tokenRefused(String)
  /// The user canceled the sign-in.
  case signInCanceled
  /// Conditional access refuses a token until the app is protected (−50004).
  case protectionRequired(String)
  /// The service has no record of the account (404 for its registration, 410).
  case gone
  /// The service or the token library refused the request with this code.
  case refused(EnrollmentStatusCode, String)
  /// The request itself is wrong, which the app's registration in the directory usually explains.
  case rejected(String)
  /// The Swift task was canceled.
  case canceled

  /// Whether asking again soon can help.
  var isTransient: Bool {
    switch self {
    case .unreachable, .timedOut, .unavailable: true
    case .untrusted, .moved, .unreadable, .signInRequired, .tokenRefused, .signInCanceled, .protectionRequired, .gone,
      .refused, .rejected, .canceled:
      false
    }
  }

  /// The pause that the service asks for, in seconds.
  var retryAfter: Int64? {
    if case .unavailable(_, let seconds) = self { seconds } else { nil }
  }

  /// The answer to a request to enroll or to check in: a lost record is an answer of its own.
  func answer(to operation: ServiceOperation) -> ServiceAnswer {
    self == .gone ? .gone : .failure(failure(of: operation))
  }

  /// The failure of an operation, with a number of the domain.
  public func failure(of operation: ServiceOperation) -> ServiceFailure {
    // Only check-ins speak to the policy endpoint.
    let network: EnrollmentStatusCode =
      operation == .checkIn ? .policyEndPointNetworkFailure : .enrollmentEndPointNetworkFailure
    return switch self {
    case .unreachable(let text), .untrusted(let text), .unavailable(let text, _): ServiceFailure(network, error: text)
    case .canceled: ServiceFailure(network, error: "the request was canceled")
    case .timedOut(let text): ServiceFailure(.timeout, error: text)
    case .moved(let text): ServiceFailure(.locationServiceFailure, error: text)
    case .unreadable(let text): ServiceFailure(.parsingFailure, error: text)
    case .signInRequired(let text), .tokenRefused(let text): ServiceFailure(.authRequired, error: text)
    case .signInCanceled: ServiceFailure(.loginCanceled, error: "the user canceled the sign-in")
    case .protectionRequired(let text):
      ServiceFailure(.authRequired, error: "\(TokenDenied.protectionRequired): \(text)")
    case .gone: ServiceFailure(.policyRecordGone, error: "the service has no record of the account")
    case .refused(let code, let text): ServiceFailure(code, error: text)
    case .rejected(let text): ServiceFailure(.internalError, error: text)
    }
  }

  /// The status of a remediation that ends in this trouble.
  ///
  /// No source says how a silent one ends that needs the user, or a token that only a protected app gets: by default, it is
  /// repeated with interaction. If that is refused, too, the account cannot become compliant (domain rule: no token leads to
  /// 2 or 4). Nor does one say what a code means that is in no table: by default, the service failed.
  public func outcome(isSilent: Bool, by assumptions: Assumptions) -> RemediationOutcome {
    let status: ComplianceStatus =
      switch self {
      case .unreachable, .untrusted, .timedOut, .canceled: .networkFailure
      case .signInRequired, .tokenRefused: isSilent ? assumptions.remediationWithoutToken : .serviceFailure
      case .protectionRequired: isSilent ? assumptions.remediationWithoutToken : .notCompliant
      case .signInCanceled: .userCancelled
      case .refused(let code, _) where code.entry == nil: assumptions.remediationOfUnknownOutcome
      case .moved, .unavailable, .unreadable, .gone, .refused, .rejected: .serviceFailure
      }
    return RemediationOutcome(status, message: failure(of: .remediate).error)
  }
}
