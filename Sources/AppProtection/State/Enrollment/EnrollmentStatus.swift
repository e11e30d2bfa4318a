import EventSourcing

/// The eight states of the enrollment machine, from first mention to removal.
public enum EnrollmentStatus: Int, WireEnumeration {
  /// Mentioned, but not registered by the app.
  case unknown = 0
  /// Registered by the app; not enrolled.
  case registered = 1
  /// The service has been asked to enroll it.
  case enrolling = 2
  /// Enrolled, but no policy targets it: it is unmanaged.
  case enrolledWithoutPolicy = 3
  /// Enrolled, with a policy.
  case enrolledWithPolicy = 4
  /// The service has been asked to unenroll it.
  case unenrolling = 5
  /// Its data is being wiped.
  case wiping = 6
  /// Unenrolled and deregistered; it may be registered again.
  case removed = 7

  /// Whether the service counts the account as enrolled.
  public var isEnrolled: Bool {
    self == .enrolledWithoutPolicy || self == .enrolledWithPolicy
  }

  /// Whether the account is in the app's list of registered accounts.
  public var isRegistered: Bool {
    self != .unknown && self != .removed
  }
}

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

/// Why the service is asked for policy.
public enum CheckInTrigger: Int, WireEnumeration {
  /// The interval is over.
  case schedule = 0
  /// The app or the user asked.
  case request = 1
  /// The app started.
  case launch = 2
  /// An earlier check-in failed and its pause is over.
  case retry = 3
}

/// The user's answer when a second account asks to be managed.
public enum AccountChoice: Int, WireEnumeration {
  /// The managed account stays; the other is refused.
  case keepExisting = 0
  /// The managed account is removed and the other takes its place.
  case switchAccounts = 1
  /// The user closed the question; the second account stays registered and is not enrolled.
  case canceled = 2
}
