import AppProtection
import EventSourcing
import Forensics
import Journal

/// One pass over a stretch of a history: chooses events and turns them into rows.
struct LogPass {
  let journal: JournalInput
  /// The first and the last event to look at; `nil` is the end.
  let lower: UInt64
  let upper: UInt64?
  let redaction: Redaction
  /// How many events around each wanted one are shown as well.
  let context: Int
  /// How rows are made.
  let format: any LogFormat

  /// Goes through the stretch and hands over every row; stops early when `emit` returns `false`.
  func run(_ filter: EventFilter, _ emit: (LogRow) -> Bool) throws(Failure) -> LogTotals {
    var filter = filter
    var totals = LogTotals()
    var before: [LogRow] = []
    var after = 0
    do throws(HistoryError) {
      var reader = try LogReader(journal.history, from: lower, upTo: upper)
      reading: while let item = try reader.next() {
        var rows: [LogRow] = []
        switch item {
        case .clockJump(let jump):
          if filter.isEmpty { rows = [format.row(jump)] }
        case .finding(let finding):
          totals.findings.append(finding)
          rows = [format.row(finding)]
        case .stateUnknown(let obstacle):
          totals.obstacle = obstacle
          rows = [format.row(obstacle)]
        case .event(let step):
          let event = LoggedEvent(step, redaction)
          if filter.admits(event.subject) {
            totals.note(event.record)
            rows = before + [format.row(event, isMatch: true)]
            before.removeAll()
            after = context
          } else if after > 0 {
            after -= 1
            rows = [format.row(event, isMatch: false)]
          } else if context > 0 {
            if before.count == context { before.removeFirst() }
            before.append(format.row(event, isMatch: false))
          }
        }
        for row in rows where !emit(row) { break reading }
      }
    } catch {
      throw Failure(error, journal: journal.path)
    }
    totals.seen = filter.seen
    totals.matched = filter.matched
    totals.reasonForNothing = filter.reasonForNothing()
    return totals
  }
}

/// How the items of a log become rows.
protocol LogFormat {
  /// An event.
  func row(_ event: LoggedEvent, isMatch: Bool) -> LogRow
  /// A jump of the clock.
  func row(_ jump: ClockJump) -> LogRow
  /// Something about the bytes.
  func row(_ finding: Finding) -> LogRow
  /// The place from which no state is known.
  func row(_ obstacle: HistoryError) -> LogRow
}

extension LogText: LogFormat {}

extension LogTotals {
  /// Counts an event that was wanted.
  mutating func note(_ record: RecordedEvent<AppProtectionEvent>) {
    if first == nil { first = record.sequence }
    last = record.sequence
    if record.event == nil { unknown += 1 }
  }
}
