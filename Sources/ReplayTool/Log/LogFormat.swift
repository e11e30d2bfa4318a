import CommandSupport
import EventSourcing
import Forensics
import Journal
import PlainText

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

/// One line of a log with the notes under it, as text or as a JSON record.
struct LogRow {
  /// The line, or several, without the last one's end, in UTF-8.
  var text: [UInt8]
  /// Whether it is an event that matched: what `-n` counts.
  var isMatch = false
  /// When an event was written that is printed as text; a heading tells the year, or the day, where that changes.
  var time: CivilTime?

  /// Whether it is not printed.
  private(set) var isOmitted = false

  /// Nothing: the format has no line for it.
  static var omitted: LogRow {
    var row = LogRow([], isMatch: false)
    row.isOmitted = true
    return row
  }

  /// A line.
  init(text: String, isMatch: Bool = false) {
    self.init(Array(text.utf8), isMatch: isMatch)
  }

  /// A line in UTF-8.
  init(_ text: [UInt8], isMatch: Bool, time: CivilTime? = nil) {
    self.text = text
    self.isMatch = isMatch
    self.time = time
  }
}

/// Prints the rows of a log: as they come, the last ones only, or newest first.
final class LogPrinter {
  private let output: TextOutput
  private let text: LogText?
  private var period: String?
  /// The number of matches printed.
  private(set) var shown: UInt64 = 0

  init(_ output: TextOutput, _ text: LogText?) {
    self.output = output
    self.text = text
  }

  /// Whether the reader of the output is gone.
  var isClosed: Bool { output.isClosed }

  /// Flushes the output.
  func flush() {
    output.flush()
  }

  /// Prints a row; `false` when the reader of the output is gone.
  func print(_ row: LogRow) -> Bool {
    guard !row.isOmitted else { return !output.isClosed }
    if let text {
      if let next = row.time.map(text.period), next != period {
        if period == nil { output.line(text.header(next)) }
        if period != nil || text.isNarrow { output.line(text.periodLine(next)) }
        period = next
      }
    }
    output.line(utf8: row.text, hanging: LogText.hanging)
    if row.isMatch { shown += 1 }
    return !output.isClosed
  }
}
