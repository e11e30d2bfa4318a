import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import EventSourcingKit
import Forensics

/// `pj whatif`: what a history would have come to with other events.
package enum WhatIfCommand: Command {
  package static let description = CommandDescription(
    "whatif", "Shows what a history would have come to with other events, policies or settings.",
    discussion: [
      """
      The events that stay are folded as they were; none is decided again. The decisions that the rules would now make otherwise \
      are named instead, with how that is known: decided again, where the events tell the command; by their effect, where \
      they change the state otherwise; or possibly, where only their accounts' state differs, or where the event that is \
      recorded as their cause is not there.
      """,
      """
      Every position is one of the real history. Edits compose in this order: --drop, --replace, --policy and --setting, \
      which rewrite the events that stay, --move, --insert. An edit that names one event overrides a --drop that covers it. A \
      type without wildcards is a position, as everywhere: the last event of this type.
      """,
      """
      --from begins the other history with the event at a position: what came before it stays as it was, every edit applies \
      from there on, and only what follows is counted. A policy or a setting that holds there is the other one from that event \
      on, even if it came earlier.
      """,
      """
      EVENT is JSON in the form of pj show -j, of which the type and the data are needed, or a step of a scenario that is a \
      command, such as {"wipe": "a1"}, which the rules decide there; @FILE reads it from a file. What states no time gets that \
      of its place.
      """,
      """
      --ask asks questions of both histories: pj help questions. With --when, it lists every answer in between. -o writes the \
      imagined history as a journal that every command reads; its identity and its events say that they are imagined.
      """,
    ],
    examples: [
      .init("pj whatif field.pj --drop wipe.requested", "What the last wipe did, and what followed from it."),
      .init(
        "pj whatif field.pj --policy a1=strict.json --ask 'saveTo(box, a1)' --when",
        "Which saves another policy would have allowed."),
      .init(
        "pj whatif field.pj --policy a1=strict.json --from 2026-10-06",
        "What another policy would have changed from that day on."),
    ],
    positionals: [
      .journal
    ],
    options: [
      OptionDescription(
        "drop", value: "EVENTS", repeatable: true,
        "Leave out a position or a range, a pattern of types such as 'policy.*', or what a condition selects: 'type = wipe.* and account = a1'."
      ),
      OptionDescription(
        "replace", value: "POSITION=EVENT", repeatable: true, "Put another event in the place of this one."),
      OptionDescription(
        "policy", value: "ACCOUNT=FILE", repeatable: true, completion: .file,
        "Whatever policy the account got, let it get this one."),
      OptionDescription(
        "setting", value: "KEY=VALUE", repeatable: true,
        "Another setting of the app, or with a1/KEY one of an account's policy, in Graph's words."),
      OptionDescription(
        "move", value: "POSITION=POSITION", repeatable: true,
        "Let an event happen after another one; it keeps its time."),
      OptionDescription(
        "insert", value: "POSITION=EVENT", repeatable: true, "Let an event happen after this one."),
      OptionDescription(
        "at", value: "POSITION", completion: .asks("positions"), "End there: pj help positions. Default: the end."),
      OptionDescription(
        "from", value: "POSITION", completion: .asks("positions"),
        "Let the histories part here at the earliest. Default: the first event."),
      OptionDescription("diff", "Show every value that differs there."),
      OptionDescription(
        "ask", value: "QUESTION", repeatable: true,
        "Show the answers of both histories; - or @FILE reads questions, one a line."),
      OptionDescription("when", "With --ask, list the answers after every batch."),
      OptionDescription(
        "count", short: "n", value: "N", accepting: .integer(0...100_000), default: "20",
        "Name at most N affected decisions."),
      OptionDescription(
        "output", short: "o", value: "JOURNAL", completion: .directory,
        "Write the imagined history there; the folder must not exist, or be empty."),
    ],
    exitCodes: [
      ExitCodeDescription(0, "nothing differs; with --ask, the answers are the same"),
      ExitCodeDescription(1, "they differ"),
      ExitCodeDescription(2, "wrong use, or the rules refuse what is inserted"),
      ExitCodeDescription(3, "the journal is incomplete or damaged: what is shown ends there"),
      ExitCodeDescription(4, "the journal cannot be read, or the output cannot be written"),
      ExitCodeDescription(5, "it needs a newer tool"),
    ])

  package static var schemas: [OutputSchema] { [WhatIfReport.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    let questions = try questions(context)
    if arguments.flag("when"), questions.isEmpty {
      throw Failure(.wrongUse, "--when lists the answers to --ask, which is missing", next: "pj help whatif")
    }
    let (path, position) = try PositionInput.place(arguments.positional("JOURNAL") ?? JournalPath.defaultPath, context)
    let journal = try JournalInput(path, context.environment)
    let target = arguments.value(of: "output")
    if let target { try NewPlace.check(target, apartFrom: path, context) }
    let end = try journal.states.reading(at: position, context).restingOnHistory()
    let beginning = try beginning(journal, upTo: end.sequence, context)
    let input = try EditInput(journal, from: beginning, upTo: end.sequence, context)
    guard input.edits.count > 0 else {
      throw Failure(
        .wrongUse, "nothing is different; name an edit: --drop, --replace, --policy, --setting, --move or --insert",
        next: "pj help whatif")
    }
    if end.sequence == 0, end.obstacle != nil { try end.expectEnd("what would have happened") }
    return try WhatIfReport(
      input, end, beginning, questions, createdNanoseconds: Moment.now().wallNanoseconds, context
    ).print(writingTo: target)
  }

  /// Where the other history can begin: before the event that --from names, or at the first state that is known.
  private static func beginning(
    _ journal: JournalInput, upTo last: UInt64, _ context: CommandContext
  ) throws(Failure) -> HistoryBeginning {
    let first = try Failure.translating(journal: journal.path, try journal.states.beginning(after: 0))
    guard let word = context.arguments.value(of: "from") else { return first }
    let position = try PositionInput.position(word)
    guard position != .start else { return first }
    let bounds = try journal.positions.bounds(of: NamedRange(lower: position, upper: .end))
    guard bounds.reasonForNothing == nil, bounds.lower <= last else {
      throw Failure(
        .wrongUse, "--from \(word): no event of what is read lies there or later; the last one is event \(last)",
        next: "pj log \(journal.path.shellWord) -n 1")
    }
    guard bounds.lower > first.sequence + 1 else { return first }
    return try Failure.translating(journal: journal.path, try journal.states.beginning(after: bounds.lower - 1))
  }

  /// The questions to ask: those on the command line, and those in files, one a line.
  private static func questions(_ context: CommandContext) throws(Failure) -> [QuestionText<AppProtectionMachine>] {
    var questions: [QuestionText<AppProtectionMachine>] = []
    for word in context.arguments.values(of: "ask") {
      guard word == "-" || word.hasPrefix("@") else {
        questions.append(try question(word, at: "--ask"))
        continue
      }
      let name = word == "-" ? "-" : String(word.dropFirst())
      let text = String(decoding: try FileInput.bytes(of: name, context), as: UTF8.self)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let line = line.filter { $0 != "\r" }
        guard line.contains(where: { $0 != " " && $0 != "\t" }), !line.hasPrefix("#") else { continue }
        questions.append(try question(String(line), at: "\(name), line \(number + 1)"))
      }
    }
    guard questions.count <= maximumQuestions else {
      throw Failure(
        .wrongUse, "these are more than \(maximumQuestions) questions; ask fewer at once", next: "pj help whatif")
    }
    return questions
  }

  /// The most questions that are asked at once.
  static let maximumQuestions = 10_000

  private static func question(
    _ text: String, at place: String
  ) throws(Failure) -> QuestionText<AppProtectionMachine> {
    do throws(FilterError) {
      return try QuestionText(parsing: text)
    } catch {
      throw Failure(.wrongUse, "\(place): \(error)", next: "pj help questions")
    }
  }
}
