/// What an unenrollment began with.
public enum UnenrollmentOrigin: Int, WireEnumeration {
  /// The app called `deregisterAndUnenroll`.
  case app = 0
  /// The service ordered it.
  case service = 1
  /// Another managed account replaces it.
  case accountSwitch = 2
}
