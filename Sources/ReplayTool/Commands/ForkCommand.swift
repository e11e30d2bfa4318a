import CommandLineInterface
import CommandSupport
import EventSourcing
import EventSourcingKit
import Forensics
import Journal
import JSON

/// `pj fork`: a new journal that continues from an event of another one.
package enum ForkCommand: Command {
  package static let description = CommandDescription(
    "fork", "Creates a journal that continues from a point of another one, which stays as it is.",
    discussion: [
      """
      The new journal names its parent and holds the state there, in a checkpoint, but none of the parent's events: its \
      first event takes the next number. An app or a test can go on from there as if nothing had happened since. The parent may \
      be in use.
      """
    ],
    examples: [
      .init("pj fork field.pj 41 try.pj", "Continues after event 41, as if nothing had followed."),
      .init("pj fork field.pj wipe.requested try.pj --dry-run", "Says what would be written, and writes nothing."),
      .init("pj fork field.pj end try.pj && pj compare field.pj try.pj", "The same state under a new identity."),
    ],
    positionals: [
      PositionalDescription("JOURNAL", completion: .file, "The parent."),
      PositionalDescription(
        "POSITION", .one, completion: .asks("positions"),
        "The last event that both share; with a time, the last at or before it."),
      PositionalDescription(
        "TARGET", completion: .directory, "The journal to write; must not exist, or must be an empty folder."),
    ],
    options: [
      OptionDescription("dry-run", "Say what would be done, and write nothing.")
    ],
    exitCodes: [
      ExitCodeDescription(0, "the journal is written"), ExitCodeDescription(2, "wrong use, or the target exists"),
      ExitCodeDescription(3, "the parent is incomplete or damaged: nothing is written"),
      ExitCodeDescription(4, "the parent cannot be read, or the target cannot be written"),
      ExitCodeDescription(5, "the parent needs a newer tool: nothing is written"),
    ])

  package static var schemas: [OutputSchema] { [ForkReport.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    guard let path = arguments.positional("JOURNAL"), let word = arguments.positional("POSITION"),
      let target = arguments.positional("TARGET")
    else {
      throw Failure(.wrongUse, "the journal, the position and the target are needed", next: "\(Tool.name) help fork")
    }
    let position = try PositionInput.position(word)
    let isDryRun = arguments.flag("dry-run")
    let journal = try JournalInput(path, context.environment)
    try NewPlace.check(target, apartFrom: path, context)
    try journal.requireSound("nothing is written")
    let reading = try journal.states.reading(at: position, mayPrecede: true, context)
    try reading.expectEnd("where the fork would begin")
    let report: ForkReport
    do throws(HistoryError) {
      do throws(JournalError) {
        report = ForkReport(
          parent: try journal.history.reader.parent(at: reading.sequence), firstSequence: journal.history.firstSequence,
          grandparent: journal.history.reader.identity.parent, path: path, target: target, isDryRun: isDryRun)
      } catch {
        throw .journal(error)
      }
      report.print(to: context)
      guard !isDryRun else {
        report.printEnd(nil, to: context)
        return .done
      }
    } catch {
      throw Failure(error, journal: path)
    }
    let id = JournalID.random()
    var options = StoreOptions()
    // The tool has no keys, and copying a state needs none.
    options.onMissingKeys = .refuseCommands
    options.journal.isUnfinished = true
    let fileSystem = context.environment.fileSystem
    let place = NewJournalPlace(at: target, id: id, fileSystem: fileSystem)
    do throws(HistoryError) {
      try journal.history.fork(
        NewFork(
          at: reading.sequence, to: target, id, createdNanoseconds: Moment.now().wallNanoseconds, options, fileSystem))
      do throws(JournalError) {
        try ExportOrigin.carryOver(from: journal.history.reader.path, to: target, fileSystem)
        try JournalWriter.markFinished(at: target, fileSystem: fileSystem)
      } catch {
        throw .journal(error)
      }
    } catch {
      place.clear(with: [ExportOrigin.fileName])
      var failure = Failure(error, journal: target)
      if JournalPath.isJournal(target) {
        failure.message += "; this is an unfinished fork, to be removed before the next try"
        failure.next = "ls -l \(target.shellWord)"
      }
      throw failure
    }
    report.printEnd(id, to: context)
    return .done
  }
}
