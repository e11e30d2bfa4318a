/// What a program knows of a history while calls fail, processes die and the power is cut.
struct ExpectedHistory<Event: Equatable & Sendable>: Sendable {
  /// The events that are in the history, as far as anybody was told.
  private(set) var events: [Event] = []
  /// Events of which it is unknown whether they are in the history, after the others.
  private(set) var uncertain: [Event] = []
  /// After how many events a batch ends.
  private var ends: Set<Int> = [0]
  /// How many of the events must be there, whatever happens.
  private(set) var promised = 0
  /// Events that were not durable may be missing although no power was cut: the device failed to write them.
  private(set) var mayMissUndurable = false
  /// How many events at the front are retired, at least and at most: a call that failed may have done it or not.
  private(set) var retired = 0...0

  mutating func append(_ batch: [Event]) {
    events += batch
    ends.insert(events.count)
  }

  /// Somebody was told that so many events are durable.
  mutating func promise(_ count: Int) { promised = max(promised, min(count, events.count)) }

  /// A batch failed, and whether it is in the history is unknown.
  mutating func doubt(_ batch: [Event]) {
    uncertain = batch
    ends.insert(events.count + batch.count)
  }

  /// So many events at the front may be retired from here on.
  mutating func mayRetire(_ count: Int) { retired = retired.lowerBound...max(retired.upperBound, count) }

  /// So many events at the front are retired, durably; returns what is wrong with that.
  mutating func retire(_ count: Int) -> String? {
    guard retired.contains(count) else { return "\(count) events are retired, and \(retired) can be" }
    retired = count...count
    return nil
  }

  mutating func loseTrust() { mayMissUndurable = true }

  /// Takes what an opening found; returns what is wrong with it.
  mutating func adopt(last: Int, afterPowerCut: Bool) -> String? {
    let least = afterPowerCut || mayMissUndurable ? promised : events.count
    let most = events.count + uncertain.count
    guard least <= last, last <= most else {
      return "\(last) events were found, and \(least) to \(most) can be there"
    }
    guard ends.contains(last) else { return "the history ends with event \(last), in the middle of a batch" }
    events = Array((events + uncertain).prefix(last))
    uncertain = []
    ends = ends.filter { $0 <= last }
    mayMissUndurable = false
    promised = last
    return nil
  }
}
