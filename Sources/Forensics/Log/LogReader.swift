import EventSourcing
import Journal

/// Iterates over part of a history as a log shows it: events with their changes, interspersed with clock jumps, damage,
/// and the place from which no state is known.
///
/// Memory does not grow with the history.
public struct LogReader<Machine: Reducer>: ~Copyable {
  @usableFromInline var cursor: HistoryCursor<Machine>
  @usableFromInline let upper: UInt64?
  @usableFromInline var clock = ClockWatch()
  @usableFromInline var waiting: [LogItem<Machine>] = []
  @usableFromInline var hasToldObstacle = false
  @usableFromInline var isAtEnd = false

  /// Starts at an event.
  ///
  /// - Parameters:
  ///   - history: The history to read.
  ///   - lower: The first event to return, from 1. If the journal begins later, as forks and journals with retired
  ///     events do, its first event.
  ///   - upper: The last event to return; `nil` means the end, including findings after the last event.
  ///   - needsStates: Whether to compute what each event changed.
  public init(
    _ history: History<Machine>, from lower: UInt64 = 1, upTo upper: UInt64? = nil, needsStates: Bool = true
  ) throws(HistoryError) {
    self.upper = upper
    let before = max(lower, history.firstSequence, 1) - 1
    guard needsStates, !history.isOfOtherDomain else {
      cursor = try history.events(after: before)
      return
    }
    do throws(HistoryError) {
      cursor = try history.cursor(after: before == 0 ? .start : .sequence(before))
    } catch {
      if case .journal = error { throw error }
      do throws(HistoryError) {
        guard case .noStartingState(let first, _) = error else { throw error }
        cursor = try history.cursor(upToCheckpointFrom: before + 1)
        waiting.append(
          .retiredBeginning(RetiredBeginning(firstSequence: first, checkpointSequence: cursor.lastDerivable)))
      } catch {
        // The events can be returned even if the state before them is unknown.
        cursor = try history.events(after: before)
        waiting.append(.stateUnknown(error))
        hasToldObstacle = true
      }
    }
  }

  /// The next item; `nil` at the end.
  @inlinable
  public mutating func next() throws(HistoryError) -> LogItem<Machine>? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    guard !isAtEnd, let item = try cursor.next() else { return nil }
    switch item {
    case .finding(let finding): return report(.finding(finding))
    case .event(let step):
      if let upper, step.record.sequence > upper {
        isAtEnd = true
        return nil
      }
      return turn(to: step)
    }
  }

  /// The next item that is not an event with known states around it. Those are folded in place, which is much faster, and
  /// passed to `body`.
  ///
  /// - Parameters:
  ///   - slices: The slices in which the state before an event is needed.
  ///   - earlier: The state before the next event. Kept from call to call.
  ///   - body: Receives each event that was folded, its content if the program knows it, the jump of the clock before it, and
  ///     the states before and after it.
  @inlinable
  mutating func nextAfterFolding(
    watching slices: [Int], _ earlier: inout Machine.State,
    _ body: (
      PassedEvent<Machine.Event>, Machine.Event?, ClockJump?, borrowing Machine.State, borrowing Machine.State
    ) -> Void
  ) throws(HistoryError) -> LogItem<Machine>? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    guard !isAtEnd else { return nil }
    var watch = clock
    var known: Machine.Event?
    let item = try cursor.nextAfterFolding(
      upTo: upper ?? .max, watching: slices, &earlier, decoded: { known = $0 },
      { event, before, after in
        body(event, known, watch.examine(event.sequence, event.moment), before, after)
        known = nil
        return true
      })
    clock = watch
    switch item {
    case nil:
      isAtEnd = true
      return nil
    case .finding(let finding)?: return report(.finding(finding))
    case .event(let step)?: return turn(to: step)
    }
  }

  @inlinable
  mutating func turn(to step: HistoryStep<Machine>) -> LogItem<Machine> {
    if step.record.sequence == upper { isAtEnd = true }
    guard let jump = clock.examine(step.record) else { return report(.event(step)) }
    waiting.append(.event(step))
    reportObstacle()
    return .clockJump(jump)
  }

  @inlinable
  mutating func report(_ item: LogItem<Machine>) -> LogItem<Machine> {
    reportObstacle()
    return item
  }

  /// Reports once, after the event or finding that caused it, that no further state is known.
  @inlinable
  mutating func reportObstacle() {
    guard !hasToldObstacle, let obstacle = cursor.obstacle else { return }
    hasToldObstacle = true
    waiting.append(.stateUnknown(obstacle))
  }
}
