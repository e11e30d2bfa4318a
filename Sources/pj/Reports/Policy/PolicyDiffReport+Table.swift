import CommandLineInterface
import PolicyDocuments

extension PolicyDiffReport {
  /// What differs, as a report.
  static func table(_ changes: [Change], _ names: [String], _ context: CommandContext) -> ReportTable {
    var table = ReportTable(
      title: "Differences", columns: names.map { ReportTable.Column(title: TerminalText.visible($0)) })
    table.rows = changes.map { change in
      let hidden = change.hiddenChanges(context)
      let sides = [change.before, change.after].map { $0.map { PolicyReport.shown($0, context) } }
      return ReportTable.Row(
        section: change.group, title: TerminalText.visible(change.title),
        cells: [
          ReportTable.Cell(text: sides[0]),
          ReportTable.Cell(
            text: sides[1], verdict: hidden.map { "\($0.added) added, \($0.removed) removed" } ?? ""),
        ], isDifferent: true)
    }
    let count = changes.count
    table.notes = ["\(count) setting\(count == 1 ? " differs" : "s differ")."]
    return table
  }
}
