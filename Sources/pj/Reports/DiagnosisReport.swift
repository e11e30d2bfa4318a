import AppProtection
import CommandLineInterface
import EventSourcing
import Forensics
import JSON
import Journal

/// The results of `pj diagnose`.
struct DiagnosisReport {
  private typealias Report = HistoryDiagnosis<AppProtectionMachine>

  private let journal: JournalInput
  private let context: CommandContext

  init(_ journal: JournalInput, _ context: CommandContext) {
    (self.journal, self.context) = (journal, context)
  }

  /// Judges a stretch of the history, and prints what was found.
  func print(from lower: UInt64, upTo upper: UInt64?) throws(Failure) -> ExitCode {
    let damage = try journal.findings() + (upper == nil ? journal.unknownEnd : [])
    journal.begin("diagnosing")
    let report: Report
    do throws(HistoryError) {
      report = try Report(of: journal.history, from: lower, upTo: upper, damage: damage)
    } catch {
      throw Failure(error, journal: journal.path)
    }
    let families = Set(ProblemFamily.allCases.filter { context.arguments.values(of: "family").contains($0.id) })
    let found = families.isEmpty ? report.findings : report.limited(to: families)
    let trouble = FindingNotes.exitCode(damage, report.obstacle)
    let code: ExitCode = trouble != .done ? trouble : found.isEmpty ? .done : .different
    if context.isJSON {
      printJSON(report, found, code)
    } else {
      for (place, finding) in found.enumerated() {
        if place > 0 { context.output.line() }
        print(finding, after: found)
      }
      if found.isEmpty { context.output.line("nothing was found up to event \(report.last)") }
      if report.leftOut > 0 {
        context.output.line("\(TerminalText.thousands(UInt64(report.leftOut))) milder problems are left out")
      }
    }
    note(report, damage)
    return code
  }

  private func note(_ report: Report, _ damage: [Finding]) {
    guard let obstacle = report.obstacle else { return }
    let failure = Failure(obstacle, journal: journal.path)
    context.note(
      "\(failure.message); nothing after event \(report.last) is judged. "
        + "Next: \(FindingNotes.nextStep(damage, journal.path, obstacle: obstacle))")
  }

  /// The command of a finding, with the journal's name.
  private func command(_ diagnosis: Problem) -> String? {
    diagnosis.command.map { "pj " + $0.replacing("JOURNAL", with: journal.path.shellWord) }
  }

  // MARK: Text

  private func print(_ ranked: Report.Ranked, after found: [Report.Ranked]) {
    let (diagnosis, output, style) = (ranked.diagnosis, context.output, context.style)
    let margin = ranked.explainedBy == nil ? "" : "    "
    let title = "\(diagnosis.severity.name.uppercased())  \(diagnosis.family.id)  (\(diagnosis.confidence.name))"
    let led = ranked.explainedBy.flatMap { found.indices.contains($0) ? found[$0].diagnosis.family.id : nil }
    output.line(margin + style.bold(title) + (led.map { "  follows from \($0)" } ?? ""))
    output.line(margin + TerminalText.visible(diagnosis.sentence) + ".", hanging: margin.count)
    for (place, evidence) in diagnosis.evidence.enumerated() {
      let event = evidence.sequence.map { "\($0)" } ?? "–"
      let mark = place == 0 ? "  ← decides" : ""
      output.line(margin + "  \(event)  \(TerminalText.visible(evidence.text))\(mark)", hanging: margin.count + 4)
    }
    output.line(margin + "  next: \(TerminalText.visible(diagnosis.next))", hanging: margin.count + 4)
    if let command = command(diagnosis) { output.line(margin + "        \(command)") }
    output.line(margin + style.dim("  page: \(diagnosis.family.page)"))
  }

  /// Lists the families.
  static func printFamilies(_ context: CommandContext) {
    if context.isJSON {
      context.output.line(.startRecord("diagnose"))
      for family in ProblemFamily.allCases {
        context.output.line(
          .record(
            "family",
            [
              .init("family", .string(family.id)), .init("title", .string(family.title)),
              .init("severity", .string(family.severity.name)), .init("page", .string(family.page)),
            ]))
      }
      context.output.line(.endRecord(.done))
      return
    }
    var table = TextTable([TextColumn("family"), TextColumn("severity"), TextColumn("what is wrong")])
    for family in ProblemFamily.allCases {
      table.append([TextCell(family.id), TextCell(family.severity.name), TextCell(family.title)])
    }
    context.print(table)
  }

  // MARK: JSON

  private func printJSON(_ report: Report, _ found: [Report.Ranked], _ code: ExitCode) {
    let output = context.output
    output.line(.startRecord("diagnose", [.init("journal", .string(journal.path))]))
    for ranked in found { output.line(record(ranked)) }
    output.line(
      .endRecord(
        code,
        [
          .init("findings", .number(found.count)), .init("leftOut", .number(report.leftOut)),
          .init("judgedUpTo", .number(report.last)),
          .init(
            "notJudged", report.obstacle.map { .string(Failure($0, journal: journal.path).message) } ?? .null),
        ]))
  }

  private func record(_ ranked: Report.Ranked) -> String {
    let diagnosis = ranked.diagnosis
    return .record(
      "finding",
      [
        .init("family", .string(diagnosis.family.id)), .init("severity", .string(diagnosis.severity.name)),
        .init("subject", diagnosis.subject.map(JSONValue.string) ?? .null),
        .init("sentence", .string(diagnosis.sentence)),
        .init(
          "evidence",
          .array(
            diagnosis.evidence.map { evidence in
              .object([
                .init("event", evidence.sequence.map(JSONValue.number) ?? .null), .init("text", .string(evidence.text)),
              ])
            })),
        .init("confidence", .string(diagnosis.confidence.name)), .init("next", .string(diagnosis.next)),
        .init("command", command(diagnosis).map(JSONValue.string) ?? .null),
        .init("page", .string(diagnosis.family.page)),
        .init("until", diagnosis.until.map(JSONValue.number) ?? .null),
        .init("explainedBy", ranked.explainedBy.map { .number($0) } ?? .null),
      ])
  }
}
