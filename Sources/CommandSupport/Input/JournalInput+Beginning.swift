import EventSourcing

/// A state from which a history is followed.
package struct HistoryBeginning {
  /// The event after which it is the state; 0 before the first.
  package let sequence: UInt64
  /// The state.
  package let state: AnyState
  /// When questions are asked there: the time of the event, or of the first one that is kept.
  package let moment: Moment
}

extension JournalStates {
  /// The state after an event; where the events that lead to it are retired, the first one that is known after it.
  package func beginning(after sequence: UInt64) throws(HistoryError) -> HistoryBeginning {
    let sequence = max(sequence, journal.history.firstSequence - 1)
    do throws(HistoryError) {
      let state = try journal.history.state(at: sequence == 0 ? .start : .sequence(sequence)).state
      return HistoryBeginning(sequence: sequence, state: state, moment: try moment(near: sequence))
    } catch {
      guard case .noStartingState = error else { throw error }
      guard let kept = try journal.history.firstKeptState() else { throw error }
      return HistoryBeginning(sequence: kept.sequence, state: kept.state, moment: kept.moment)
    }
  }

  /// The time of an event, or of the first one that is kept after it; zero in a journal without events.
  package func moment(near sequence: UInt64) throws(HistoryError) -> Moment {
    let event = try journal.history.firstEvent(after: max(sequence, journal.history.firstSequence, 1) - 1)
    return event?.moment ?? Moment(wallNanoseconds: 0)
  }
}
