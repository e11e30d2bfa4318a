import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON
import PlainText

/// What retiring events does and what it makes impossible, as text and as JSON Lines: the same before it is done as in a
/// dry run.
struct RetirementReport {
  /// What is done.
  let plan: RetirementPlan
  private let path: String
  private let requested: UInt64
  private let isDryRun: Bool
  /// When the first event that stays happened; `nil` where none follows the removed ones yet.
  private let firstTime: String?

  init(
    _ plan: RetirementPlan, of journal: JournalInput, before requested: UInt64, isDryRun: Bool,
    firstTime: Int64?
  ) {
    self.plan = plan
    path = journal.path
    self.requested = requested
    self.isDryRun = isDryRun
    self.firstTime = firstTime.map { CivilTime(nanoseconds: $0).text }
  }

  /// What is done: a verb, what it is done to, and more about it.
  private var steps: [(verb: String, what: String, more: String)] {
    var steps: [(String, String, String)] = []
    if let events = plan.removal.events {
      if plan.writesCheckpoint {
        steps.append(("write", "a checkpoint", "the state after event \(plan.checkpointSequence.grouped)"))
      }
      let count = plan.removal.segments.count
      steps.append(
        (
          "remove", VerifyText.events(events),
          "\(count.counted("segment")), \(plan.removal.byteCount.grouped) bytes"
        ))
      let first = plan.removal.firstSequence.grouped
      steps.append(("keep", "from event \(first)", "with the states before and after each event"))
      for old in plan.obsoleteCheckpoints {
        steps.append(
          ("remove", "a checkpoint", "the state after event \(old.sequence.grouped), which no event follows any more"))
      }
    }
    for file in plan.removal.leftovers {
      steps.append(("remove", file, "its events were retired before; that was interrupted"))
    }
    return steps
  }

  /// What is impossible afterwards: a subject, and a sentence about it.
  private var losses: [(subject: String, sentence: String)] {
    guard let events = plan.removal.events else { return [] }
    let (start, first) = (plan.checkpointSequence.grouped, plan.removal.firstSequence.grouped)
    let gone = VerifyText.events(events)
    return [
      ("events", "\(gone) can no longer be shown, searched, counted or compared"),
      ("positions", "before event \(first), and the states there, can no longer be asked about"),
      ("times", "before \(firstTime ?? "the next event") can no longer be asked about"),
      ("forks", "can begin at event \(first) or later"),
      ("check", "begins after event \(start): what was recorded before it can no longer be compared"),
      (
        "programs",
        """
        of another revision of the rules than \(plan.revision) (\(Tool.name) version shows it) can open the journal only if they are \
        later and can take over its state; that is then recorded for good
        """
      ),
      ("salvage", "of this folder finds none of these events; without a checkpoint, no state is known any more"),
    ] + plan.losses.map { ("state", "would lack \($0) for good, which only a newer tool knows: nothing is removed") }
      + plan.lostKinds.map { ("entities", "of the kind \($0) would lose their versions for good: nothing is removed") }
  }

  /// Prints what is done and lost.
  func print(to context: CommandContext) {
    context.report { lines in
      lines.begin(Self.records, self)
      lines.add(Self.planRecord, plan)
      lines.add(Self.impossible, each: losses)
    } text: {
      printText(to: context)
    }
  }

  private func printText(to context: CommandContext) {
    var table = TextTable([TextColumn(""), TextColumn(""), TextColumn("")])
    for step in steps {
      table.append([TextCell(step.verb), TextCell(TerminalText.visible(step.what)), TextCell(step.more)])
    }
    if !steps.isEmpty { context.print(table) }
    guard !losses.isEmpty else { return }
    context.output.line("Impossible afterwards, for good:")
    var list = TextTable([TextColumn(""), TextColumn("")])
    for loss in losses { list.append([TextCell("  " + loss.subject), TextCell(loss.sentence)]) }
    context.print(list)
  }

  /// What `-j` writes.
  static let records = JSONOutput<RetirementReport, UInt64?>(
    "retire", start: [.init("journal", \.path), .init("dryRun", \.isDryRun)], [planRecord, impossible],
    end: [.init("retired") { $0 != nil }, .init("firstKept") { $0 }])

  private static let planRecord = JSONRecord<RetirementPlan>(
    "plan",
    [
      .init("firstKept", \.removal.firstSequence), .init("events", \.removal.events),
      .init("files") { $0.removal.segments.map(\.file) + $0.removal.leftovers }, .init("bytes", \.removal.byteCount),
      .init("stateKnownBehind", \.checkpointSequence), .init("writesCheckpoint", \.writesCheckpoint),
      .init("removedCheckpoints") { $0.obsoleteCheckpoints.map(\.sequence) }, .init("revision", \.revision),
    ])

  private static let impossible = JSONRecord<(subject: String, sentence: String)>(
    "impossible", [.init("what", \.subject), .init("sentence", \.sentence)])

  /// Says what was done.
  ///
  /// - Parameter first: The first event that was kept; `nil` when nothing was done.
  func printEnd(_ first: UInt64?, to context: CommandContext) {
    context.end(Self.records, .some(first), .done) { printTextEnd(first, to: context) }
  }

  private func printTextEnd(_ first: UInt64?, to context: CommandContext) {
    let place = TerminalText.visible(path)
    if let first {
      context.output.line("Done: \(place) begins with event \(first.grouped).")
    } else if plan.isEmpty {
      context.output.line(
        "Nothing to remove: no segment of \(place) ends before event \(requested.grouped). Nothing was written.")
    } else {
      context.output.line("Nothing was written: --dry-run.")
    }
  }
}
