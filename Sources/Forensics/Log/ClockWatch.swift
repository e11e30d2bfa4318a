import EventSourcing
import PlainText

/// Detects changes of the device's clock by comparing wall times with one another and with the time since the device
/// started, which cannot be set.
public struct ClockWatch: Sendable {
  /// How far wall time may drift from uptime between two events before it counts as a jump: one minute. Time
  /// synchronisation adjusts a clock by less.
  public static let toleranceNanoseconds: Int64 = 60 * CivilTime.nanosecondsPerSecond

  private var previous: Moment?

  /// A watch that has seen no event.
  public init() {}

  /// Examines the next event; returns the jump, if any, between the previous event and this one.
  public mutating func examine(_ sequence: UInt64, _ moment: Moment) -> ClockJump? {
    defer { previous = moment }
    guard let previous else { return nil }
    let passed = Self.difference(moment.wallNanoseconds, previous.wallNanoseconds)
    guard previous.uptimeNanoseconds > 0, moment.uptimeNanoseconds > 0 else {
      return passed < 0 ? ClockJump(sequence: sequence, nanoseconds: passed, isSameBoot: nil) : nil
    }
    // Lower uptime than before means that the device restarted.
    guard moment.uptimeNanoseconds >= previous.uptimeNanoseconds else {
      return passed < 0 ? ClockJump(sequence: sequence, nanoseconds: passed, isSameBoot: false) : nil
    }
    let moved = Self.difference(passed, Self.difference(moment.uptimeNanoseconds, previous.uptimeNanoseconds))
    guard passed < 0 || moved.magnitude > UInt64(Self.toleranceNanoseconds) else { return nil }
    return ClockJump(sequence: sequence, nanoseconds: moved, isSameBoot: true)
  }

  /// Examines the next event; an event without an envelope has no time.
  @inlinable
  public mutating func examine<Event>(_ record: RecordedEvent<Event>) -> ClockJump? {
    record.envelope.type == 0 ? nil : examine(record.sequence, record.envelope.moment)
  }

  /// The time between two times, at most as long as can be counted.
  static func difference(_ one: Int64, _ other: Int64) -> Int64 {
    let (value, overflow) = one.subtractingReportingOverflow(other)
    return overflow ? (one < other ? .min : .max) : value
  }
}
