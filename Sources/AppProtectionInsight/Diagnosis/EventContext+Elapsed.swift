import AppProtection
import EventSourcing

extension EventContext {
  /// The time since an earlier event, in nanoseconds; never negative. By wall clock or uptime, whichever shows the longer
  /// interval: a clock that was set back hides none, and neither does a device that was restarted.
  func elapsed(since earlier: EventContext) -> Int64 {
    let wall = moment.wallNanoseconds.distanceClamping(from: earlier.moment.wallNanoseconds)
    guard moment.uptimeNanoseconds > 0, earlier.moment.uptimeNanoseconds > 0 else { return max(wall, 0) }
    return max(wall, moment.uptimeNanoseconds.distanceClamping(from: earlier.moment.uptimeNanoseconds), 0)
  }
}
