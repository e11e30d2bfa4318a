/// Whether an account's user is at work (`IntuneMAMClockStatus`; the numbers are the SDK's).
public enum ClockStatus: Int, WireEnumeration {
  /// Working times are not tracked.
  case notConfigured = 0
  /// Working times are tracked, but the status is unknown.
  case unknown = 1
  /// At work.
  case clockedIn = 2
  /// Not at work.
  case clockedOut = 3
  /// At work by the last report, which is too old.
  case clockedInStale = 4
  /// Not at work by the last report, which is too old.
  case clockedOutStale = 5
}
