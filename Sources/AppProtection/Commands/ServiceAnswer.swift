/// The service's answer to an enrollment request or a check-in.
public enum ServiceAnswer: Equatable, Sendable {
  /// A policy and, if the service says so, the time until the next check-in in nanoseconds. Less than a minute counts
  /// as a minute and more than a day as a day (``RetrySchedule/pauses``).
  case policy(PolicyDocument, nextCheckIn: Int64? = nil)
  /// The policy is the one that the account has by the journal (101), whatever the service sent before.
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

/// Why a request to the service did not succeed.
public struct ServiceFailure: Equatable, Sendable {
  /// The reason as a number; never a known success code.
  public private(set) var code: EnrollmentStatusCode
  /// The error text from the service or the token library; it may name a person.
  public var error: String

  /// Creates a failure. A failure with a known success code (100–104) is unreadable and becomes
  /// ``EnrollmentStatusCode/parsingFailure`` (206).
  public init(_ code: EnrollmentStatusCode, error: String = "") {
    self.code = code.classification == .success ? .parsingFailure : code
    self.error = error
  }
}
