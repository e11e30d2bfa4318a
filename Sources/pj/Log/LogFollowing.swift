import Forensics
import Journal

/// What `pj log -f` does where a log ends: it prints what it has, and waits for more.
final class LogFollowing {
  private let journal: JournalInput
  private let context: CommandContext
  private let printer: LogPrinter
  private let changes: JournalChanges
  /// How many matches to begin with; `nil` for all.
  private let limit: Int?
  /// The rows that are kept until it is known which are the last, and how many of them are matches.
  private var rows: [LogRow] = []
  private var matches = 0
  private var isWaiting = false
  private var wasClosed = false
  private var hasToldDamage = false

  init(_ journal: JournalInput, _ context: CommandContext, _ printer: LogPrinter, limit: Int?) {
    self.journal = journal
    self.context = context
    self.printer = printer
    self.limit = limit
    // Before anything is read, so that nothing comes in between.
    changes = journal.history.reader.changes()
    context.environment.whenFollowing(changes)
  }

  /// Whether somebody interrupted it.
  var isInterrupted: Bool { changes.isStopped }

  /// Prints and waits until somebody interrupts it, or nobody reads any more.
  func print(_ pass: LogPass, _ filter: EventFilter, _ format: any LogFormat) throws(Failure) -> LogTotals {
    let totals = try pass.run(filter, goingOn: { waits() }) { entry in
      if case .finding(let finding) = entry { note(finding) }
      return take(format.row(entry)) && !changes.isStopped
    }
    printKept()
    return totals
  }

  private func take(_ row: LogRow) -> Bool {
    guard let limit, !isWaiting else { return printer.print(row) }
    rows.append(row)
    if row.isMatch { matches += 1 }
    // Whatever stands behind the match that is too many stays: it leads to the next one.
    guard matches > limit, let first = rows.firstIndex(where: { $0.isMatch }) else { return true }
    rows.removeFirst(first + 1)
    matches -= 1
    return true
  }

  private func printKept() {
    for row in rows { _ = printer.print(row) }
    rows = []
  }

  private func waits() -> Bool {
    printKept()
    isWaiting = true
    noteWhetherClosed()
    context.output.flush()
    guard !context.output.isClosed, !context.output.isReaderGone, changes.wait() else { return false }
    return true
  }

  /// Says when nobody will write for a while.
  private func noteWhetherClosed() {
    guard let reader = try? JournalReader(path: journal.path) else { return }
    defer { wasClosed = reader.wasClosed }
    guard reader.wasClosed, !wasClosed else { return }
    context.note(
      "\(journal.path): the journal was closed behind event \(reader.durableSequence); waiting for whoever opens it again"
    )
  }

  private func note(_ finding: Finding) {
    guard !hasToldDamage, FindingNotes.exitCode([finding], nil) != .done else { return }
    hasToldDamage = true
    context.note("\(journal.path): damaged; what is shown is sound. Next: pj verify \(journal.path)")
  }
}
