import CommandLineInterface
import CommandSupport
import Forensics
import PlainText

/// What an export wrote, or would write.
struct ExportReport {
  let summary: ExportSummary
  /// How many events are lost, in gaps and before the first one.
  let lost: UInt64
  let path: String
  /// The file; `nil` for a preview.
  let target: String?
  let isRedacted: Bool
  /// The secrets that leave as they are, in words; `nil` without any.
  let secrets: String?
  /// Whether the command line lets them.
  let showsSecrets: Bool
  let code: ExitCode

  /// Shows it.
  func print(to context: CommandContext) {
    let refused = secrets.flatMap { target == nil && !showsSecrets ? $0 : nil }
    context.report { lines in
      lines.begin(Self.records, ())
      if target == nil { lines.add(Self.field, each: uses.map { ($0.use, treatment($0.use), $0.count) }) }
      lines.end(Self.records, self, code)
      if let secrets, refused == nil {
        context.note("\(path): \(secrets) \(target == nil ? "would leave" : "are in the file")")
      }
    } text: {
      printText(context)
    }
    if let refused {
      context.note(
        "\(path): \(refused) would leave, for which --reveal alone writes no file. Next: \(Tool.name) help export")
    }
    if let reason = summary.withheldState {
      context.note(
        "\(path): the state after the retired events did not leave: \(reason). Next: \(Tool.name) help exports")
    }
    for what in summary.unreadable {
      context.note("\(path): \(what). What cannot be read is left out. Next: \(Tool.name) verify \(path.shellWord)")
    }
    if summary.wasRedacted, context.redaction.revealsAccounts {
      context.note("\(path): this was redacted when it was exported; its pseudonyms are all that is known")
    }
    if code != .done {
      context.note(
        "\(path): the journal is not whole; \(target == nil ? "the counts are those of" : "the file holds") what can be "
          + "read. Next: \(Tool.name) verify \(path.shellWord)")
    }
  }

  /// The fields that a preview found, by type, name and what becomes of them.
  private var uses: [(use: ExportFieldUse, count: UInt64)] {
    summary.uses.map { ($0.key, $0.value) }.sorted { one, other in
      (one.use.type, one.use.field, one.use.treatment.rawValue)
        < (other.use.type, other.use.field, other.use.treatment.rawValue)
    }
  }

  /// What becomes of a value: without redaction all of it leaves.
  private func treatment(_ use: ExportFieldUse) -> ExportTreatment { isRedacted ? use.treatment : .shown }

  private var counts: String {
    summary.events.counted("event")
      + (lost > 0 ? ", \(lost.grouped) lost" : "")
  }

  private func printText(_ context: CommandContext) {
    let output = context.output
    guard let target else { return printPreview(context) }
    let redaction =
      isRedacted
      ? "what is personal left as pseudonyms, secrets not at all"
      : "nothing is redacted: the file holds what identifies people" + (secrets.map { ", and \($0)" } ?? "")
    // The file itself went to standard output.
    guard target != "-" else { return context.note("-: \(counts); \(redaction)") }
    output.line(TerminalText.visible("\(target): \(counts)"))
    output.line(redaction)
    output.line("Next: \(Tool.name) log \(target.shellWord)")
  }

  private func printPreview(_ context: CommandContext) {
    let output = context.output
    output.line("\(counts) would leave; nothing is written")
    var table = TextTable([
      TextColumn("event type"), TextColumn("field"), TextColumn("privacy"), TextColumn("values", .right),
      TextColumn("leaves as"),
    ])
    for (use, count) in uses {
      table.append([
        TextCell(TerminalText.visible(use.type)), TextCell(TerminalText.visible(use.field)),
        TextCell("\(use.privacy)"), TextCell(count.grouped), TextCell(words(treatment(use))),
      ])
    }
    context.print(table)
    let personal = uses.filter { $0.use.treatment != .shown }
    let total = personal.reduce(0) { $0 + $1.count }
    let fields = Set(personal.map { "\($0.use.type).\($0.use.field)" }).count
    output.line(
      "\(total.grouped) personal or secret values in \(fields) fields "
        + (isRedacted ? "would not leave as they are" : "would leave as they are: --reveal is given"))
  }

  private func words(_ treatment: ExportTreatment) -> String {
    switch treatment {
    case .shown: "it is"
    case .pseudonym: "pseudonym"
    case .withheld: "nothing"
    }
  }

  /// What `-j` writes.
  static let records = JSONOutput<Void, ExportReport>(
    "export", [field],
    end: [
      .init("file", \.target), .init("events", \.summary.events), .init("lost", \.lost),
      .init("redacted", \.isRedacted),
    ])

  private static let field = JSONRecord<(use: ExportFieldUse, treatment: ExportTreatment, count: UInt64)>(
    "field",
    [
      .init("type", \.use.type), .init("field", \.use.field), .init("privacy") { "\($0.use.privacy)" },
      .init("leavesAs", \.treatment.rawValue), .init("values", \.count),
    ])
}
