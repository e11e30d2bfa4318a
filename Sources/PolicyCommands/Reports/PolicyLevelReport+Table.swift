import CommandLineInterface
import CommandSupport
import PolicyDocuments

extension PolicyLevelReport {
  /// The policies beside what the levels name, as a report.
  var table: ReportTable {
    var table = ReportTable(title: "Levels of the data protection framework of \(revision.date)", columns: [])
    table.columns = FrameworkLevel.allCases.map { level in
      ReportTable.Column(title: "Level \(level.rawValue)", details: [level.name], isReference: true)
    }
    let policies = rows.compactMap { row in row.policy.map { (row: row, item: $0.item, assessment: $0.assessment) } }
    for policy in policies {
      let level = policy.assessment.level.map { "meets level \($0.rawValue)" } ?? "meets no level"
      table.columns.append(
        ReportTable.Column(
          title: TerminalText.visible(policy.row.name),
          details: PolicyReport.details(of: policy.item, context)
            + [
              level, Self.next(policy.assessment), policy.row.isBelow ? "below the required level" : "",
            ].filter { !$0.isEmpty }))
    }
    let platforms = PolicyPlatform.allCases.filter { platform in
      policies.contains { $0.item.policy.kind.platform == platform }
    }
    for platform in platforms {
      for row in FrameworkRow.all(on: platform) {
        let demands = FrameworkLevel.allCases.map { row.demand(namedBy: $0, in: revision) }
        guard demands.contains(where: { $0 != nil }) else { continue }
        let named = demands.map { ReportTable.Cell(text: $0.map(row.words) ?? "–") }
        let cells = policies.map { policy in
          policy.item.policy.kind.platform == platform
            ? cell(of: row, policy.item, policy.assessment) : .outOfPlace
        }
        let section = row.setting.map { platform.heading(of: $0.group) } ?? ""
        table.rows.append(
          ReportTable.Row(
            section: platforms.count == 1 ? section : "\(platform.rawValue): \(section)", title: row.title,
            cells: named + cells, isDifferent: cells.contains(where: \.isNotable)))
      }
    }
    table.notes =
      rows.filter { $0.policy == nil }.map { "Out of scope: \($0.name) (\($0.type))." }
      + [conclusion(policies.count)]
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
