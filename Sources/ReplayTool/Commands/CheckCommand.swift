import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON

/// `pj check`: compares the digests and states recorded beside the events with those of a replay.
package enum CheckCommand: Command {
  package static let description = CommandDescription(
    "check", "Replays the journal from its first event and compares every recorded digest and stored state.",
    discussion: [
      """
      pj computes the states it shows by its own rules. If they differ from those of the program that wrote the journal, \
      the rules changed without a new revision: check names the first event that shows it, and the parts of the state.
      """,
      """
      Digests recorded under another revision are not compared. If a journal holds no others, check cannot tell whether the \
      states agree: it says so, and exits with 3.
      """,
      """
      --rebuild then rewrites the journal's keyframes: states in the file KEYFRAMES, which speed up questions about the past \
      and can be deleted at any time. It writes nothing else, and nothing while a program has the journal open.
      """,
    ],
    examples: [
      .init("pj check field.pj", "Checks whether the states that pj shows are those the device had."),
      .init("pj check field.pj -j", "The same for programs."),
      .init("pj check copy.pj --rebuild", "The same, then writes new keyframes."),
    ],
    positionals: [
      .journal
    ],
    options: [OptionDescription("rebuild", "Rewrite the keyframes, unless something disagrees.")],
    exitCodes: [
      ExitCodeDescription(0, "everything agrees"), ExitCodeDescription(1, "something does not"),
      ExitCodeDescription(2, "wrong use"),
      ExitCodeDescription(3, "the journal is incomplete or damaged, or holds nothing to compare"),
      ExitCodeDescription(4, "the journal cannot be read"), ExitCodeDescription(5, "it needs a newer tool"),
    ])

  package static var schemas: [OutputSchema] { [CheckText.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let journal = try JournalInput(
      context.arguments.positional("JOURNAL") ?? JournalPath.defaultPath, context.environment)
    if context.arguments.flag("rebuild") { try journal.requireFolder("keyframes are written to a journal's folder") }
    let report: CheckReport
    journal.begin("checking")
    report = try Failure.translating(journal: journal.path, try journal.history.check())
    let findings = try journal.trust.findings() + journal.history.reader.lossesBeforeFirst
    let trouble = FindingNotes.exitCode(findings, report.obstacle)
    let next = FindingNotes.nextStep(findings, journal.path, obstacle: report.obstacle)
    // Where nothing could be compared, nothing is known to agree.
    let untold: ExitCode = report.isConclusive ? .done : .partial
    let code = trouble != .done ? trouble : report.mismatch == nil ? untold : .different
    let output = CheckText(report: report, journal: journal, context: context)
    try output.print()
    var rebuilt: Int?
    if context.arguments.flag("rebuild") {
      guard trouble == .done, report.mismatch == nil else {
        throw Failure(
          code, "\(journal.path): the keyframes are not written, because not everything agrees",
          next: report.mismatch.map { "\(Tool.name) show \(journal.path.shellWord) \($0.sequence)" } ?? next)
      }
      rebuilt = try Failure.translating(journal: journal.path, try journal.history.rebuildKeyframes())
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
