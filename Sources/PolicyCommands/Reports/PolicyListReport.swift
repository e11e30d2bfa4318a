import AppProtection
import CommandLineInterface
import CommandSupport
import PolicyDocuments
import ProtectionSupport

/// What `pj policy list` prints: every document of an export, and what became of it.
struct PolicyListReport {
  /// What became of a document.
  private enum Outcome: String, JSONWord {
    case read
    case outOfScope
    case refused

    var words: String {
      switch self {
      case .read: "read"
      case .outOfScope: "out of scope"
      case .refused: "refused"
      }
    }
  }

  private struct Row {
    let file: String
    let outcome: Outcome
    let type: String
    /// The document's name.
    var name: PortalValue?
    /// Why it was refused.
    var reason: String?
    let place: DocumentPlace?
    let shape: ExportShape?
    var next: String?
  }

  private let context: CommandContext
  private var rows: [Row] = []

  static func run(_ words: [String], _ context: CommandContext) -> ExitCode {
    var report = PolicyListReport(context: context)
    context.begin(records, ())
    let inputs = PolicyInputs(words, context, answersForeign: true) { input, _ in
      input.noteUnknown(context)
      report.add(input)
    }
    for failure in inputs.failures { report.refuse(failure, inputs) }
    JournalSeeking.note(inputs.journals, in: context)
    context.report { lines in
      lines.add(document, each: report.rows)
      lines.end(records, (report, inputs), inputs.exitCode, of: inputs.journals)
    } text: {
      report.printText()
    }
    return inputs.exitCode
  }

  private mutating func add(_ input: PolicyInput) {
    for item in input.policies {
      rows.append(
        Row(
          file: input.name, outcome: .read, type: item.policy.kind.rawValue,
          name: PolicyReport.name(of: item.policy), place: item.place, shape: input.shape))
    }
    for document in input.others {
      let name = document.rows.first { $0.title == "Name" }?.shown
      rows.append(
        Row(
          file: input.name, outcome: .read, type: document.kindName, name: name, place: nil, shape: input.shape))
    }
    for refusal in input.refusals where !refusal.isBroken || input.skips(refusal) {
      rows.append(
        Row(
          file: input.name, outcome: .outOfScope, type: refusal.foreignType ?? Self.unknown,
          place: DocumentPlace(refusal.position), shape: input.shape))
    }
  }

  /// The type of a document that does not say it.
  private static let unknown = "unknown"

  /// Adds what cannot be read. Where nothing else is known, documents of unknown types fail, too, and have a row already.
  private mutating func refuse(_ failure: (file: String, reason: String, next: String), _ inputs: PolicyInputs) {
    let row = Row(
      file: failure.file, outcome: .refused, type: Self.unknown, reason: failure.reason, place: nil, shape: nil,
      next: failure.next)
    let known = rows.firstIndex {
      inputs.namesRefusals && $0.file == failure.file && $0.outcome == .outOfScope && $0.type == Self.unknown
    }
    if let known { rows[known] = row } else { rows.append(row) }
  }

  private func count(_ outcome: Outcome) -> Int { rows.count { $0.outcome == outcome } }

  /// How many rows have each shape, in the order of the shapes.
  private var shapes: [(name: String, value: Int)] {
    ExportShape.all.compactMap { shape in
      let count = rows.count { $0.shape == shape }
      return count == 0 ? nil : (shape.name, count)
    }
  }

  private func printText() {
    var table = TextTable([TextColumn(""), TextColumn(""), TextColumn(""), TextColumn("")])
    for row in rows {
      let color: [Style.Attribute] = row.outcome == .refused ? [.red] : row.outcome == .outOfScope ? [.dim] : []
      table.append([
        TextCell(row.outcome.words, color), TextCell(TerminalText.visible(row.type)),
        TextCell(row.name.map { PolicyReport.shown($0, context) } ?? ""),
        // A reason names the file, and is long: it stands where nothing follows.
        TextCell(
          TerminalText.visible(
            row.reason ?? [row.file, row.place?.description].compactMap { $0 }.joined(separator: ": "))),
      ])
    }
    context.print(table)
    let total = Outcome.allCases.map { "\(count($0)) \($0.words)" }.joined(separator: ", ")
    let shapes = shapes.map { "\($0.value) \($0.name)" }.joined(separator: ", ")
    context.output.line("\(total)" + (shapes.isEmpty ? "" : "; shapes: \(shapes)"))
  }

  /// What `-j` writes.
  static let records = JSONOutput<Void, (report: PolicyListReport, inputs: PolicyInputs)>(
    "policy.list", [document, JSONRecord.unreadable],
    end: Outcome.allCases.map { outcome in .init(outcome.rawValue) { $0.report.count(outcome) } } + [
      .init("shapes") { JSONTable(entries: $0.report.shapes) }, JSONMember.skipped.of(\.inputs),
    ])

  private static let document = JSONRecord<Row>(
    "document",
    [
      .init("file", \.file), .init("outcome", \.outcome), .init("type", \.type), .init("name", \.name),
      .init("shape", \.shape?.name),
    ] + DocumentPlace.members.of(\.place) + [.ifAny("reason", \.reason), .ifAny("next", \.next)])
}
