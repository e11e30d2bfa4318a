import EventSourcing

/// Notices where the device's clock was set, by comparing wall times with each other and with the time since the device
/// started, which nobody can set.
public struct ClockWatch: Sendable {
  /// How far wall time may drift against uptime between two events before it counts as a jump: one minute. A clock
  /// that follows a time server moves by less.
  public static let toleranceNanoseconds: Int64 = 60 * CivilTime.nanosecondsPerSecond

  private var previous: Moment?

  /// Creates a watch that has seen no event.
  public init() {}

  /// Looks at the next event; says so when the clock was moved between the previous one and it.
  public mutating func note(_ sequence: UInt64, _ moment: Moment) -> ClockJump? {
    defer { previous = moment }
    guard let previous else { return nil }
    let passed = Self.difference(moment.wallNanoseconds, previous.wallNanoseconds)
    guard previous.uptimeNanoseconds > 0, moment.uptimeNanoseconds > 0 else {
      return passed < 0 ? ClockJump(sequence: sequence, nanoseconds: passed, isSameBoot: nil) : nil
    }
    // Uptime that is less than before has begun anew.
    guard moment.uptimeNanoseconds >= previous.uptimeNanoseconds else {
      return passed < 0 ? ClockJump(sequence: sequence, nanoseconds: passed, isSameBoot: false) : nil
    }
    let moved = Self.difference(passed, Self.difference(moment.uptimeNanoseconds, previous.uptimeNanoseconds))
    guard passed < 0 || moved.magnitude > UInt64(Self.toleranceNanoseconds) else { return nil }
    return ClockJump(sequence: sequence, nanoseconds: moved, isSameBoot: true)
  }

  private static func difference(_ one: Int64, _ other: Int64) -> Int64 {
    let (value, overflow) = one.subtractingReportingOverflow(other)
    return overflow ? (one < other ? .min : .max) : value
  }
}
