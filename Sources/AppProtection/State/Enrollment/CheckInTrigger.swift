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
