/// A report as a table in Markdown (GitHub Flavored Markdown, "Tables").
enum MarkdownReport {
  static func text(of table: ReportTable) -> String {
    var lines = ["# \(escaped(table.title))", ""]
    for column in table.columns where !column.details.isEmpty {
      lines.append("- \(escaped(column.title)): \(escaped(column.details.joined(separator: "; ")))")
    }
    if lines.count > 2 { lines.append("") }
    var section: String?
    for row in table.rows {
      if row.section != section {
        if section != nil { lines.append("") }
        lines += ["## \(escaped(row.section))", ""]
        lines.append("| Setting | " + table.columns.map { escaped($0.title) }.joined(separator: " | ") + " |")
        lines.append("|---|" + String(repeating: "---|", count: table.columns.count))
        section = row.section
      }
      lines.append("| \(escaped(row.title)) | " + row.cells.map(cell).joined(separator: " | ") + " |")
    }
    if !table.notes.isEmpty { lines += [""] + table.notes.map(escaped) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func cell(_ cell: ReportTable.Cell) -> String {
    let value = escaped(cell.text ?? ReportTable.unset)
    let about = [cell.verdict, cell.reason].filter { !$0.isEmpty }.map(escaped).joined(separator: ": ")
    guard !about.isEmpty else { return value }
    return cell.isNotable ? "\(value) **(\(about))**" : "\(value) (\(about))"
  }

  /// Text that is only text: no mark, no element and no end of a cell.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r": result += " "
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case _ where "\\`*_[]|#~!$".unicodeScalars.contains(scalar): result += "\\\(scalar)"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
