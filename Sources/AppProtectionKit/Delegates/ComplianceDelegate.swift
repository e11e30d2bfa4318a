import AppProtection

/// Receives the outcomes of remediations (`IntuneMAMComplianceDelegate`).
///
/// Awaited by the run of the engine, after the event is durable. An outcome is reported until its delivery is
/// recorded: if the process dies before that, the next one reports it at launch, even if the app was restarted for the
/// remediation's sake. A process that dies right after the call therefore causes a second one.
public protocol ComplianceDelegate: Sendable {
  /// The account's remediation ended.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - status: The outcome.
  ///   - message: The text to show to the user; empty if the service sent none.
  ///   - title: The title of that text; empty if the service sent none.
  func complianceStatus(account: AccountNumber, status: ComplianceStatus, message: String, title: String) async
}
