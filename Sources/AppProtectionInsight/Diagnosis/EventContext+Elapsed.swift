import AppProtection
import EventSourcing
import PlainText

extension EventContext {
  /// The time since an earlier event, in nanoseconds; never negative. By wall clock or uptime, whichever shows the longer
  /// interval: a clock that was set back hides none, and neither does a device that was restarted.
  func elapsed(since earlier: EventContext) -> Int64 {
    let wall = moment.wallNanoseconds.distanceClamping(from: earlier.moment.wallNanoseconds)
    guard moment.uptimeNanoseconds > 0, earlier.moment.uptimeNanoseconds > 0 else { return max(wall, 0) }
    return max(wall, moment.uptimeNanoseconds.distanceClamping(from: earlier.moment.uptimeNanoseconds), 0)
  }
}

/// A length of time in words: `13 hours`, `91 days`.
package enum SpanWords {
  /// The words for a number of nanoseconds, rounded down to its largest unit.
  package static func words(_ nanoseconds: Int64) -> String {
    let unit = unit(of: nanoseconds)
    let count = nanoseconds / unit.nanoseconds
    return count == 0 ? "less than a minute" : count.counted(unit.name)
  }

  /// The words for a time within which something happened: the same, rounded up, and at least a minute.
  static func limit(_ nanoseconds: Int64) -> String {
    let unit = unit(of: nanoseconds)
    let isWhole = nanoseconds > 0 && nanoseconds % unit.nanoseconds == 0
    return (nanoseconds / unit.nanoseconds + (isWhole ? 0 : 1)).counted(unit.name)
  }

  private static func unit(of nanoseconds: Int64) -> (nanoseconds: Int64, name: String) {
    let units: [(nanoseconds: Int64, name: String)] = [
      (RetrySchedule.day, "day"), (RetrySchedule.hour, "hour"), (RetrySchedule.minute, "minute"),
    ]
    // Their hours distinguish two days from one.
    return units.first { nanoseconds >= 2 * $0.nanoseconds } ?? (RetrySchedule.minute, "minute")
  }
}
