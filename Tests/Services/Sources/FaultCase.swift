import AppProtection

/// A fault, and what it ends in: alike in every service.
public struct FaultCase: Sendable, CustomStringConvertible {
  /// The member `fault` of `faults.json`, with the members that follow it.
  public var fault: String
  /// The codes of enrolling, checking in and unenrolling; `nil` for an answer that is not a failure.
  public var codes: [UInt32?]
  /// The outcomes of a silent remediation and of one with the user.
  public var outcomes: [ComplianceStatus]

  init(_ fault: String, _ codes: [UInt32?], _ outcomes: [ComplianceStatus]) {
    self.fault = fault
    self.codes = codes
    self.outcomes = outcomes
  }

  /// The fault.
  public var description: String { fault }

  /// Every fault that does not only delay.
  public static let all = [
    FaultCase(#""offline""#, [205, 212, 205], [.networkFailure, .networkFailure]),
    FaultCase(#""code", "code": 225"#, [225, 225, 225], [.serviceFailure, .serviceFailure]),
    FaultCase(#""code", "code": 299"#, [299, 299, 299], [.serviceFailure, .serviceFailure]),
    FaultCase(#""gone""#, [nil, nil, nil], [.serviceFailure, .serviceFailure]),
    FaultCase(#""wrongJSON""#, [206, 206, 206], [.serviceFailure, .serviceFailure]),
    FaultCase(#""conditionalAccess""#, [203, 203, 203], [.interactionRequired, .notCompliant]),
    FaultCase(#""cut""#, [205, 212, 205], [.networkFailure, .networkFailure]),
    FaultCase(#""status", "status": 503"#, [205, 212, 205], [.serviceFailure, .serviceFailure]),
    FaultCase(#""status", "status": 408"#, [216, 216, 216], [.networkFailure, .networkFailure]),
    FaultCase(#""status", "status": 401"#, [203, 203, 203], [.interactionRequired, .serviceFailure]),
    FaultCase(#""status", "status": 403"#, [201, 201, 201], [.serviceFailure, .serviceFailure]),
    FaultCase(#""tooManyRequests", "retryAfterSeconds": 1"#, [205, 212, 205], [.serviceFailure, .serviceFailure]),
    FaultCase(#""hugeBody""#, [206, 206, 206], [.serviceFailure, .serviceFailure]),
    FaultCase(#""endlessBody""#, [206, 206, 206], [.serviceFailure, .serviceFailure]),
    FaultCase(#""drip""#, [216, 216, 216], [.networkFailure, .networkFailure]),
    FaultCase(#""redirect""#, [204, 204, 204], [.serviceFailure, .serviceFailure]),
  ]
}
