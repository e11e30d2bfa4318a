import CommandLineInterface
import EventSourcing
import Forensics
import JSON

/// `pj state`: the state at a point.
enum StateCommand: Command {
  static let description = CommandDescription(
    "state", "Shows the state at a point of the history, the whole or a part.",
    discussion: [
      "A time means the state after the last event that is not later, and a period such as a month its end. Times are UTC.",
      """
      The state is what the rules of this program give. It is computed from the nearest stored state before it that these \
      rules wrote, and a note says so; --from-start computes it from the first event, and pj check compares the two.
      """,
    ],
    examples: [
      .init("pj state field.pj", "Everything, after the last event."),
      .init("pj state field.pj --at 2020-06 --path /policies/a1", "A policy as it was at the end of June 2020."),
      .init("pj state field.pj --flat | grep status", "One line a value, to search in."),
    ],
    positionals: [
      PositionalDescription(
        "JOURNAL", .optional, completion: .file, "The journal, or JOURNAL@POSITION; the current directory without one."),
      PositionalDescription("POSITION", .optional, "At which point, as with --at."),
    ],
    options: [
      OptionDescription("at", value: "POSITION", "At which point: pj help positions. Without it, at the end."),
      OptionDescription("path", value: "PATH", "Which part, such as /accounts/a1/enrollment. Without it, everything."),
      OptionDescription(
        "from-start", "Compute it from the first event, whatever states are stored in checkpoints and keyframes."),
      OptionDescription("flat", "One line a value, with its whole path."),
    ])

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    if arguments.flag("flat") { try context.refuseJSON("--flat") }
    let (place, rest) = JournalPath.split(arguments.positionals, reads: JournalPath.readsLikePosition)
    if let word = rest.dropFirst().first {
      throw Failure(.wrongUse, "unexpected word '\(word)'", next: "pj help state")
    }
    let input = try PositionInput.journalPosition(place)
    let words = [rest.first, arguments.value(of: "at")].compactMap { $0 }
    guard words.count + (input.position == nil ? 0 : 1) < 2 else {
      throw Failure(
        .wrongUse, "a position is given twice: behind the journal, behind @ or with --at", next: "pj help state")
    }
    let position = try words.first.map(PositionInput.position) ?? input.position ?? .end
    let journal = try JournalInput(input.path, context.environment.progress)
    let reading = try journal.reading(at: position, fromStart: arguments.flag("from-start"), context)
    // With nothing replayed, the state would rest on no event.
    if reading.sequence == 0 { try reading.expectEnd("what the state was") }
    let path = StateTree.normalized(arguments.value(of: "path") ?? "/")
    guard let part = reading.state.tree(at: path) else {
      try reading.expectEnd("what is at \(path)")
      let near = NearestPath.of(path, among: reading.state.tree().paths())
      throw Failure(
        .wrongUse,
        "\(journal.path): there is nothing at \(path) after event \(reading.sequence)"
          + (near.map { "; nearest: \($0)" } ?? ""),
        next: "pj state \(journal.path.shellWord) --flat")
    }
    print(part, path, reading, context)
    if let stored = reading.stored {
      context.note(
        "\(journal.path): computed from the \(stored.name) after event \(stored.sequence); --from-start computes it from the "
          + "first event")
    }
    reading.note(context)
    return reading.exitCode
  }

  private static func print(_ part: StateTree, _ path: String, _ reading: StateReading, _ context: CommandContext) {
    let output = context.output
    if context.isJSON {
      output.line(.startRecord("state", [.init("journal", .string(reading.journal.path))]))
      output.line(
        .record(
          "state",
          [
            .init("after", .number(reading.sequence)), .init("path", .string(path)),
            .init("storedState", reading.stored.map { .number($0.sequence) } ?? .null),
            .init("digest", .string("\(StateDigest(of: reading.state).combined)")),
            .init("state", ValueJSON(context.redaction).json(part)),
          ]))
      output.line(.endRecord(reading.exitCode))
      return
    }
    let text = TreeText(context.redaction)
    if context.arguments.flag("flat") {
      for line in text.flat(part, under: path) { output.line(TerminalText.visible(line), hanging: 4) }
    } else {
      for line in text.indented(part) { output.line(TerminalText.visible(line.text), hanging: line.column) }
    }
    if part.isEmpty {
      context.note("\(reading.journal.path): nothing is set at \(path) after event \(reading.sequence)")
    }
  }
}
