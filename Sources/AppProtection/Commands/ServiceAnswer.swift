/// The service's answer to an enrollment request or a check-in.
public enum ServiceAnswer: Equatable, Sendable {
  /// A policy and, if the service says so, the time until the next check-in in nanoseconds. Less than a minute counts
  /// as a minute and more than a day as a day (``RetrySchedule/pauses``).
  case policy(PolicyDocument, nextCheckIn: Int64? = nil)
  /// The policy is the one the app has (101).
  case unchanged
  /// No policy targets the account (103).
  case noPolicy
  /// The account's data is to be wiped (102).
  case wipe(WipeReason = .administrator)
  /// The service has no record of the account (410 Gone, code 220).
  case gone
  /// No answer, or a refusal with its reason.
  case failure(ServiceFailure)
}
