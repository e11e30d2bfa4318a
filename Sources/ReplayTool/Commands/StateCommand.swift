import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// `pj state`: the state at a point.
package enum StateCommand: Command {
  package static let description = CommandDescription(
    "state", "Shows the state at a point in the history, in whole or in part.",
    discussion: [
      "A time selects the state after the last event at or before it; a period, such as a month, its end. Times are UTC.",
      """
      The state is computed by the rules of this program, starting at the nearest earlier state that the same rules stored; \
      a note names it. --from-start starts at the first event instead, and pj check compares the two.
      """,
    ],
    examples: [
      .init("pj state field.pj", "Everything, after the last event."),
      .init("pj state field.pj --at 2020-06 --path /policies/a1", "A policy as it was at the end of June 2020."),
      .init("pj state field.pj --flat | grep status", "One line per value, for searching."),
    ],
    positionals: [
      PositionalDescription(
        "JOURNAL", .optional, completion: .file, "The journal, or JOURNAL@POSITION. Default: the current directory."),
      PositionalDescription("POSITION", .optional, completion: .asks("positions"), "The position, as with --at."),
    ],
    options: [
      OptionDescription(
        "at", value: "POSITION", completion: .asks("positions"), "The position: pj help positions. Default: the end."),
      OptionDescription(
        "path", value: "PATH", completion: .asks("paths"),
        "The part to show, such as /accounts/a1/enrollment. Default: everything."),
      OptionDescription(
        "from-start", "Compute the state from the first event and ignore those stored in checkpoints and keyframes."),
      OptionDescription("flat", "One line per value, with its full path."),
      OptionDescription(
        "due",
        "What time alone brings to each account, and when: a check-in, a block, a wipe. pj explain J 'due(a1)' says why."
      ),
      JournalSeeking.option,
    ])

  package static func description(in domain: AnyDomain) -> CommandDescription {
    var command = description
    if domain.additions == nil { command.options.removeAll { $0.name == "due" } }
    return command
  }

  package static var schemas: [OutputSchema] { [records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    if arguments.flag("flat") { try context.refuseJSON("--flat") }
    let (place, rest) = JournalPath.split(arguments.positionals, reads: JournalPath.readsLikePosition)
    if let word = rest.dropFirst().first {
      throw Failure(.wrongUse, "unexpected word '\(word)'", next: "\(Tool.name) help state")
    }
    let input = try PositionInput.journalPosition(place)
    let words = [rest.first, arguments.value(of: "at")].compactMap { $0 }
    guard words.count + (input.position == nil ? 0 : 1) < 2 else {
      throw Failure(
        .wrongUse, "the position is given twice: after the journal, after @ or with --at",
        next: "\(Tool.name) help state")
    }
    let path = StateTree.normalized(arguments.value(of: "path") ?? "/")
    try PatternInput.check(path, "--path")
    let additions = context.environment.tool.domain.additions
    let listsDeadlines = additions != nil && arguments.flag("due")
    guard !listsDeadlines || !(arguments.isGiven("path") || arguments.flag("flat")) else {
      throw Failure(
        .wrongUse, "--due lists what comes, and not the state: leave --path and --flat out",
        next: "\(Tool.name) help state")
    }
    if let word = words.first, word.hasPrefix("/") {
      throw Failure(
        .wrongUse, "\(word) is a path, and stands where a position would",
        next: "\(Tool.name) state \(input.path.shellWord) --path \(word.shellWord)")
    }
    let position = try words.first.map(PositionInput.position) ?? input.position ?? .end
    let journal = try JournalInput(seekingIn: input.path, context)
    let reading = try journal.states.reading(at: position, fromStart: arguments.flag("from-start"), context)
    // Without a replayed event, the state would rest on nothing.
    if reading.sequence == 0 { try reading.expectEnd("what the state was") }
    if let additions, listsDeadlines { return try printDeadlines(additions, reading, context) }
    guard let part = reading.state.tree(at: path) else {
      try reading.expectEnd("what is at \(path)")
      let near = NearestPath.of(path, among: reading.state.tree().paths(), context.redaction)
      throw Failure(
        .wrongUse,
        "\(journal.path): nothing exists at \(path) after event \(reading.sequence)"
          + (near.map { "; nearest: \($0)" } ?? ""),
        next: "\(Tool.name) state \(journal.path.shellWord) --flat")
    }
    context.report { lines in
      lines.begin(records, journal.path)
      lines.add(state, (reading, path, part))
      lines.end(records, (), reading.exitCode, of: [journal])
    } text: {
      printText(part, path, reading, context)
    }
    if let stored = reading.stored {
      // Nothing earlier is kept where the journal begins with that state.
      let isFirst = stored.sequence < journal.history.firstSequence
      context.note(
        "\(journal.path): computed from the \(stored.name) after event \(stored.sequence)"
          + (isFirst
            ? ", with which this journal begins" : "; --from-start computes it from the first event"))
    }
    reading.note(context)
    JournalSeeking.note(journal, in: context)
    return reading.exitCode
  }

  /// What `-j` writes.
  static let records = JSONOutput<String, Void>("state", start: [.init("journal") { $0 }], [state, due])

  private static let due = JSONRecord<AccountDeadline>(
    "due",
    [
      .init("account", \.account), .init("type", \.kind), .init("statement", \.statement),
      .init("time") { $0.time.map { CivilTime(nanoseconds: $0) } }, .init("isOver", \.isOver),
      .init("property", \.setting),
    ])

  /// Lists what time alone brings, at the time that was asked for, or that of the state's event.
  private static func printDeadlines(
    _ additions: any DomainAdditions, _ reading: TrustedState, _ context: CommandContext
  ) throws(Failure) -> ExitCode {
    let moment: Moment
    do throws(HistoryError) {
      moment = try reading.moment()
    } catch {
      throw Failure(error, journal: reading.journal.path)
    }
    let deadlines = additions.deadlines(in: reading.state, at: moment)
    context.begin(records, reading.journal.path)
    context.show(due, each: deadlines) {
      guard !deadlines.isEmpty else { return context.output.line("time alone brings nothing to any account") }
      var table = TextTable([
        TextColumn("account"), TextColumn("time (UTC)"), TextColumn("what"), TextColumn("setting"),
      ])
      for deadline in deadlines {
        table.append([
          TextCell(deadline.account),
          TextCell(
            deadline.time.map { (deadline.isOver ? "since " : "") + CivilTime(nanoseconds: $0).text } ?? "now"),
          TextCell(deadline.statement), TextCell(deadline.setting ?? ""),
        ])
      }
      context.print(table)
    }
    context.end(records, (), reading.exitCode, of: [reading.journal])
    reading.note(context)
    return reading.exitCode
  }

  private static let state = JSONRecord<(reading: TrustedState, path: String, part: StateTree)>(
    "state",
    [
      .init("after", \.reading.sequence), .init("path", \.path), .init("storedState", \.reading.stored?.sequence),
      .init("digest") {
        let scheme = $0.reading.journal.history.digestScheme(at: $0.reading.sequence)
        return HexDigits($0.reading.state.digest(as: scheme).combined)
      }, .init("state", as: .value) { ValueJSON($2).json($0.part, under: $0.path).appendJSON(to: &$1, $2) },
    ])

  private static func printText(
    _ part: StateTree, _ path: String, _ reading: TrustedState, _ context: CommandContext
  ) {
    let output = context.output
    let text = TreeText(context.redaction)
    if context.arguments.flag("flat") {
      for line in text.flat(part, under: path) { output.line(TerminalText.visible(line), hanging: 4) }
    } else {
      for line in text.indented(part, under: path) {
        output.line(TerminalText.visible(line.text), hanging: line.column)
      }
    }
    if part.isEmpty {
      context.note("\(reading.journal.path): nothing is set at \(path) after event \(reading.sequence)")
    }
  }
}
