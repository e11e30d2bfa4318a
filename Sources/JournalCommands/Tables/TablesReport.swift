import CommandLineInterface
import CommandSupport
import JSON
import PlainText

/// What tables were written, and of which journals not everything could be.
struct TablesReport {
  let target: String
  let isRedacted: Bool
  /// How the worst of the journals ends.
  private(set) var code = ExitCode.done

  init(target: String, isRedacted: Bool) { (self.target, self.isRedacted) = (target, isRedacted) }

  func printStart(to context: CommandContext) {
    context.output.line(.startRecord("tables", [.init("output", .string(target))]))
  }

  /// Tells what became of a journal.
  mutating func add(_ outcome: TablePass.Outcome, _ context: CommandContext) {
    if outcome.exit.rawValue > code.rawValue { code = outcome.exit }
    let redaction = context.redaction
    let error = outcome.error.map { redaction.shown(error: $0, of: outcome.path) }
    if context.isJSON {
      context.output.line(
        .record(
          "journal",
          [
            .init("journal", .string(redaction.shown(path: outcome.path))), .init("events", .number(outcome.events)),
            .init("lost", .number(outcome.lost)), .init("findings", .number(outcome.findings)),
            .init("exit", .number(outcome.exit.rawValue)),
            .init("error", error.map(JSONValue.string) ?? .null),
          ]))
    }
    guard let error else { return }
    let next = outcome.next.map {
      redaction.shows(text: $0) ? $0 : "the same command with --reveal, which shows the path"
    }
    context.note(error + (next.map { ". Next: \($0)" } ?? ""))
  }

  func printEnd(_ folder: TableFolder, to context: CommandContext) {
    let output = context.output
    let counts = JournalTable.allCases.map { (name: $0.rawValue, rows: folder.rows(of: $0)) }
    guard !context.isJSON else {
      return output.line(
        .endRecord(
          code,
          counts.map { .init($0.name, .number($0.rows)) } + [.init("redacted", .bool(isRedacted))]))
    }
    var table = TextTable([TextColumn("table"), TextColumn("rows", .right)])
    for (name, rows) in counts {
      table.append([TextCell(name), TextCell(rows.grouped)])
    }
    context.print(table)
    output.line(
      isRedacted
        ? "what is personal left as pseudonyms, secrets not at all"
        : "what is personal is not redacted: the tables hold names and object ids")
    output.line("Next: pj schema --tables duckdb > \("\(target)/\(TableSchema.duckdb.file)".shellWord)")
  }
}
