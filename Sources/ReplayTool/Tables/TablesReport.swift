import CommandLineInterface
import CommandSupport
import Journal
import PlainText

/// What tables were written, and of which journals not everything could be.
struct TablesReport {
  let target: String
  let isRedacted: Bool
  /// How the worst of the journals ends.
  private(set) var code = ExitCode.done
  /// Whether any journal could be read, be it in part.
  private(set) var hasRead = false
  private var ids: Set<JournalID> = []

  init(target: String, isRedacted: Bool) { (self.target, self.isRedacted) = (target, isRedacted) }

  /// What `-j` writes.
  static let records = JSONOutput<String, (folder: TableFolder, isRedacted: Bool)>(
    "tables", start: [.init("output") { $0 }], [journal],
    end: JournalTable.allCases.map { table in .init(table.rawValue) { $0.folder.rows(of: table) } }
      + [.init("redacted", \.isRedacted)])

  private static let journal = JSONRecord<(outcome: TablePass.Outcome, error: String?)>(
    "journal",
    [
      .init("journal") { RedactedText.path($0.outcome.path) }, .init("events", \.outcome.events),
      .init("lost", \.outcome.lost), .init("findings", \.outcome.findings),
      .init("exit", \.outcome.exit.rawValue), .init("error", \.error),
    ])

  /// Tells what became of a journal.
  mutating func add(_ outcome: TablePass.Outcome, _ context: CommandContext) {
    code = .worst(code, outcome.exit)
    hasRead = hasRead || outcome.exit != .unreadable || outcome.events > 0
    let redaction = context.redaction
    let error = outcome.error.map { redaction.shown(error: $0, of: outcome.path) }
    context.show(Self.journal, (outcome, error))
    if let id = outcome.id, !ids.insert(id).inserted {
      context.note(
        "\(redaction.shown(path: outcome.path)): a journal before it has the same id, as copies do, and what both hold counts twice"
      )
    }
    guard let error else { return }
    let next = outcome.next.map {
      redaction.shows(text: $0) ? $0 : "the same command with --reveal, which shows the path"
    }
    context.note(error + (next.map { ". Next: \($0)" } ?? ""))
  }

  func printEnd(_ folder: TableFolder, to context: CommandContext) {
    context.end(Self.records, (folder, isRedacted), code) { printText(folder, to: context) }
  }

  private func printText(_ folder: TableFolder, to context: CommandContext) {
    let output = context.output
    var table = TextTable([TextColumn("table"), TextColumn("rows", .right)])
    for form in JournalTable.allCases {
      table.append([TextCell(form.rawValue), TextCell(folder.rows(of: form).grouped)])
    }
    context.print(table)
    output.line(
      isRedacted
        ? "what is personal left as pseudonyms, secrets not at all"
        : "what is personal is not redacted: the tables hold what identifies people")
    output.line("Next: \(Tool.name) schema --tables duckdb > \("\(target)/\(TableSchema.duckdb.file)".shellWord)")
  }
}
