import EventSourcing
import Forensics
import Journal

/// Turns the entries of a log into rows.
protocol LogFormat: Sendable {
  /// An event.
  func row(_ event: LoggedEvent, isMatch: Bool) -> LogRow
  /// A jump of the clock.
  func row(_ jump: ClockJump) -> LogRow
  /// A finding about the bytes.
  func row(_ finding: Finding) -> LogRow
  /// The place from which no state is known.
  func row(_ obstacle: HistoryError) -> LogRow
  /// Events that were retired, and the place from which the state is known.
  func row(_ beginning: RetiredBeginning) -> LogRow
}

extension LogFormat {
  /// Any entry.
  func row(_ entry: LogEntry) -> LogRow {
    switch entry {
    case .event(let event, let isMatch): row(event, isMatch: isMatch)
    case .clockJump(let jump): row(jump)
    case .finding(let finding): row(finding)
    case .stateUnknown(let obstacle): row(obstacle)
    case .retiredBeginning(let beginning): row(beginning)
    }
  }
}

extension LogText: LogFormat {}
