/// Why the service is asked to enroll an account.
public enum EnrollmentTrigger: Int, WireEnumeration {
  /// The app registered the account.
  case registration = 0
  /// The app asked for a login.
  case login = 1
  /// The app enrolls at launch without being asked (`AutoEnrollOnLaunch`); a failure stays silent.
  case automatic = 2
  /// An earlier attempt failed and its pause is over.
  case retry = 3
  /// The app again has a token that was missing.
  case signIn = 4
  /// The other managed account was removed to make room.
  case accountSwitch = 5
  /// The service had lost its record of the account (220).
  case recordGone = 6
  /// The account was silent for so long that the service may have dropped it.
  case lapse = 7
  /// Conditional access demands it.
  case remediation = 8
}
