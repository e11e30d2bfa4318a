import EventSourcing
import Journal

/// Walks over a stretch of a history the way a log shows it: events with what they changed, and between them jumps of
/// the clock, damage, and the place from which no state is known.
///
/// Memory does not grow with the history.
public struct LogReader<Machine: Reducer>: ~Copyable {
  private var cursor: HistoryCursor<Machine>
  private let upper: UInt64?
  private var clock = ClockWatch()
  private var waiting: [LogItem<Machine>] = []
  private var hasToldObstacle = false
  private var isAtEnd = false

  /// Begins at an event.
  ///
  /// - Parameters:
  ///   - history: What to read.
  ///   - lower: The first event to tell, from 1; where the journal begins with a later one, as forks do and journals whose
  ///     first events were retired, that one.
  ///   - upper: The last event to tell; `nil` is the end, findings behind the last event included.
  ///   - needsStates: Whether the changes that events made are asked for.
  public init(
    _ history: History<Machine>, from lower: UInt64 = 1, upTo upper: UInt64? = nil, needsStates: Bool = true
  ) throws(HistoryError) {
    self.upper = upper
    let before = max(lower, history.firstSequence, 1) - 1
    guard needsStates else {
      cursor = try history.events(after: before)
      return
    }
    do throws(HistoryError) {
      cursor = try history.cursor(after: before == 0 ? .start : .sequence(before))
    } catch {
      if case .journal = error { throw error }
      do throws(HistoryError) {
        guard case .noStartingState(let first) = error else { throw error }
        cursor = try history.cursor(upToCheckpointFrom: before + 1)
        waiting.append(
          .retiredBeginning(RetiredBeginning(firstSequence: first, checkpointSequence: cursor.lastDerivable)))
      } catch {
        // The events can be told even where the state before them is not known.
        cursor = try history.events(after: before)
        waiting.append(.stateUnknown(error))
        hasToldObstacle = true
      }
    }
  }

  /// The next item; `nil` at the end.
  public mutating func next() throws(HistoryError) -> LogItem<Machine>? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    guard !isAtEnd, let item = try cursor.next() else { return nil }
    switch item {
    case .finding(let finding): return tell(.finding(finding))
    case .event(let step):
      let sequence = step.record.sequence
      if let upper, sequence > upper {
        isAtEnd = true
        return nil
      }
      if sequence == upper { isAtEnd = true }
      // A payload that is no envelope has no time of its own.
      if step.record.envelope.type != 0, let jump = clock.note(sequence, step.record.envelope.moment) {
        waiting.append(.event(step))
        noteObstacle()
        return .clockJump(jump)
      }
      return tell(.event(step))
    }
  }

  private mutating func tell(_ item: LogItem<Machine>) -> LogItem<Machine> {
    noteObstacle()
    return item
  }

  /// Says once, behind the event or finding that caused it, that no state is known any more.
  private mutating func noteObstacle() {
    guard !hasToldObstacle, let obstacle = cursor.obstacle else { return }
    hasToldObstacle = true
    waiting.append(.stateUnknown(obstacle))
  }
}
