import AppProtection

/// Makes accounts compliant with conditional access (`IntuneMAMComplianceManager`).
///
/// ```swift
/// do {
///   _ = try await engine.enrollment.token(for: alice, scopes: ["Files.Read"])
/// } catch TokenFailure.protectionRequired {
///   try await engine.compliance.remediate(alice, isSilent: true)  // the ComplianceDelegate learns the outcome
/// }
/// ```
public struct ComplianceManager: Sendable {
  let engine: PolicyEngine

  /// Requests a remediation. Its outcome is reported to the ``ComplianceDelegate``, even across a restart of the app.
  ///
  /// - Parameters:
  ///   - account: The account that was refused a token.
  ///   - isSilent: Whether the user must not be asked anything; the outcome may then be that an interaction is required.
  /// - Throws: ``EngineError/refused(_:)`` if the account is not known, or is being remediated.
  public func remediate(_ account: AccountReference, isSilent: Bool) async throws(EngineError) {
    try await engine.send(.remediateCompliance(account, isSilent: isSilent))
  }

  /// Whether an account's remediation is under way.
  public func isRemediationInProgress(for account: AccountReference) -> Bool {
    let state = engine.state
    return state.account(for: account).map { state.remediationInProgress($0.account) } ?? false
  }

  /// How far an account's remediation is, or how the last one ended; unknown before a token was refused.
  public func status(of account: AccountReference) -> RemediationStatus {
    let state = engine.state
    return state.account(for: account).flatMap { state.compliance.accounts[$0.account]?.status } ?? .unknown
  }
}

extension PolicyEngine {
  /// Makes accounts compliant with conditional access.
  public var compliance: ComplianceManager { ComplianceManager(engine: self) }
}
