import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON

/// `pj retire`: removes a journal's oldest events, after a checkpoint that replaces them.
package enum RetireCommand: Command {
  package static let description = CommandDescription(
    "retire", "Removes the oldest events of a journal for good, and keeps the state that they led to.",
    discussion: [
      """
      Events go by whole segment files: those that end before POSITION. A checkpoint, which is written first if it is not \
      there, holds the state after the last of them, so every event that stays keeps its states. Everything else about them is \
      lost: retire lists what before it acts, and --dry-run only lists it. A copy of the folder made before is the only way \
      back.
      """,
      """
      Without --yes, nothing is removed. Neither is anything while an app has the journal open, or when a byte of it is \
      damaged. An app that writes checkpoints later replaces the oldest ones, and the states before those that are left go \
      with them.
      """,
    ],
    examples: [
      .init("pj retire field.pj 2020-03 --dry-run", "What would go so that March 2020 is the first month that stays."),
      .init("pj retire field.pj 5000 --yes", "Keeps event 5000 and everything after it."),
      .init("pj retire field.pj -30d --yes -j", "Keeps the last 30 days; the same for programs."),
    ],
    positionals: [
      PositionalDescription("JOURNAL", completion: .file, "The journal."),
      PositionalDescription(
        "POSITION", .one, completion: .asks("positions"),
        "The first event to keep; with a time, the first at or after it."),
    ],
    options: [
      OptionDescription("dry-run", "Say what would be done and what would be lost, and write nothing."),
      OptionDescription("yes", "Remove the events. Nothing can bring them back."),
    ],
    exitCodes: [
      ExitCodeDescription(0, "the events are removed, or none had to be"),
      ExitCodeDescription(2, "wrong use, or --yes is missing"),
      ExitCodeDescription(3, "the journal is incomplete or damaged: nothing is removed"),
      ExitCodeDescription(4, "it cannot be read or written, or an app has it open: nothing is removed"),
      ExitCodeDescription(5, "it needs a newer tool: nothing is removed"),
    ])

  package static var schemas: [OutputSchema] { [RetirementReport.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    guard let path = arguments.positional("JOURNAL"), let word = arguments.positional("POSITION") else {
      throw Failure(.wrongUse, "the journal and the first event to keep are needed", next: "\(Tool.name) help retire")
    }
    let position = try PositionInput.position(word)
    let isDryRun = arguments.flag("dry-run")
    guard !isDryRun || !arguments.flag("yes") else {
      throw Failure(.wrongUse, "--yes acts and --dry-run does not: choose one", next: "\(Tool.name) help retire")
    }
    let journal = try JournalInput(path, context.environment)
    try journal.requireFolder("events are removed from a journal's folder")
    try journal.requireSound("nothing is removed")
    let first = try firstToKeep(position, journal)
    let report: RetirementReport
    do throws(HistoryError) {
      let plan = try journal.history.retirementPlan(before: first)
      // Every state must be known to the end, as a program that opens the journal needs it; that shows only in computing it.
      _ = try journal.history.state(at: .end)
      report = RetirementReport(
        plan, of: journal, before: first, isDryRun: isDryRun,
        firstTime: try journal.states.wallNanoseconds(of: plan.removal.firstSequence))
    } catch {
      throw failure(error, path)
    }
    report.print(to: context)
    if let refusal = report.plan.refusal {
      throw Failure(.needsNewerTool, "\(path): \(refusal.message)", next: "\(Tool.name) version")
    }
    if let locked = journal.history.reader.lockedError { throw failure(.journal(locked), path) }
    guard !report.plan.isEmpty, !isDryRun else {
      report.printEnd(nil, to: context)
      return .done
    }
    guard arguments.flag("yes") else {
      throw Failure(
        .wrongUse, "\(path): nothing is removed: this cannot be undone, and --yes is missing",
        next: "\(Tool.name) retire \(path.shellWord) \(word.shellWord) --yes")
    }
    report.printEnd(try retire(before: first, expecting: report.plan, journal, context), to: context)
    return .done
  }

  /// - Returns: The first event that was kept.
  private static func retire(
    before sequence: UInt64, expecting plan: RetirementPlan, _ journal: JournalInput, _ context: CommandContext
  ) throws(Failure) -> UInt64 {
    do throws(HistoryError) {
      var options = StoreOptions()
      // The tool has no keys, and retiring needs none.
      options.onMissingKeys = .refuseCommands
      let store = try journal.history.openForRetiring(options, context.environment.fileSystem)
      do throws(HistoryError) {
        // While the lock was not held, an app may have retired events, or replaced checkpoints.
        let now = try store.plan(sequence)
        guard now.removal.events == plan.removal.events, now.obsoleteCheckpoints == plan.obsoleteCheckpoints else {
          throw HistoryError.journal(
            JournalError(
              .conflict, "an app changed the journal meanwhile: nothing is removed", remedy: "look at it again",
              file: journal.path))
        }
        let first = try store.retire(sequence)
        try store.close()
        return first
      } catch {
        try? store.close()
        throw error
      }
    } catch {
      throw failure(error, journal.path)
    }
  }

  /// The first event to keep, as the lower end of a range.
  private static func firstToKeep(_ position: NamedPosition, _ journal: JournalInput) throws(Failure) -> UInt64 {
    let bounds = try journal.positions.bounds(of: NamedRange(lower: position, upper: .end))
    if let events = try journal.trust.knownEvents(), bounds.lower > events.upperBound {
      throw Failure(
        .wrongUse,
        """
        \(journal.path): no event happened at or after that time; the last one is \(events.upperBound), which always stays
        """,
        next: "\(Tool.name) help positions")
    }
    return max(bounds.lower, journal.history.firstSequence)
  }

  private static func failure(_ error: HistoryError, _ path: String) -> Failure {
    var failure = Failure(error, journal: path)
    if case .journal(let reason) = error, reason.code == .locked {
      failure.next = "close it there, then \(Tool.name) retire again"
    }
    return failure
  }
}
