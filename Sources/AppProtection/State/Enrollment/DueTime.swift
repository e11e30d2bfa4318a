import EventSourcing

/// A due time by both of the device's clocks.
///
/// Events record due times by the wall clock, which the user can set. ``LaunchClock`` therefore also counts the pause,
/// as it does for launch conditions: setting the wall clock back delays nothing, because uptime continues. Work is also
/// due once the wall clock shows its time, so a clock that was set ahead, or that ran while the device was off, is
/// followed.
public struct DueTime: FieldList {
  /// What the wall clock shows then, in nanoseconds since 1970.
  public private(set) var wall: Int64
  /// What ``LaunchClock/elapsed`` shows then.
  public private(set) var elapsed: Int64

  /// The value that decoding starts from.
  public static var blank: Self { Self(wall: 0, elapsed: 0) }

  public static func visit<V: FieldVisitor>(_ due: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "wall", &due.wall, as: .time)
    try field(2, "elapsed", &due.elapsed, as: .duration)
  }

  /// The wall clock's time, which readers expect.
  public func tree() -> StateTree { .value(.time(wall)) }

  /// The launch clock's time as displayed; unset if nothing is due.
  static func elapsed(of due: DueTime?) -> StateTree { .value(due.map { .duration($0.elapsed) } ?? .unset) }

  init(wall: Int64, elapsed: Int64) {
    self.wall = wall
    self.elapsed = elapsed
  }
}

extension LaunchClock {
  /// The time left until the due time if both clocks run undisturbed; zero or less means due.
  ///
  /// Work is due when the wall clock shows its time or its pause has elapsed, whichever comes first. Without a known
  /// uptime, a wall clock set back would delay it forever, so work further away than ``RetrySchedule/horizon`` is then
  /// also due.
  package func remaining(until due: DueTime, at moment: Moment) -> Int64 {
    let byWall = Self.distance(to: due.wall, from: moment.wallNanoseconds)
    let rest = Self.distance(to: due.elapsed, from: elapsed)
    guard let wall, rest > 0 else { return min(byWall, rest) }
    let byMark = Self.distance(to: wall.advancedClamping(by: rest), from: moment.wallNanoseconds)
    if uptime > 0 && moment.uptimeNanoseconds > 0 {
      let byUptime = rest.distanceClamping(from: moment.uptimeNanoseconds.distanceClamping(from: uptime))
      return min(byWall, byMark, byUptime)
    }
    return byWall > RetrySchedule.horizon ? 0 : min(byWall, byMark)
  }

  /// At most the time left until each of several due times, of which `earliest` has the earliest by each clock. Zero or less
  /// if one of them has come.
  func leastRemaining(until earliest: DueTime, at moment: Moment) -> Int64 {
    // Without a known uptime, a time further away may have come as well.
    guard wall == nil || (uptime > 0 && moment.uptimeNanoseconds > 0) else { return .min }
    return min(
      Self.distance(to: earliest.wall, from: moment.wallNanoseconds),
      Self.distance(to: earliest.elapsed, from: elapsed(at: moment)))
  }

  /// The time until a clock shows a time. A clock at the end of its range can show no later time, so work does not wait
  /// for it.
  private static func distance(to time: Int64, from now: Int64) -> Int64 {
    time == .max ? .max : time.distanceClamping(from: now)
  }
}
