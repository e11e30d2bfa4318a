import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// `pj fields`: the paths of the state, for the commands that take some.
package enum FieldsCommand: Command {
  package static let description = CommandDescription(
    "fields", "Lists the paths of the state, with the value at each, how often it changed and by which event last.",
    discussion: [
      """
      Paths are what blame, bisect, log --path and templates take: pj help paths. Listed are the values that are set, and \
      those that once were. A path without an event has had its value since the beginning of what the journal holds.
      """
    ],
    examples: [
      .init("pj fields field.pj", "Every path."),
      .init("pj fields field.pj '/accounts/*/enrollment'", "What the enrollment of each account consists of."),
      .init(
        "pj fields field.pj /policies --at 2020-06 -j", "What the policies had at the end of June 2020, for programs."),
    ],
    positionals: [
      PositionalDescription(
        "JOURNAL", .optional, completion: .file, "The journal, or JOURNAL@POSITION. Default: the current directory."),
      PositionalDescription(
        "PATH", .optional, completion: .asks("paths"),
        "A part of the state; * and ? are wildcards. Default: everything."),
    ],
    options: [
      OptionDescription(
        "at", value: "POSITION", completion: .asks("positions"),
        "The values there, and the changes up to it: pj help positions. Default: the end.")
    ])

  package static var schemas: [OutputSchema] { [records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let (place, rest) = JournalPath.split(context.arguments.positionals) { $0.hasPrefix("/") }
    if let word = rest.dropFirst().first {
      throw Failure(.wrongUse, "unexpected word '\(word)'", next: "\(Tool.name) help fields")
    }
    if let path = rest.first { try PatternInput.check(path, "the path") }
    let (path, position) = try PositionInput.place(place, context)
    let journal = try JournalInput(path, context.environment)
    let reading = try journal.states.reading(at: position, context)
    let pattern = PathPattern(Glob(rest.first ?? "/"))
    journal.begin("looking for the paths of")
    let blame = try Failure.translating(
      journal: path,
      try journal.history.blame(BlameRequest(of: pattern, upTo: reading.sequence, state: reading.state, limit: 1)))
    guard !blame.isOverfull else {
      let most = BlamedValue.maximumCount.grouped
      throw Failure(
        .wrongUse, "\(path): \(pattern.text) matches more than \(most) values; name fewer",
        next: "\(Tool.name) fields \(path.shellWord) \(context.environment.tool.domain.samples.path)")
    }
    if blame.values.isEmpty {
      try reading.expectEnd("what is at \(pattern.text)")
      let near = NearestPath.of(pattern.text, among: reading.state.tree().paths(), context.redaction)
      throw Failure(
        .wrongUse,
        "\(path): nothing was ever set at \(pattern.text) up to event \(reading.sequence)"
          + (near.map { "; nearest: \($0)" } ?? ""),
        next: "\(Tool.name) fields \(path.shellWord)")
    }
    context.report { lines in
      lines.begin(records, reading)
      lines.add(field, each: blame.values)
      lines.end(records, blame.values.count, reading.exitCode)
    } text: {
      printText(blame.values, context)
    }
    reading.note(context)
    return reading.exitCode
  }

  /// What `-j` writes.
  static let records = JSONOutput<TrustedState, Int>(
    "fields", start: TrustedState.place, [field], end: [.init("fields") { $0 }])

  private static let field = JSONRecord<BlamedValue>(
    "field",
    [
      .init("path") { RedactedText.statePath($0.path) }, .init("type") { FieldType($0) }, .init("value", \.value),
      .init("changes", \.count), .init("setBy", \.writes.first?.sequence), .init("setByType", \.writes.first?.type),
    ])

  private static func printText(_ found: [BlamedValue], _ context: CommandContext) {
    let values = ValueText(context.redaction)
    var table = TextTable([
      TextColumn("path", maximumWidth: 56), TextColumn("type"), TextColumn("changes", .right),
      TextColumn("set by", .right), TextColumn("value", maximumWidth: 60),
    ])
    for value in found {
      table.append([
        TextCell(TerminalText.visible(context.redaction.shown(statePath: value.path))),
        TextCell(FieldType(value).rawValue),
        TextCell(value.count.grouped), TextCell(value.writes.first.map { "\($0.sequence)" } ?? "–"),
        TextCell(TerminalText.visible(values.text(value.value))),
      ])
    }
    context.print(table)
  }

  /// What kind of value is at a path, or was there last.
  private enum FieldType: String, JSONWord {
    case unset, flag, number, name, text, sealed, time, duration, event, list

    init(_ value: BlamedValue) {
      self =
        switch value.value ?? value.writes.first?.before {
        case nil, .unset?: .unset
        case .bool?: .flag
        case .integer?: .number
        case .name?: .name
        case .text?, .personal?: .text
        case .sealed?: .sealed
        case .time?: .time
        case .duration?: .duration
        case .sequence?: .event
        case .list?: .list
        }
    }
  }
}
