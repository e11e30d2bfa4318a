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
    let units: [(Int64, String)] = [
      (RetrySchedule.day, "day"), (RetrySchedule.hour, "hour"), (RetrySchedule.minute, "minute"),
    ]
    // Their hours distinguish two days from one.
    let unit = units.first { nanoseconds >= 2 * $0.0 } ?? (RetrySchedule.minute, "minute")
    let count = nanoseconds / unit.0
    return count == 0 ? "less than a minute" : count.counted(unit.1)
  }
}
