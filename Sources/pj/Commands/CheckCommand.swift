import CommandLineInterface
import EventSourcing
import Forensics
import JSON

/// `pj check`: what was recorded beside the events, compared with what a replay gives.
enum CheckCommand: Command {
  static let description = CommandDescription(
    "check", "Replays from nothing and compares every recorded digest and stored state.",
    discussion: [
      """
      The states that pj shows are those that the rules of this program give. Where they are not those of the program that \
      wrote the journal, the rules were changed without raising their revision: the first event that shows it is named, and \
      the parts of the state.
      """,
      """
      A program of another revision recorded other digests, which are left out. Where nothing else is recorded, it cannot \
      be told whether the states are the same, and that is said: exit code 3.
      """,
      """
      --rebuild then writes the journal's keyframes anew: states in the file KEYFRAMES, which make looking at the past fast \
      and can be deleted at any time. Nothing else is written, and not while a program has the journal open.
      """,
    ],
    examples: [
      .init("pj check field.pj", "Whether the states that pj shows are the ones that the device had."),
      .init("pj check field.pj -j", "The same for programs."),
      .init("pj check copy.pj --rebuild", "The same, and new keyframes."),
    ],
    positionals: [
      PositionalDescription("JOURNAL", .optional, completion: .file, "The journal; the current directory without one.")
    ],
    options: [OptionDescription("rebuild", "Write the keyframes anew, unless something disagrees.")],
    exitCodes: [
      ExitCodeDescription(0, "everything agrees"), ExitCodeDescription(1, "something does not"),
      ExitCodeDescription(2, "wrong use"),
      ExitCodeDescription(3, "the journal is incomplete or damaged, or nothing in it can be compared"),
      ExitCodeDescription(4, "the journal cannot be read"), ExitCodeDescription(5, "it needs a newer tool"),
    ])

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let journal = try JournalInput(
      context.arguments.positional("JOURNAL") ?? JournalPath.defaultPath, context.environment.progress)
    let report: CheckReport
    journal.begin("checking")
    do throws(HistoryError) {
      report = try journal.history.check()
    } catch {
      throw Failure(error, journal: journal.path)
    }
    let findings = try journal.findings()
    let trouble = FindingNotes.exitCode(findings, report.obstacle)
    let next = FindingNotes.nextStep(findings, journal.path, obstacle: report.obstacle)
    // Where nothing could be compared, nothing is known to agree.
    let untold: ExitCode = report.isConclusive ? .done : .partial
    let code = trouble != .done ? trouble : report.mismatch == nil ? untold : .different
    let output = CheckText(report: report, journal: journal, context: context)
    if context.isJSON { try output.printJSON() } else { try output.printText() }
    var rebuilt: Int?
    if context.arguments.flag("rebuild") {
      guard trouble == .done, report.mismatch == nil else {
        throw Failure(
          code, "\(journal.path): no keyframes are written, because not everything agrees",
          next: report.mismatch.map { "pj show \(journal.path.shellWord) \($0.sequence)" } ?? next)
      }
      do throws(HistoryError) {
        rebuilt = try journal.history.rebuildKeyframes()
      } catch {
        throw Failure(error, journal: journal.path)
      }
    }
    output.printEnd(code, rebuilt: rebuilt)
    if trouble != .done {
      let reason =
        report.obstacle.map { Failure($0, journal: journal.path).message }
        ?? "\(journal.path): \(FindingNotes.count(findings))"
      context.note("\(reason). Next: \(next)")
    }
    return code
  }
}
