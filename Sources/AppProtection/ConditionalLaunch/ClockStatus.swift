/// Whether an account's user is at work (`IntuneMAMClockStatus`; the numbers are the SDK's).
public enum ClockStatus: Int, WireEnumeration {
  /// Nobody keeps working times.
  case notConfigured = 0
  /// Working times are kept, and nothing is known.
  case unknown = 1
  /// At work.
  case clockedIn = 2
  /// Not at work.
  case clockedOut = 3
  /// At work when last heard of, which is too long ago.
  case clockedInStale = 4
  /// Not at work when last heard of, which is too long ago.
  case clockedOutStale = 5
}
