/// Who wants an account unenrolled.
public enum UnenrollmentOrigin: Int, WireEnumeration {
  /// The app called `deregisterAndUnenroll`.
  case app = 0
  /// The service ordered it.
  case service = 1
  /// Another managed account takes its place.
  case accountSwitch = 2
}
