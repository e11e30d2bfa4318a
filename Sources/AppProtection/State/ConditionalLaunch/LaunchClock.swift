import EventSourcing

/// A clock that never goes back, used for the deadlines of launch conditions.
///
/// It counts the time that has passed by the wall clock or by uptime, whichever shows the longer interval. Setting the
/// wall clock back does not reduce it, because uptime continues; a reboot does not reduce it, because the wall clock's
/// high-water mark is kept. It is recorded with the events that matter to launch conditions, among them every request
/// for a check-in and everything that sets a time for later, and reaches from the last of them to any moment of the
/// running process. A user who sets the wall clock back *and* reboots gains only the time between that event and the
/// reboot: uptime measures the time since the reboot.
public struct LaunchClock: FieldTree {
  /// The time elapsed since the first record, in nanoseconds.
  public private(set) var elapsed: Int64 = 0
  /// The wall clock's time as if it had never been set back; `nil` before the first record. A completed check-in resets
  /// it, because a device that reaches the service has a roughly correct clock.
  public private(set) var wall: Int64?
  /// The uptime at the last record; zero when unknown.
  public private(set) var uptime: Int64 = 0

  init() {}

  /// The time elapsed at a moment of the running process. Never less than ``elapsed``.
  public func elapsed(at moment: Moment) -> Int64 {
    elapsed.advancedClamping(by: step(to: moment, in: .same))
  }

  /// How the boot session of a moment relates to that of the last record.
  enum BootSession {
    /// It is the same one: a process runs, or another one started in it.
    case same
    /// The device was rebooted in between.
    case later
    /// The device does not report it.
    case unknown

    init(_ now: GUID?, after before: GUID?) {
      self = if let now, let before { now == before ? .same : .later } else { .unknown }
    }
  }

  private func step(to moment: Moment, in session: BootSession) -> Int64 {
    guard let wall else { return 0 }
    let byWall = wall < moment.wallNanoseconds ? moment.wallNanoseconds.distanceClamping(from: wall) : 0
    let byUptime = uptimeStep(to: moment.uptimeNanoseconds, in: session)
    assert(byWall >= 0 && byUptime >= 0, "the launch clock goes back")
    return max(byWall, byUptime)
  }

  /// The elapsed time by uptime. Zero means unknown uptime. In the running process, an uptime below the last one
  /// belongs to a moment read slightly earlier; at the start of a new process, it means a reboot.
  private func uptimeStep(to now: Int64, in session: BootSession) -> Int64 {
    let isRebooted = session == .later || (session == .unknown && uptime > 0 && now < uptime)
    if isRebooted { return max(now, 0) }
    return uptime > 0 && now > uptime ? now - uptime : 0
  }

  /// Records a moment.
  mutating func record(_ moment: Moment, in session: BootSession = .same) {
    let step = step(to: moment, in: session)
    elapsed = elapsed.advancedClamping(by: step)
    wall = wall.map { $0.advancedClamping(by: step) } ?? moment.wallNanoseconds
    uptime = moment.uptimeNanoseconds
  }

  /// Trusts the wall clock from this point on, because the service was reached.
  mutating func trust(_ moment: Moment) {
    wall = moment.wallNanoseconds
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ clock: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "elapsed", &clock.elapsed, as: .elapsed)
    try field(2, "wall", &clock.wall, as: .time)
    try field(3, "uptime", &clock.uptime, as: .elapsed, shown: false)
    field.shown("uptime", .value(clock.uptime == 0 ? .unset : .duration(clock.uptime)))
  }
}

extension Int64 {
  /// The difference, clamped to the type's range.
  package func distanceClamping(from other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
