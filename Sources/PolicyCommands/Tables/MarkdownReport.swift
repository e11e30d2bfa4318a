/// A report as tables in Markdown (GitHub Flavored Markdown, "Tables").
enum MarkdownReport {
  static func text(of report: Report) -> String {
    var lines = ["# \(escaped(report.title))", ""]
    if !report.summary.isEmpty { lines += [escaped(report.summary), ""] }
    let short = report.shortPaths
    for table in report.tables { append(table, short, to: &lines) }
    lines += report.notes.map(escaped)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func append(_ table: ReportTable, _ short: [String: String], to lines: inout [String]) {
    if !table.title.isEmpty { lines += ["## \(escaped(table.title))", ""] }
    let headings = table.columns.map { $0.heading(short) }
    let counts = Dictionary(headings.map { ($0.name, 1) }, uniquingKeysWith: +)
    // A name that several documents have says nothing without the path.
    let titles = headings.map { counts[$0.name] == 1 || $0.path.isEmpty ? $0.name : "\($0.name) (\($0.path))" }
    let legend = zip(titles, table.columns).compactMap { title, column in
      let about = ([column.name.isEmpty ? "" : column.path] + column.details).filter { !$0.isEmpty }
      return about.isEmpty ? nil : "- \(escaped(title)): \(escaped(about.joined(separator: "; ")))"
    }
    if !legend.isEmpty { lines += legend + [""] }
    for (heading, rows) in table.sections {
      if !heading.isEmpty { lines += ["\(table.title.isEmpty ? "##" : "###") \(escaped(heading))", ""] }
      lines.append("| \(table.subject) | " + titles.map(escaped).joined(separator: " | ") + " |")
      lines.append("|---|" + String(repeating: "---|", count: titles.count))
      lines += rows.map { "| \(escaped($0.title)) | " + $0.cells.map(cell).joined(separator: " | ") + " |" }
      lines.append("")
    }
  }

  private static func cell(_ cell: ReportTable.Cell) -> String {
    let value = escaped(cell.text ?? ReportTable.unset)
    let about = escaped(cell.about)
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
