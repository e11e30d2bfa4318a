/// If the service lost an account's record and still has none: which attempt to enroll again ends in a refusal (221).
public enum ReenrollmentRefusal: Int, WireEnumeration {
  /// Every attempt, even one after a network failure.
  case everyAttempt = 0
  /// Only the one directly after the loss; later ones are repeated like those of a new account.
  case firstAttempt = 1
}
