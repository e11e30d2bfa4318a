import CommandLineInterface
import CommandSupport
import PolicyDocuments

extension PolicyLevelReport {
  /// The policies beside what the levels name, as a report.
  var report: Report {
    let policies = rows.compactMap { row in row.policy.map { (row: row, item: $0.item, assessment: $0.assessment) } }
    let platforms = PolicyPlatform.allCases.filter { platform in
      policies.contains { $0.item.policy.kind.platform == platform }
    }
    let named = "Where a level names no value, that of the level below counts."
    return Report(
      title: "Levels of the data protection framework of \(revision.date)", summary: conclusion,
      tables: platforms.map(table),
      notes: [named] + rows.filter { $0.policy == nil }.map { "Out of scope: \($0.name) (\($0.type))." })
  }

  /// The policies for a platform.
  private func table(_ platform: PolicyPlatform) -> ReportTable {
    let policies = rows.compactMap { row in row.policy.map { (row: row, item: $0.item, assessment: $0.assessment) } }
      .filter { $0.item.policy.kind.platform == platform }
    var table = ReportTable(title: platform.rawValue)
    table.columns = FrameworkLevel.allCases.map { level in
      ReportTable.Column(name: "Level \(level.rawValue)", details: [level.name], role: .reference)
    }
    table.columns += policies.map { PolicyReport.column(of: $0.item, at: $0.row.name, context) }
    let levels = policies.map { policy in
      ReportTable.Cell(
        text: policy.assessment.level.map { "meets level \($0.rawValue)" } ?? "meets no level",
        verdict: policy.row.isBelow ? "below the required level" : "", reason: Self.next(policy.assessment),
        isNotable: policy.row.isBelow)
    }
    table.rows = [
      ReportTable.Row(
        section: "", title: "Level", cells: FrameworkLevel.allCases.map { _ in .blank } + levels,
        isDifferent: policies.contains(where: \.row.isBelow))
    ]
    for row in FrameworkRow.all(on: platform) {
      let demands = FrameworkLevel.allCases.map { row.demand(namedBy: $0, in: revision) }
      guard demands.contains(where: { $0 != nil }) else { continue }
      let named = demands.map { demand in demand.map { ReportTable.Cell(text: row.words(of: $0)) } ?? .blank }
      let cells = policies.map { cell(of: row, $0.item, $0.assessment) }
      table.rows.append(
        ReportTable.Row(
          section: row.setting.map { platform.heading(of: $0.group) } ?? "", title: row.title, cells: named + cells,
          isDifferent: cells.contains(where: \.isNotable)))
    }
    return table
  }

  private func cell(
    of row: FrameworkRow, _ item: PolicyFile.Item, _ assessment: LevelAssessment
  ) -> ReportTable.Cell {
    let shown = row.value(in: item.policy).map { PolicyReport.shown($0, context) }
    let value = shown ?? (row.setting.map(item.isUnknown) ?? false ? ReportTable.unknown : nil)
    // The lowest level that it does not meet decides.
    let entries = (assessment.missing(at: .high) + assessment.conditional(at: .high)).filter { $0.row.id == row.id }
    let first = FrameworkLevel.allCases.lazy.compactMap { level in
      (assessment.missing(at: level) + assessment.conditional(at: level)).first { $0.row.id == row.id }
    }.first
    guard let entry = first ?? entries.first else { return ReportTable.Cell(text: value, verdict: "met") }
    let wanted = "level \(entry.demand.level.rawValue) wants \(row.words(of: entry.demand))"
    return ReportTable.Cell(
      text: value, verdict: entry.outcome.rawValue,
      reason: [wanted, entry.reason].compactMap(\.self).joined(separator: "; "),
      isNotable: entry.outcome != .conditional)
  }
}
