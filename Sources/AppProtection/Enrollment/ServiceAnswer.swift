/// What the service answered to a request to enroll or to a check-in.
public enum ServiceAnswer: Equatable, Sendable {
  /// A policy, and how long until the next check-in where the service says (nanoseconds). Less than a minute counts as
  /// a minute and more than a day as a day (``RetrySchedule/pauses``).
  case policy(PolicyDocument, nextCheckIn: Int64? = nil)
  /// The policy is the one the app has (101).
  case unchanged
  /// No policy targets the account (103).
  case noPolicy
  /// The account's data is to be wiped (102).
  case wipe(WipeReason = .administrator)
  /// The service has no record of the account (410 Gone, code 220).
  case gone
  /// No answer, or one that says why not.
  case failure(ServiceFailure)
}
