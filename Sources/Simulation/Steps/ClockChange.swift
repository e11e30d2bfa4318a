/// How the script moves its clock. Lengths are nanoseconds and not negative.
public enum ClockChange: Equatable, Sendable {
  /// Time passes: wall time and uptime move together.
  case wait(Int64)
  /// Time passes until the wall clock shows this time, which must not be in the past.
  case at(Int64)
  /// Somebody sets the wall clock back; uptime goes on.
  case setBack(Int64)
  /// Somebody sets the wall clock ahead; uptime goes on.
  case setAhead(Int64)
}
