import AppProtection
import CommandLineInterface
import CommandSupport
import JSON
import PolicyDocuments

/// What `pj policy level --baseline` prints: what of an organization's baseline each policy does not have.
struct PolicyBaselineReport {
  private struct Row {
    let file: String
    let item: PolicyFile.Item
    let results: [PolicyBaseline.Result]

    /// What is not as asked, or not known to be.
    var entries: [PolicyBaseline.Entry] { results.compactMap(\.entry) }

    /// What becomes of all of it: what is not as asked counts before what is unknown.
    var outcome: LevelAssessment.Outcome? {
      entries.isEmpty ? nil : entries.contains { $0.outcome != .unknown } ? .missing : .unknown
    }
  }

  private let context: CommandContext
  private let baseline: PolicyBaseline
  private var rows: [Row] = []

  static func run(_ words: [String], _ path: String, _ context: CommandContext) throws(Failure) -> ExitCode {
    for option in ["require", "revision"] where context.arguments.isGiven(option) {
      throw Failure(.wrongUse, "--\(option) does not apply to a baseline", next: "pj help policy level")
    }
    let checks = try CheckFormat(context)
    let form = checks == nil ? try ReportInput(context) : nil
    let (baseline, baselineCode) = try baseline(path, context)
    var report = PolicyBaselineReport(context: context, baseline: baseline)
    context.begin(records, ())
    let inputs = PolicyInputs(words, context) { input, inputs in
      input.noteUnknown(context)
      for item in input.policies {
        guard report.baseline.covers(item.policy.kind.platform) else {
          inputs.skip("\(item.policy.kind.platform.rawValue), which the baseline does not ask about")
          continue
        }
        report.rows.append(Row(file: input.name, item: item, results: report.baseline.assess(item)))
      }
      for document in input.others { inputs.skip(document.kindName) }
    }
    JournalSeeking.note(inputs.journals, in: context)
    let entries = report.rows.flatMap(\.entries).filter { $0.demand.severity != .note }
    let judged = ExitCode.worst(inputs.exitCode(ofNothing: report.rows.isEmpty), baselineCode)
    let fails = entries.contains { $0.outcome != .unknown }
    let found: ExitCode = fails ? .different : entries.isEmpty ? .done : .partial
    let code = judged != .done ? judged : found
    if report.rows.isEmpty, inputs.exitCode == .done {
      context.note("no policy was judged. Next: \(PolicyInputs.list(words))")
    }
    if let checks {
      var list = report.checks
      list.addErrors(of: inputs, endingWith: code)
      checks.print(list, to: context)
    } else if let form {
      if !report.rows.isEmpty { form.print(report.report(inputs), to: context) }
    } else {
      context.records { lines in
        for row in report.rows {
          lines.add(policyRecord, row)
          lines.add(settingRecord, each: row.entries.map { (row, $0) })
        }
      }
      context.end(records, (report, inputs), code, of: inputs.journals) { report.printText(inputs) }
    }
    return code
  }

  /// Reads what is asked: baselines, policies, or a folder of both; and how the command ends, as far as reading them decides.
  private static func baseline(
    _ path: String, _ context: CommandContext
  ) throws(Failure) -> (PolicyBaseline, ExitCode) {
    var baseline = PolicyBaseline()
    var code = ExitCode.done
    var assignments = AssignmentLists()
    for document in try DocumentInput.all(path, context) {
      let bytes = try document.bytes(context)
      if PolicyBaseline.isBaseline(bytes) {
        do throws(JSONError) {
          baseline.add(try PolicyBaseline.read(bytes))
        } catch {
          let name = document.isFromExport ? "\(path): \(document.shownName)" : path
          throw Failure(.wrongUse, "--baseline \(name): \(error)", next: "pj help policy level")
        }
        continue
      }
      let input = try PolicyInput(document, context, journals: [], assignments: &assignments)
      if let broken = input.refusals.first(where: { $0.isBroken && !input.skips($0) }) {
        throw Failure(document: broken)
      }
      for document in input.others {
        context.note("--baseline \(input.name): nothing is asked by what is not a policy (\(document.kindName))")
      }
      input.noteUnknown(context)
      code = .worst(code, input.exitCode)
      for item in input.policies {
        baseline.add(
          item.policy, named: PolicyReport.name(of: item.policy).map { PolicyReport.shown($0, context) } ?? input.name)
      }
    }
    guard !baseline.demands.isEmpty else {
      throw Failure(.unreadable, "--baseline \(path): it asks for nothing", next: "pj policy list \(path.shellWord)")
    }
    return (baseline, code)
  }

  // MARK: Text

  private func printText(_ inputs: PolicyInputs) {
    guard !rows.isEmpty else { return }
    for row in rows {
      let name = row.item.path.isEmpty ? row.file : "\(row.file): \(row.item.path)"
      guard !row.entries.isEmpty else {
        context.output.line(TerminalText.visible("\(name): as asked"))
        continue
      }
      context.output.line(TerminalText.visible(name))
      var table = TextTable([
        TextColumn(""), TextColumn("setting"), TextColumn("is"), TextColumn("should be"), TextColumn("because"),
      ])
      for entry in row.entries {
        table.append([
          severity(of: entry),
          TextCell(entry.demand.row.title), TextCell(value(of: entry, row.item)),
          TextCell(TerminalText.visible(entry.demand.words)), TextCell(TerminalText.visible(because(entry))),
        ])
      }
      context.print(table)
    }
    context.output.line(conclusion(inputs))
  }

  private func severity(of entry: PolicyBaseline.Entry) -> TextCell {
    guard entry.outcome != .unknown else { return TextCell("  unknown") }
    return TextCell("  " + entry.demand.severity.rawValue, entry.demand.severity == .error ? [.red] : [])
  }

  private func because(_ entry: PolicyBaseline.Entry) -> String {
    [entry.demand.reason, entry.reason].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private func value(of entry: PolicyBaseline.Entry, _ item: PolicyFile.Item) -> String {
    PolicyLevelReport.shown(entry.demand.row, entry.outcome, item, context)
  }

  // MARK: A report

  /// The policies beside what the baseline asks for.
  private func report(_ inputs: PolicyInputs) -> Report {
    let platforms = PolicyPlatform.allCases.filter { platform in
      rows.contains { $0.item.policy.kind.platform == platform }
    }
    return Report(
      title: TerminalText.visible(baseline.title ?? "Baseline"), summary: conclusion(inputs),
      tables: platforms.map(table), attention: "not as asked")
  }

  private func table(_ platform: PolicyPlatform) -> ReportTable {
    let rows = rows.filter { $0.item.policy.kind.platform == platform }
    var table = ReportTable(
      title: platform.rawValue,
      columns: [ReportTable.Column(name: "Baseline", role: .reference)]
        + rows.map { row in
          let name = row.item.path.isEmpty ? row.file : "\(row.file): \(row.item.path)"
          return PolicyReport.column(of: row.item, at: name, context)
        })
    let outcomes = rows.map { row in
      switch row.outcome {
      case nil: ReportTable.Cell(text: "as asked")
      case .unknown?: ReportTable.Cell(text: "unknown", isNotable: true)
      case .missing?, .conditional?: ReportTable.Cell(text: "not as asked", isNotable: true)
      }
    }
    table.rows = [
      ReportTable.Row(
        section: "", title: "Outcome", cells: [.blank] + outcomes,
        isDifferent: rows.contains { !$0.entries.isEmpty })
    ]
    // Each policy has a result for each demand on its platform, in the same order.
    for (place, demand) in baseline.demands.filter({ $0.row.platform == platform }).enumerated() {
      let cells = rows.map { row in
        guard let entry = row.results[place].entry else {
          return ReportTable.Cell(
            text: demand.row.value(in: row.item.policy).map { PolicyReport.shown($0, context) }, verdict: "met")
        }
        return ReportTable.Cell(
          text: value(of: entry, row.item), verdict: entry.outcome.rawValue,
          reason: TerminalText.visible(because(entry)), isNotable: true)
      }
      table.rows.append(
        ReportTable.Row(
          section: demand.row.setting.map { platform.heading(of: $0.group) } ?? "", title: demand.row.title,
          cells: [ReportTable.Cell(text: TerminalText.visible(demand.words))] + cells,
          isDifferent: cells.contains { $0.verdict != "met" }))
    }
    return table
  }

  private func conclusion(_ inputs: PolicyInputs) -> String {
    let (below, unknown) = (rows.count { $0.outcome == .missing }, rows.count { $0.outcome == .unknown })
    let title = baseline.title.map { TerminalText.visible(" of \($0)") } ?? ""
    let skipped = inputs.skippedText.map { TerminalText.visible("; \($0)") } ?? ""
    return "\(rows.count.counted("policy", "policies")), \(below) not as asked"
      + (unknown == 0 ? "" : ", \(unknown) unknown") + "; "
      + "\(baseline.demands.count.counted("setting"))\(title)\(skipped)."
  }

  // MARK: Continuous integration

  private var checks: CheckList {
    var list = CheckList("pj policy level --baseline")
    for row in rows {
      for result in row.results {
        let demand = result.demand
        let problem = result.entry.map { entry in
          CheckList.Problem(
            severity: demand.severity,
            message:
              "\(demand.row.title): is \(value(of: entry, row.item)), should be \(demand.words) (\(because(entry)))",
            place: row.item.place, isUnknown: entry.outcome == .unknown)
        }
        list.add(
          CheckList.Check(
            rule: demand.row.id, meaning: "\(demand.row.title): \(demand.words)", file: row.file, path: row.item.path,
            problem: problem))
      }
    }
    return list
  }

  // MARK: JSON

  /// What `-j` writes.
  static let records = JSONOutput<Void, (report: PolicyBaselineReport, inputs: PolicyInputs)>(
    "policy.baseline", [policyRecord, settingRecord, JSONRecord.unreadable],
    end: [
      .init("policies") { $0.report.rows.count },
      .init("notAsAsked") { $0.report.rows.count { $0.outcome == .missing } },
      .init("unknown") { $0.report.rows.count { $0.outcome == .unknown } },
      .init("demands") { $0.report.baseline.demands.count }, JSONMember.skipped.of(\.inputs),
    ])

  private static let policyRecord = JSONRecord<Row>(
    "policy",
    PolicyReport.members.of { ($0.file, $0.item) } + [.init("missing") { $0.entries.count }])

  private static let settingRecord = JSONRecord<(row: Row, entry: PolicyBaseline.Entry)>(
    "setting",
    [
      .init("file", \.row.file), .init("path", \.row.item.path), .init("setting", \.entry.demand.row.id),
      .init("title", \.entry.demand.row.title), .init("severity", \.entry.demand.severity),
      .init("outcome", \.entry.outcome), .init("value") { $0.entry.demand.row.value(in: $0.row.item.policy) },
      .init(
        "comparison", oneOf: PolicyBaseline.Comparison.allCases.map(\.rawValue), \.entry.demand.comparison.rawValue),
      .init("wanted", \.entry.demand.words), .init("because", \.entry.demand.reason), .init("reason", \.entry.reason),
    ])
}
