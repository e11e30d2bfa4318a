import AppProtection

/// Hears how enrollments, check-ins and unenrollments end (`IntuneMAMEnrollmentDelegate`).
///
/// Called on the thread that runs the engine, after the event is durable and in the order of the events. Every method
/// does nothing unless it is implemented.
public protocol EnrollmentDelegate: Sendable {
  /// An enrollment ended. There is no account when the app named none that the journal knows.
  func enrollmentRequest(account: AccountNumber?, code: EnrollmentStatusCode)
  /// A check-in ended.
  func policyRequest(account: AccountNumber, code: EnrollmentStatusCode)
  /// An unenrollment ended. There is no account when the app named none that the journal knows.
  func unenrollRequest(account: AccountNumber?, code: EnrollmentStatusCode)
}

extension EnrollmentDelegate {
  /// Does nothing.
  public func enrollmentRequest(account: AccountNumber?, code: EnrollmentStatusCode) {}
  /// Does nothing.
  public func policyRequest(account: AccountNumber, code: EnrollmentStatusCode) {}
  /// Does nothing.
  public func unenrollRequest(account: AccountNumber?, code: EnrollmentStatusCode) {}
}
