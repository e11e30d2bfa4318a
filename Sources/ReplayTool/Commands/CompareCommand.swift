import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON

/// `pj compare`: two histories side by side.
package enum CompareCommand: Command {
  package static let description = CommandDescription(
    "compare", "Compares two histories: where they part, how they differ, and what that did to the state.",
    discussion: [
      """
      --accounts compares the events of two accounts of one journal as if both had the same name, and ignores times and \
      event numbers.
      """,
      """
      If processes of the two journals started under different revisions of the rules (pj version), compare says so and goes \
      on to the first difference in what happened. The recorded state digests depend on the rules and are not compared; \
      the contents of the events are, to the last byte.
      """,
      """
      Two devices have different clocks and boot sessions. Times, moments and boot sessions that both sides have are \
      therefore not compared, in events and in the states at the end; one that only one side has is a difference. With \
      --exact every byte counts, as it does between a journal and its copy.
      """,
    ],
    examples: [
      .init("pj compare good.pj bad.pj", "Where two journals part."),
      .init("pj compare field.pj --accounts a2,a3", "Where the stories of two accounts part."),
      .init("pj compare good.pj bad.pj -j", "The same for programs."),
    ],
    positionals: [
      PositionalDescription("JOURNAL", .many, completion: .file, "Two journals, or one with --accounts.")
    ],
    options: [
      OptionDescription(
        "accounts", value: "A,B", "Compare two accounts of one journal: pseudonyms, object ids or names."),
      OptionDescription("exact", "Compare clocks and boot sessions as well."), JournalSeeking.option,
    ],
    exitCodes: [
      ExitCodeDescription(0, "the histories are the same"), ExitCodeDescription(1, "they differ"),
      ExitCodeDescription(2, "wrong use"), ExitCodeDescription(3, "a journal is incomplete or damaged"),
      ExitCodeDescription(4, "a journal cannot be read"), ExitCodeDescription(5, "it needs a newer tool"),
    ])

  package static func description(in domain: AnyDomain) -> CommandDescription {
    var command = description
    guard domain.additions == nil else { return command }
    command.discussion.removeFirst()
    command.options.removeAll { $0.name == "accounts" }
    command.positionals = [PositionalDescription("JOURNAL", .many, completion: .file, "Two journals.")]
    command.examples = [
      .init("pj compare good.pj bad.pj", "Where two journals part."),
      .init("pj compare field.pj copy.pj --exact", "Whether a copy has the same bytes."),
      .init("pj compare good.pj bad.pj -j", "The same for programs."),
    ]
    return command
  }

  package static var schemas: [OutputSchema] { [ComparisonReport.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let words = context.arguments.positionals
    let journals: (JournalInput, JournalInput)
    // A domain without accounts has no option for them.
    let accounts =
      context.environment.tool.domain.additions == nil ? nil : context.arguments.value(of: "accounts")
    if accounts != nil {
      guard !context.arguments.flag("exact") else {
        throw Failure(
          .wrongUse, "--exact does not apply to accounts, whose times always differ", next: "\(Tool.name) help compare"
        )
      }
      guard words.count <= 1 else {
        throw Failure(
          .wrongUse, "--accounts takes one journal, but \(words.count) are named", next: "\(Tool.name) help compare")
      }
      let journal = try JournalInput(seekingIn: words.first ?? JournalPath.defaultPath, context)
      journals = (journal, journal)
    } else {
      guard words.count == 2 else {
        throw Failure(
          .wrongUse, "two journals are needed, but \(words.count) \(words.count == 1 ? "is" : "are") named",
          next: "\(Tool.name) help compare")
      }
      journals = (try JournalInput(seekingIn: words[0], context), try JournalInput(seekingIn: words[1], context))
    }
    // Where damage is found on the way, it concerns the states at the end, too.
    let (comparison, sides) = try JournalInput.settled([journals.0, journals.1]) {
      () throws(Failure) -> (ComparisonAnswer, (ComparisonSide, ComparisonSide)) in
      let sides: (ComparisonSide, ComparisonSide)
      if let accounts {
        sides = try accountSides(accounts, journals.0, context)
      } else {
        sides = (try journalSide(words[0], journals.0, context), try journalSide(words[1], journals.1, context))
      }
      try requireOneDomain(journals.0, journals.1)
      return (try compare(sides.0, sides.1, context), sides)
    }
    let report = ComparisonReport(comparison, sides.0, sides.1, context)
    report.print()
    TrustedState.note(sides.0.reading, sides.1.reading, context)
    JournalSeeking.note(journals.0, journals.1, in: context)
    return report.exitCode
  }

  private static func compare(
    _ one: ComparisonSide, _ other: ComparisonSide, _ context: CommandContext
  ) throws(Failure) -> ComparisonAnswer {
    let bytes = [one, other].flatMap(\.reading.journal.history.reader.segments).reduce(0) { $0 + $1.length }
    context.environment.progress?.begin("comparing", total: bytes)
    do throws(HistoryError) {
      let clocks = context.environment.tool.domain.additions?.clockFields ?? []
      return try one.reading.journal.history.comparison(
        of: one.account, with: other.reading.journal.history, of: other.account,
        leavingOut: context.arguments.flag("exact") ? nil : clocks)
    } catch {
      // Both could be opened and read before: whatever keeps one from being read again concerns no certain side.
      throw Failure(error, journal: Set(context.arguments.positionals).sorted().joined(separator: " or "))
    }
  }

  /// Refuses two journals of which only one can be replayed here, or that name different domains.
  private static func requireOneDomain(_ one: JournalInput, _ other: JournalInput) throws(Failure) {
    guard one.otherDomain != other.otherDomain else { return }
    func text(_ journal: JournalInput) -> String {
      guard let domain = journal.otherDomain else { return "\"\(journal.domain.name)\"" }
      return "\"\(domain)\"" + (domain == journal.domain.name ? ", by a catalogue that contradicts it" : "")
    }
    throw Failure(
      .wrongUse, "journals of different domains have nothing in common: \(text(one)) and \(text(other))",
      next: "\(Tool.name) help compare")
  }

  private static func journalSide(
    _ path: String, _ journal: JournalInput, _ context: CommandContext
  ) throws(Failure) -> ComparisonSide {
    ComparisonSide(name: path, account: nil, reading: try reading(of: journal, context))
  }

  /// The last state; where only another program knows it, a blank one, which is not shown.
  private static func reading(of journal: JournalInput, _ context: CommandContext) throws(Failure) -> TrustedState {
    guard journal.otherDomain != nil else { return try journal.states.reading(at: .end, context) }
    let last = journal.history.reader.durableSequence
    return TrustedState(
      journal: journal, sequence: last, state: journal.domain.initialState,
      findings: try journal.trust.findings() + journal.trust.unknownEnd)
  }

  private static func accountSides(
    _ words: String, _ journal: JournalInput, _ context: CommandContext
  ) throws(Failure) -> (ComparisonSide, ComparisonSide) {
    let names = words.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count == 2 else {
      throw Failure(
        .wrongUse, "--accounts takes two accounts separated by a comma, such as a2,a3",
        next: "\(Tool.name) help compare")
    }
    let reading = try journal.states.reading(at: .end, context)
    func side(_ name: String) throws(Failure) -> ComparisonSide {
      let number = try reading.accountNumber(named: name)
      return ComparisonSide(name: EventAccounts.pseudonym(number), account: number, reading: reading)
    }
    return (try side(names[0]), try side(names[1]))
  }
}
