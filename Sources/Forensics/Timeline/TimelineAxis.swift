import EventSourcing

/// Places events on an axis that never runs backwards: where the clock went back, time stands still on it.
struct TimelineAxis: Sendable {
  private var last: Int64?
  private var place: Int64 = 0

  /// The place of the next event, in microseconds since the first one.
  mutating func place(of envelope: Envelope) -> Int64 {
    // What is no event of a store has no time.
    guard envelope.type != 0 else { return place }
    let wall = Self.microseconds(envelope.moment.wallNanoseconds)
    if let last {
      let (passed, overflow) = wall.subtractingReportingOverflow(last)
      if !overflow, passed > 0 { place = place.addingReportingOverflow(passed).overflow ? place : place + passed }
    }
    last = wall
    return place
  }

  /// Whole microseconds, rounded down.
  static func microseconds(_ nanoseconds: Int64) -> Int64 {
    nanoseconds / 1000 - (nanoseconds % 1000 < 0 ? 1 : 0)
  }
}
