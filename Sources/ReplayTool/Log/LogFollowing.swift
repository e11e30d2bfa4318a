import CommandSupport
import Forensics
import Journal

/// Follows a log: `log -f` prints what the journal holds, and waits for more.
///
/// New events are read from where it stopped; earlier ones are not read again.
final class LogFollowing {
  private let journal: JournalInput
  private let context: CommandContext
  private let printer: LogPrinter
  private let changes: JournalChanges
  /// The number of matches to begin with; `nil` for all.
  private let limit: Int?
  private var closedEnd: ClosedEnd
  /// The end for which the note about a closed journal was last printed.
  private var toldEnd: UInt64?
  private var hasToldDamage = false
  /// The findings that name lost events, the last ones of many. They are left out from then on, even if the files change.
  private var losses: [Finding] = []
  private static let maximumLosses = 16
  /// Number of entries so far, and at the last check for lost events that are back.
  private var entries = (all: 0, looked: 0)

  init(_ journal: JournalInput, _ context: CommandContext, _ printer: LogPrinter, limit: Int?) {
    self.journal = journal
    self.context = context
    self.printer = printer
    self.limit = limit
    closedEnd = journal.history.reader.closedEnd
    // Before anything is read, so that no change is missed.
    changes = journal.history.reader.changes()
    context.environment.whenFollowing(changes)
  }

  /// Whether what to wait for may happen unnoticed, as was said.
  private var isUncertain = false
  /// What to wait for; `nil` to go on until interrupted.
  var stoppingCondition: AnyStoppingCondition?

  /// Whether the user interrupted it.
  var isInterrupted: Bool { changes.isStopped }

  /// Prints and waits until the user interrupts it, the reader of the output goes away, or what it waits for happens.
  func print(_ pass: LogPass, _ filter: EventFilter, _ format: any LogFormat) throws(Failure) -> LogTotals {
    guard let limit else { return try follow(pass, filter, format, after: 0) }
    // Each event from the first printed one on may be the last.
    if stoppingCondition == nil, let end = pass.end(of: limit, filter),
      let totals = try follow(end, of: pass, filter, format, limit)
    {
      return totals
    }
    let tail = LogTail(limit: limit, isReversed: false)
    let first = try tail.count(pass, filter, while: { !changes.isStopped }).rows.lowerBound
    return try follow(pass, filter, format, after: first)
  }

  /// Follows a pass, and does not print its first entries.
  private func follow(
    _ pass: LogPass, _ filter: EventFilter, _ format: any LogFormat, after first: Int
  ) throws(Failure) -> LogTotals {
    var index = 0
    return try pass.run(
      filter, goingOn: { waits() },
      endingAt: { event in
        // Judged at each event, so that it knows the state.
        let isMet = stoppingCondition?.holds(at: event) ?? false
        noteUncertainty()
        return isMet && (first == 0 || index > first)
      }
    ) { entry in
      defer { index += 1 }
      note(entry)
      return (index < first || printer.print(format.row(entry))) && !changes.isStopped
    }
  }

  /// Says once that the condition may be met unnoticed.
  private func noteUncertainty() {
    guard !isUncertain, stoppingCondition?.isUncertain ?? false else { return }
    isUncertain = true
    context.note("--exit-on: \(ConditionText.unknown). Next: \(Tool.name) help redaction")
  }

  /// Follows the end of a pass, and counts what precedes it once the last events are printed. Prints nothing and returns
  /// `nil` if the end turns out to be elsewhere.
  private func follow(
    _ end: LogPass, of pass: LogPass, _ filter: EventFilter, _ format: any LogFormat, _ limit: Int
  ) throws(Failure) -> LogTotals? {
    var rows: [LogRow]? = []
    var isOther = false
    var front = Result<LogTotals, Failure>.success(LogTotals())
    var totals = try end.run(
      filter,
      goingOn: {
        if let first = rows {
          guard !isOther, let last = LogTail.last(limit, of: first) else {
            isOther = true
            return false
          }
          rows = nil
          for row in last { _ = printer.print(row) }
          context.output.flush()
          front = Result { () throws(Failure) in try count(before: end, of: pass, filter) }
          guard case .success = front else { return false }
        }
        return waits()
      }
    ) { entry in
      note(entry)
      if case .stateUnknown = entry, rows != nil { isOther = true }
      guard rows == nil else {
        rows?.append(format.row(entry))
        return !changes.isStopped
      }
      return printer.print(format.row(entry)) && !changes.isStopped
    }
    if isOther { return nil }
    totals.add(before: try front.get())
    return totals
  }

  /// The contents before an end of a pass, without the states.
  private func count(before end: LogPass, of pass: LogPass, _ filter: EventFilter) throws(Failure) -> LogTotals {
    let front = LogPass(
      journal: journal, lower: pass.lower, upper: end.lower - 1, redaction: pass.redaction, context: 0)
    var totals = try front.run(filter, needsStates: false) { entry in
      note(entry)
      return !changes.isStopped && !context.output.isClosed
    }
    // All of them exist, even when it was interrupted.
    totals.seen = end.lower - pass.lower
    totals.matched = totals.seen
    return totals
  }

  private func waits() -> Bool {
    noteWhetherClosed()
    context.output.flush()
    guard !context.output.isClosed, !context.output.isReaderGone, !endsBehindLoss() else { return false }
    return changes.wait()
  }

  /// Reports that lost events are back, or that the owner continued before them: following ends there. Checks only
  /// when nothing new came since the last time, because an active writer would cause too many checks.
  private func endsBehindLoss() -> Bool {
    defer { entries.looked = entries.all }
    guard entries.looked == entries.all, !losses.isEmpty else { return false }
    func text(_ losses: [Finding]) -> String {
      let ranges = losses.compactMap(\.lostEvents).map(VerifyText.events).joined(separator: " and ")
      return "\(journal.path): \(ranges), left out here as lost,"
    }
    let reader = journal.history.reader
    let restored = losses.filter { reader.isRestored($0) }
    if let first = restored.compactMap({ $0.lostEvents?.lowerBound }).min() {
      let files = restored.map(\.file).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
      context.note(
        "\(text(restored)) can be read again: \(files.joined(separator: " and ")) "
          + "\(files.count == 1 ? "was" : "were") restored from a copy. "
          + "Next: \(Tool.name) log -f \(journal.path.shellWord) \(first)..")
      return true
    }
    let givenUp = losses.filter { reader.isGivenUp($0) }
    guard !givenUp.isEmpty else { return false }
    context.note(
      "\(text(givenUp)) will not come back: the writer gave up what was damaged and continued before it. "
        + "Next: \(Tool.name) log -f \(journal.path.shellWord)")
    return true
  }

  /// Notes that the journal was closed, so no writer will add to it for a while.
  private func noteWhetherClosed() {
    guard let end = try? closedEnd.lastSequence() else {
      toldEnd = nil
      return
    }
    guard end != toldEnd else { return }
    toldEnd = end
    context.note("\(journal.path): the journal was closed after event \(end); waiting until a program opens it again")
  }

  private func note(_ entry: LogEntry) {
    entries.all += 1
    if case .finding(let finding) = entry, finding.isDamage, finding.lostEvents != nil {
      if losses.count == Self.maximumLosses { losses.removeFirst() }
      losses.append(finding)
    }
    guard case .finding(let finding) = entry, !hasToldDamage, FindingNotes.exitCode([finding], nil) != .done else {
      return
    }
    hasToldDamage = true
    let what = FindingNotes.count([finding])
    let next = FindingNotes.nextStep([finding], journal.path)
    context.note("\(journal.path): \(what); what is shown is sound. Next: \(next)")
  }
}
