/// If the service lost an account's record and still has none: which attempt to enroll again ends in a refusal (221).
public enum ReenrollmentRefusal: Int, WireEnumeration {
  /// Every attempt, those after a failure of the network included.
  case everyAttempt = 0
  /// Only the one that follows the loss at once; later ones are repeated as those of a new account are.
  case firstAttempt = 1
}
