import AppProtection

/// Hears how remediations end (`IntuneMAMComplianceDelegate`).
///
/// Called on the thread that runs the engine, after the event is durable.
public protocol ComplianceDelegate: Sendable {
  /// The account's remediation ended.
  func complianceStatus(account: AccountNumber, status: ComplianceStatus)
}
