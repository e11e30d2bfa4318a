import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// `pj diff`: what changed in the state between two points.
package enum DiffCommand: Command {
  package static let description = CommandDescription(
    "diff", "Shows how the state differs between two points of one journal, or of two journals.",
    discussion: [
      """
      The number at the end of a line is the event that last changed the value. A part that appeared (+) or vanished (-) is \
      shown as one line unless --full is given.
      """
    ],
    examples: [
      .init("pj diff field.pj 41 46", "What events 42 to 46 did together."),
      .init("pj diff field.pj 2020-03..end --path /policies", "How policies changed since the end of March 2020."),
      .init("pj diff a.pj@end b.pj@end", "How the last states of two journals differ."),
    ],
    positionals: [
      PositionalDescription(
        "WHAT", .many, completion: .file,
        """
        JOURNAL A B, JOURNAL A..B, or two journals, each with @POSITION or at its end. Default for one journal: its start \
        and its end.
        """)
    ],
    options: [
      OptionDescription("path", value: "PATH", "Only this part of the state."),
      OptionDescription("full", "List every value of parts that appeared or vanished."), JournalSeeking.option,
    ],
    exitCodes: [
      ExitCodeDescription(0, "the states are the same"), ExitCodeDescription(1, "they differ"),
      ExitCodeDescription(2, "wrong use"), ExitCodeDescription(3, "a journal is incomplete or damaged"),
      ExitCodeDescription(4, "a journal cannot be read"), ExitCodeDescription(5, "it needs a newer tool"),
    ])

  package static var schemas: [OutputSchema] { [records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let path = context.arguments.value(of: "path")
    if let path { try PatternInput.check(path, "--path") }
    let (one, other) = try sides(context.arguments.positionals)
    let isSame = one.path == other.path
    let journal = try JournalInput(seekingIn: one.path, context)
    let second = isSame ? journal : try JournalInput(seekingIn: other.path, context)
    // Damage that was found for one state concerns the other, too.
    let (before, after, writers) = try JournalInput.settled([journal, second]) { () throws(Failure) in
      try read(one, other, journal, second, context)
    }
    var diff = before.state.changes(to: after.state)
    if let path { diff = try part(path, diff, before, after, context.redaction) }
    let trouble = ExitCode.worst(before.exitCode, after.exitCode)
    let code: ExitCode = trouble != .done ? trouble : diff.isEmpty ? .done : .different
    context.report { lines in
      lines.begin(records, (before, after))
      lines.add(change, each: diff.changes.map { ($0, writers[$0.path]) })
      lines.end(records, diff.changes.count, code, of: [before.journal, after.journal])
    } text: {
      printText(diff, writers, before, after, context)
    }
    TrustedState.note(before, after, context)
    JournalSeeking.note(journal, second, in: context)
    return code
  }

  /// The two states, and in one journal the events that last changed what differs.
  private static func read(
    _ one: JournalPosition, _ other: JournalPosition, _ journal: JournalInput, _ second: JournalInput,
    _ context: CommandContext
  ) throws(Failure) -> (TrustedState, TrustedState, LastWriters) {
    let before = try journal.states.reading(at: one.position ?? .end, mayPrecede: true, context)
    let after = try second.states.reading(at: other.position ?? .end, mayPrecede: true, context)
    guard journal === second else { return (before, after, LastWriters()) }
    journal.begin("looking for the events that changed")
    do throws(HistoryError) {
      return (
        before, after, try journal.history.lastWriters(after: before.sequence, upTo: after.sequence)
      )
    } catch {
      throw Failure(error, journal: one.path)
    }
  }

  /// The two journals and positions to compare.
  private static func sides(_ words: [String]) throws(Failure) -> (JournalPosition, JournalPosition) {
    func side(_ path: String, _ position: NamedPosition) -> JournalPosition {
      JournalPosition(path: path, position: position)
    }
    var words = words
    if let first = words.first, !Platform.exists(first), JournalPath.readsLikePosition(first), JournalPath.hasDefault,
      words.count < 3
    {
      words.insert(JournalPath.defaultPath, at: 0)
    }
    switch words.count {
    case 0, 1:
      let only = try PositionInput.journalPosition(words.first ?? JournalPath.defaultPath)
      guard only.position == nil else {
        throw Failure(.wrongUse, "a second position is missing", next: "\(Tool.name) help diff")
      }
      return (side(only.path, .start), side(only.path, .end))
    case 2 where NamedRange.isRange(words[1]) && !words[1].contains("/"):
      let range = try PositionInput.range(words[1])
      return (side(words[0], range.lower), side(words[0], range.upper))
    case 2 where !words[1].contains("@") && !Platform.exists(words[1]):
      return (side(words[0], try PositionInput.position(words[1])), side(words[0], .end))
    case 2: return (try PositionInput.journalPosition(words[0]), try PositionInput.journalPosition(words[1]))
    case 3:
      return (
        side(words[0], try PositionInput.position(words[1])), side(words[0], try PositionInput.position(words[2]))
      )
    default: throw Failure(.wrongUse, "unexpected word '\(words[3])'", next: "\(Tool.name) help diff")
    }
  }

  /// The part of a difference under a path, which must be in one of the states.
  private static func part(
    _ path: String, _ diff: StateDiff, _ before: TrustedState, _ after: TrustedState, _ redaction: Redaction
  ) throws(Failure) -> StateDiff {
    let path = StateTree.normalized(path)
    guard before.state.tree(at: path) != nil || after.state.tree(at: path) != nil else {
      let near = NearestPath.of(path, among: after.state.tree().paths(), redaction)
      throw Failure(
        .wrongUse, "nothing exists at \(path) in either state" + (near.map { "; nearest: \($0)" } ?? ""),
        next: "\(Tool.name) state \(after.journal.path.shellWord) --flat")
    }
    return diff.part(under: path)
  }

  /// What `-j` writes.
  static let records = JSONOutput<(before: TrustedState, after: TrustedState), Int>(
    "diff", start: [.init("from", TrustedState.place, \.before), .init("to", TrustedState.place, \.after)], [change],
    end: [.init("changes") { $0 }])

  private static let change = JSONRecord<(change: StateChange, writer: UInt64?)>(
    "change", StateChange.members.of(\.change) + [.init("setBy", \.writer)])

  private static func printText(
    _ diff: StateDiff, _ writers: LastWriters, _ before: TrustedState, _ after: TrustedState,
    _ context: CommandContext
  ) {
    let output = context.output
    let groups = DiffText(context.redaction, listsParts: context.arguments.flag("full")).groups(of: diff, writers)
    for group in groups {
      output.line(context.style.bold(TerminalText.visible(group.heading)))
      var table = TextTable([TextColumn(""), TextColumn("", maximumWidth: 80), TextColumn("", .right)])
      for row in group.rows {
        table.append([
          TextCell("  " + TerminalText.visible(row.name)), TextCell(TerminalText.visible(row.text)),
          TextCell(row.writer.map { String($0) } ?? "", [.dim]),
        ])
      }
      context.print(table)
    }
    let count = diff.changes.count
    output.line(
      count == 0
        ? "no difference between \(name(before)) and \(name(after))"
        : "\(count.counted("value")) differ\(count == 1 ? "s" : "") between \(name(before)) and \(name(after))"
    )
  }

  private static func name(_ reading: TrustedState) -> String {
    TerminalText.visible(reading.journal.path)
      + (reading.sequence == 0 ? " before the first event" : " after event \(reading.sequence)")
  }
}
