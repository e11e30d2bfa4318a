import AppProtection

/// Hears how remediations end (`IntuneMAMComplianceDelegate`).
///
/// Called on the thread that runs the engine, after the event is durable. The end of a remediation is told until it is known
/// to have been told: where the process dies before, the next one tells it when it is launched, also where the app was
/// restarted for the remediation's sake. A process that dies right after the call leads to a second one.
public protocol ComplianceDelegate: Sendable {
  /// The account's remediation ended.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - status: how it ended.
  ///   - message: the text to show to the user; empty when the service gave none.
  ///   - title: the title of that text; empty when the service gave none.
  func complianceStatus(account: AccountNumber, status: ComplianceStatus, message: String, title: String)
}
