/// Why an account no longer has a policy.
public enum PolicyWithdrawalReason: Int, WireEnumeration {
  /// The service delivers none (103).
  case untargeted = 0
  /// The account was unenrolled.
  case unenrolled = 1
  /// The service lost its record of the account (220).
  case recordGone = 2
}
