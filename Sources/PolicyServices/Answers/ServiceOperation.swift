/// What an app asks of the service.
public enum ServiceOperation: String, CaseIterable, Sendable {
  /// Enrolling an account.
  case enroll
  /// Asking for an account's policy.
  case checkIn
  /// Telling that an account leaves.
  case unenroll
  /// Making an account compliant.
  case remediate
}
