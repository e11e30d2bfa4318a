import AppProtection
import EventSourcing

/// How much time really passed between two events, as far as the history shows: by the device's clock, less the changes of
/// the clock that were noticed in between.
struct HistoryClock: Sendable {
  /// The most changes kept, in both directions together; the latest ones.
  private static let maximumKept = 256

  /// The event before which a change was noticed, and the sum of all changes up to then.
  private var changes: [(sequence: UInt64, sum: Int64)] = []

  /// The clock was changed.
  mutating func change(by nanoseconds: Int64, before sequence: UInt64) {
    let sum = (changes.last?.sum ?? 0).advancedClamping(by: nanoseconds)
    if changes.count == Self.maximumKept { changes.removeFirst() }
    changes.append((sequence, sum))
  }

  /// The time from one event to a later one, in nanoseconds; never negative.
  func elapsed(from earlier: EventContext, to later: EventContext) -> Int64 {
    let wall = later.moment.wallNanoseconds.distanceClamping(from: earlier.moment.wallNanoseconds)
    return max(wall.distanceClamping(from: sum(at: later).distanceClamping(from: sum(at: earlier))), 0)
  }

  /// By how much the clock was further ahead of the time at an event than at an earlier one.
  func lead(at event: EventContext, since earlier: EventContext) -> Int64 {
    sum(at: event).distanceClamping(from: sum(at: earlier))
  }

  /// The changes up to an event.
  private func sum(at event: EventContext) -> Int64 {
    changes.last { $0.sequence <= event.sequence }?.sum ?? 0
  }
}
