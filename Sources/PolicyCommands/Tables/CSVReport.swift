import CommandSupport

/// A report as comma-separated values (RFC 4180): a line for each setting and document.
enum CSVReport {
  /// The names of the columns.
  static let heading = ["section", "setting", "policy", "value", "verdict", "reason", "name", "table"]

  static func text(of report: Report) -> String {
    var lines = [heading]
    for table in report.tables {
      for row in table.rows {
        for (column, cell) in zip(table.columns, row.cells) where column.role != .reference && !cell.isBlank {
          lines.append([
            row.section, row.title, column.key, cell.text ?? ReportTable.unset, cell.verdict, cell.reason, column.name,
            table.title,
          ])
        }
      }
    }
    return lines.map { CSVText.line($0) + "\r\n" }.joined()
  }
}
