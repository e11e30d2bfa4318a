import EventSourcing

/// When something is due, by both clocks of the device.
///
/// An event says it by the wall clock, which the user can set. So the pause is counted too, by ``LaunchClock``, as the
/// deadlines of launch conditions are: a wall clock that is set back delays nothing, because uptime goes on. The wall clock's
/// word is taken when it shows the time, so that one that is set ahead is followed, as is one that went on while the device
/// was off.
public struct DueTime: FieldList {
  /// What the wall clock shows then, in nanoseconds since 1970.
  public private(set) var wall: Int64
  /// What ``LaunchClock/elapsed`` shows then.
  public private(set) var elapsed: Int64

  /// The value that decoding starts from.
  public static var blank: Self { Self(wall: 0, elapsed: 0) }

  /// The fields.
  public static func visit<V: FieldVisitor>(_ due: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "wall", &due.wall, as: .time)
    try field(2, "elapsed", &due.elapsed, as: .duration)
  }

  /// What the wall clock shows: people read that.
  public func tree() -> StateTree { .value(.time(wall)) }

  /// The other clock's time for people; unset where nothing is due.
  static func elapsed(of due: DueTime?) -> StateTree { .value(due.map { .duration($0.elapsed) } ?? .unset) }

  init(wall: Int64, elapsed: Int64) {
    self.wall = wall
    self.elapsed = elapsed
  }
}

extension AppProtectionState {
  /// The time that an event names as due, counted from that event on. `nil` where it names none, and if the account
  /// is unknown.
  ///
  /// A pause shorter or longer than ``RetrySchedule/pauses`` can only come from a clock at the end of its range.
  mutating func due(at wall: Int64?, for account: AccountNumber, _ context: EventContext) -> DueTime? {
    guard let wall, accounts.index(of: account) != nil else { return nil }
    let pauses = RetrySchedule.pauses
    let pause = wall.distanceClamping(from: context.moment.wallNanoseconds)
    return due(at: wall, after: min(max(pause, pauses.lowerBound), pauses.upperBound), context)
  }

  /// A time that comes the given number of nanoseconds after an event.
  mutating func due(at wall: Int64, after pause: Int64, _ context: EventContext) -> DueTime {
    launch.clock.note(context.moment)
    return DueTime(wall: wall, elapsed: launch.clock.elapsed.advancedClamping(by: pause))
  }

  /// Whether a due time has come. Everything that waits for a time asks here, ``nextDue(after:)`` by the same rule.
  func isReached(_ due: DueTime, at moment: Moment) -> Bool {
    launch.clock.remaining(until: due, at: moment) <= 0
  }
}

extension LaunchClock {
  /// How long until something is due when both clocks go on undisturbed; it is due where nothing or less remains.
  ///
  /// It is due when the wall clock shows its time, or when its pause has been counted, whichever comes first. Where no
  /// uptime is known a wall clock that was set back would delay it without end, so there something is also due that lies
  /// beyond ``RetrySchedule/horizon``.
  func remaining(until due: DueTime, at moment: Moment) -> Int64 {
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

  /// How long until a clock shows a time. At the end of its range it shows none that is later: it is not waited for.
  private static func distance(to time: Int64, from now: Int64) -> Int64 {
    time == .max ? .max : time.distanceClamping(from: now)
  }
}
