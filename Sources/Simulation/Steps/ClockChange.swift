/// How the script moves its clock. Lengths are nanoseconds, and not negative except for offsets.
public enum ClockChange: Equatable, Sendable {
  /// Time passes: wall time and uptime move together.
  case wait(Int64)
  /// Time passes until the wall clock shows this time, which must not be in the past.
  case at(Int64)
  /// The wall clock is set back; uptime continues.
  case setBack(Int64)
  /// The wall clock is set ahead; uptime continues.
  case setAhead(Int64)
  /// The local time has another offset from UTC; `nil` for one that the app cannot find out. Wall clock and uptime
  /// continue.
  case offset(Int64?)
}
