/// Which attempt to enroll an account again, whose record the service lost, ends in a refusal (221) when there is still no
/// record.
public enum ReenrollmentRefusal: Int, WireEnumeration {
  /// Every attempt, those after a failure of the network included.
  case everyAttempt = 0
  /// Only the one that follows the loss at once; later ones are repeated as those of a new account are.
  case firstAttempt = 1
}
