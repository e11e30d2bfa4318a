import AppProtection

/// Receives the outcomes of enrollments, check-ins and unenrollments (`IntuneMAMEnrollmentDelegate`).
///
/// Awaited by the run of the engine, after the event is durable and in the order of the events. Every method
/// has a default implementation: the forms with a result call those with an account and a code, which do nothing.
public protocol EnrollmentDelegate: Sendable {
  /// An enrollment ended (`enrollmentRequestWithStatus:`).
  func enrollmentRequest(_ result: EnrollmentResult) async
  /// A check-in ended (`policyRequestWithStatus:`).
  func policyRequest(_ result: EnrollmentResult) async
  /// An unenrollment ended (`unenrollRequestWithStatus:`).
  func unenrollRequest(_ result: EnrollmentResult) async
  /// An enrollment ended. `account` is `nil` if the app named no account that the journal knows.
  func enrollmentRequest(account: AccountNumber?, code: EnrollmentStatusCode) async
  /// A check-in ended.
  func policyRequest(account: AccountNumber, code: EnrollmentStatusCode) async
  /// An unenrollment ended. `account` is `nil` if the app named no account that the journal knows.
  func unenrollRequest(account: AccountNumber?, code: EnrollmentStatusCode) async
  /// The directory has another user principal name for an account than the app: the user was renamed. Return whether the app
  /// goes by the new name from now on; the old one then names no account any more. Asked after each request until the names
  /// agree. `false` unless implemented.
  func shouldRename(account: AccountNumber, to userPrincipalName: String) async -> Bool
}

extension EnrollmentDelegate {
  /// Calls ``enrollmentRequest(account:code:)``.
  public func enrollmentRequest(_ result: EnrollmentResult) async {
    await enrollmentRequest(account: result.account, code: result.statusCode)
  }
  /// Calls ``policyRequest(account:code:)``.
  public func policyRequest(_ result: EnrollmentResult) async {
    if let account = result.account { await policyRequest(account: account, code: result.statusCode) }
  }
  /// Calls ``unenrollRequest(account:code:)``.
  public func unenrollRequest(_ result: EnrollmentResult) async {
    await unenrollRequest(account: result.account, code: result.statusCode)
  }
  /// Does nothing.
  public func enrollmentRequest(account: AccountNumber?, code: EnrollmentStatusCode) {}
  /// Does nothing.
  public func policyRequest(account: AccountNumber, code: EnrollmentStatusCode) {}
  /// The app goes on with the name that it knows.
  public func shouldRename(account: AccountNumber, to userPrincipalName: String) -> Bool { false }
  /// Does nothing.
  public func unenrollRequest(account: AccountNumber?, code: EnrollmentStatusCode) {}
}
