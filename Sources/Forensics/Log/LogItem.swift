import EventSourcing
import Journal

/// One line of a log: an event, or a notable fact between two events.
public enum LogItem<Machine: Reducer>: Sendable {
  /// An event and its effect.
  case event(HistoryStep<Machine>)
  /// The clock changed before the next event.
  case clockJump(ClockJump)
  /// Damage, or another notable fact about the bytes at this place.
  case finding(Finding)
  /// No state is known until an event after this item, because the events it depends on were retired deliberately.
  case retiredBeginning(RetiredBeginning)
  /// No state is known from the event before this item on; the error is the reason.
  case stateUnknown(HistoryError)
}
