import CommandSupport
import EventSourcing
import Forensics

/// Chooses the entries of a log among the items of its reader, and counts them.
struct LogSelection {
  /// What the events have to meet.
  private(set) var filter: EventFilter
  /// What it took so far, without what only the end tells.
  private(set) var totals = LogTotals()
  /// What computes the rows.
  let tools: LogTools
  /// The number of events shown around each match.
  private let context: Int
  private var before: [LogEntry] = []
  private var after = 0

  /// A selection that has seen no event, with tools that other selections of the thread use too.
  init(_ filter: EventFilter, _ tools: LogTools, context: Int = 0) {
    self.filter = filter
    self.tools = tools
    self.context = context
  }

  /// Takes the next item and passes the entries that it leads to to `emit`; `false` if that returns `false`, or after the
  /// event that `isLast` chooses.
  mutating func take(
    _ item: LoggedItem, endingAt isLast: (LoggedEvent) -> Bool = { _ in false },
    _ emit: (LogEntry) -> Bool
  ) -> Bool {
    switch item {
    case .clockJump(let jump): return !filter.isEmpty || emit(.clockJump(jump))
    case .finding(let finding):
      totals.findings.append(finding)
      return emit(.finding(finding))
    case .stateUnknown(let obstacle):
      totals.obstacle = obstacle
      return emit(.stateUnknown(obstacle))
    case .retiredBeginning(let beginning): return emit(.retiredBeginning(beginning))
    case .event(let event):
      guard take(event, emit) else { return false }
      totals.hasMetEnd = isLast(event)
      return !totals.hasMetEnd
    }
  }

  /// Counts an event of a type that the filter keeps out whatever else the event is; `false`, and counts nothing, for any
  /// other.
  mutating func keepsOut(type: UInt32) -> Bool { filter.keepsOut(type: tools.printer.kind(of: type).name) }

  private mutating func take(_ event: LoggedEvent, _ emit: (LogEntry) -> Bool) -> Bool {
    if filter.admits(event.subject) {
      totals.note(event.record)
      for entry in before where !emit(entry) { return false }
      before.removeAll()
      after = context
      return emit(.event(event, isMatch: true))
    }
    if after > 0 {
      after -= 1
      return emit(.event(event, isMatch: false))
    }
    if context > 0 {
      if before.count == context { before.removeFirst() }
      before.append(.event(event, isMatch: false))
    }
    return true
  }

  /// Counts what selections on other threads saw of the next events: a filter without criteria of its own order, and
  /// totals without findings.
  mutating func add(_ filter: EventFilter, _ totals: LogTotals) {
    self.filter.add(filter)
    self.totals.first = self.totals.first ?? totals.first
    self.totals.last = totals.last ?? self.totals.last
    self.totals.unknown += totals.unknown
  }

  /// The totals, once every item was taken.
  func finish() -> LogTotals {
    var totals = totals
    totals.seen = filter.seen
    totals.matched = filter.matched
    totals.reasonForNothing = filter.reasonForNothing(tools.printer.redaction)
    totals.unmet = filter.unmet
    return totals
  }
}

extension LogTotals {
  /// Counts an event that matched.
  fileprivate mutating func note(_ record: EventRecord) {
    if first == nil { first = record.sequence }
    last = record.sequence
    if !record.isUnderstood { unknown += 1 }
  }
}
