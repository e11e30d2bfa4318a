import CommandLineInterface
import PolicyDocuments

extension PolicyCombinationReport {
  /// The result beside the policies, as a report.
  var table: ReportTable {
    var table = ReportTable(title: "Combined effect of \(members.count) policies on one user", columns: [])
    table.columns.append(ReportTable.Column(title: "combined"))
    table.columns += members.map { member in
      ReportTable.Column(
        title: TerminalText.visible("\(member.number). \(member.name)"),
        details: PolicyReport.details(of: member.item, context)
          + (member.isReplaced ? ["a default policy, replaced by policies for groups"] : []))
    }
    for row in rows where row.value != nil || !row.others.isEmpty || !row.lost.isEmpty || context.arguments.flag("all")
    {
      let others = Set(row.others.map(\.number))
      let from = row.from.isEmpty ? "" : "from " + row.from.map { "\($0)" }.joined(separator: ", ")
      let result = ReportTable.Cell(
        text: row.value.map { PolicyReport.shown($0, context) }, verdict: row.why, reason: from,
        isNotable: row.why == "dropped")
      let cells = members.map { member in
        ReportTable.Cell(
          text: row.lost.contains(member.number)
            ? "unknown" : row.setting.value(in: member.item.policy).map { PolicyReport.shown($0, context) },
          verdict: member.isReplaced ? "does not count" : others.contains(member.number) ? "other" : "")
      }
      table.rows.append(
        ReportTable.Row(
          section: platform.heading(of: row.setting.group), title: row.setting.title, cells: [result] + cells,
          isDifferent: !row.others.isEmpty || !row.lost.isEmpty))
    }
    return table
  }
}
