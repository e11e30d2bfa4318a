import EventSourcing
import Journal

/// One line of a log: an event, or something that is worth knowing between two events.
public enum LogItem<Machine: Reducer>: Sendable {
  /// An event and what it did.
  case event(HistoryStep<Machine>)
  /// The clock was set before the event that follows.
  case clockJump(ClockJump)
  /// Something is wrong, or worth knowing, about the bytes here.
  case finding(Finding)
  /// Up to some event behind this item no state is known, because the events that it rests on were retired on purpose.
  case retiredBeginning(RetiredBeginning)
  /// From the event before this item on, no state is known, for this reason.
  case stateUnknown(HistoryError)
}
