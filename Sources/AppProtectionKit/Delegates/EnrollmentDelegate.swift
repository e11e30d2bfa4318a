import AppProtection

/// Receives the outcomes of enrollments, check-ins and unenrollments (`IntuneMAMEnrollmentDelegate`).
///
/// Awaited by the run of the engine, after the event is durable and in the order of the events. Every method
/// has a default implementation that does nothing.
public protocol EnrollmentDelegate: Sendable {
  /// An enrollment ended. `account` is `nil` if the app named no account that the journal knows.
  func enrollmentRequest(account: AccountNumber?, code: EnrollmentStatusCode) async
  /// A check-in ended.
  func policyRequest(account: AccountNumber, code: EnrollmentStatusCode) async
  /// An unenrollment ended. `account` is `nil` if the app named no account that the journal knows.
  func unenrollRequest(account: AccountNumber?, code: EnrollmentStatusCode) async
}

extension EnrollmentDelegate {
  /// Does nothing.
  public func enrollmentRequest(account: AccountNumber?, code: EnrollmentStatusCode) {}
  /// Does nothing.
  public func policyRequest(account: AccountNumber, code: EnrollmentStatusCode) {}
  /// Does nothing.
  public func unenrollRequest(account: AccountNumber?, code: EnrollmentStatusCode) {}
}
