import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON
import PlainText

/// `pj blame`: the events that made values of the state what they are.
package enum BlameCommand: Command {
  package static let description = CommandDescription(
    "blame", "Shows which event last changed a value of the state, and which events changed it before.",
    discussion: [
      "A path names a value, or a part of the state, whose values are then all shown; * and ? are wildcards.",
      """
      With --writes, events also count that would have set the value again: those that, folded into the state before its \
      last change, lead to the same value. A sealed value never shows as set again: each sealing of a text has bytes of its \
      own. As each later event is tried on each value, at most 64 values can be named.
      """,
      """
      Where the oldest events are retired, those that set a value before are not known: the output says so.
      """,
    ],
    examples: [
      .init("pj blame field.pj /accounts/a1/enrollment/status", "Who last changed one value, and who did before."),
      .init(
        "pj blame field.pj '/accounts/*/status' --at 2020-06", "The same for every account, at the end of June 2020."),
      .init(
        "pj blame field.pj /policies/a1/version --writes -n 100",
        "The last hundred events that set a value, changed or not."),
    ],
    positionals: [
      PositionalDescription(
        "WHAT", .atLeastOne, completion: .asks("paths", orFiles: true),
        "The journal, or JOURNAL@POSITION (default: the current directory), then paths such as /policies/a1/version.")
    ],
    options: [
      OptionDescription(
        "at", value: "POSITION", completion: .asks("positions"),
        "The values there: pj help positions. Default: the end."),
      OptionDescription("writes", "Count events that would have set the value to what it already was."),
      OptionDescription(
        "count", short: "n", value: "N", accepting: .integer(1...1_000_000), default: "10",
        "Name at most N events for each value, the newest first."),
      JournalSeeking.option,
    ])

  package static var schemas: [OutputSchema] { [BlameReport.records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    let (place, paths) = split(arguments.positionals)
    guard !paths.isEmpty else {
      throw Failure(.wrongUse, "a path is missing: it names the value to blame", next: "\(Tool.name) help blame")
    }
    let (path, position) = try PositionInput.place(place, context)
    let journal = try JournalInput(seekingIn: path, context)
    let reading = try journal.states.reading(at: position, context).restingOnHistory()
    let count = arguments.value(of: "count").flatMap { Int($0) } ?? 10
    var blames: [BlameAnswer] = []
    for path in paths {
      blames.append(try blame(path, reading, limit: count, context))
    }
    let report = BlameReport(reading, context)
    report.print(blames)
    reading.note(context)
    JournalSeeking.note(journal, in: context)
    return reading.exitCode
  }

  /// A path begins with a slash, as a folder may: what is no path in a state and exists is a journal.
  private static func split(_ words: [String]) -> (journal: String, paths: [String]) {
    guard let first = words.first else { return (JournalPath.defaultPath, []) }
    let isPath = first.hasPrefix("/") && !Platform.exists(first) && JournalPath.hasDefault
    return isPath ? (JournalPath.defaultPath, words) : (first, Array(words.dropFirst()))
  }

  private static func blame(
    _ path: String, _ reading: TrustedState, limit: Int, _ context: CommandContext
  ) throws(Failure) -> BlameAnswer {
    try PatternInput.check(path, "the path")
    let (journal, pattern) = (reading.journal, PathPattern(Glob(path)))
    journal.begin("looking for the events that changed \(path) in")
    let blame = try Failure.translating(
      journal: journal.path,
      try journal.history.blame(
        BlameRequest(
          of: pattern, upTo: reading.sequence, state: reading.state, limit: limit,
          countsRepeats: context.arguments.flag("writes"))))
    guard !blame.isOverfull else {
      let most = context.arguments.flag("writes") ? BlamedValue.maximumTried : BlamedValue.maximumCount
      throw Failure(
        .wrongUse, "\(path) matches more than \(most.grouped) values; name fewer",
        next: "\(Tool.name) state \(journal.path.shellWord) --flat")
    }
    guard blame.values.isEmpty else { return blame }
    if reading.state.tree(at: pattern.text) != nil {
      context.note("\(journal.path): nothing was set at \(path) up to event \(reading.sequence)")
      return blame
    }
    try reading.expectEnd("what is at \(path)")
    if pattern.isLiteral, reading.isRead(pattern.text) {
      context.note(
        "\(journal.path): \(path) is not set, and no event up to \(reading.sequence) set it; rules read it so")
      return blame
    }
    let near = NearestPath.of(pattern.text, among: reading.state.tree().paths(), context.redaction)
    throw Failure(
      .wrongUse,
      "\(journal.path): nothing was ever set at \(path) up to event \(reading.sequence)"
        + (near.map { "; nearest: \($0)" } ?? ""),
      next: "\(Tool.name) state \(journal.path.shellWord) --flat")
  }
}
