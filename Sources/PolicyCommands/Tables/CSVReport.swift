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

  /// The records of a table, each with the line on which it begins.
  static func records(_ text: String) throws(NameTable.Problem) -> [(fields: [String], line: Int)] {
    var records: [(fields: [String], line: Int)] = []
    var fields: [String] = []
    var field = ""
    var (line, start) = (1, 1)
    var isQuoted = false
    var isPastQuotes = false
    func endField() {
      fields.append(field)
      (field, isPastQuotes) = ("", false)
    }
    for character in text {
      if character.isNewline { line += 1 }
      switch character {
      case "\"" where isQuoted: (isQuoted, isPastQuotes) = (false, true)
      case "\"" where isPastQuotes:
        // Two quotation marks are one in the text.
        field.append("\"")
        (isQuoted, isPastQuotes) = (true, false)
      case "\"" where field.isEmpty: isQuoted = true
      case _ where isQuoted: field.append(character)
      case ",": endField()
      case _ where character.isNewline:
        endField()
        records.append((fields, start))
        (fields, start) = ([], line)
      case _ where isPastQuotes:
        throw NameTable.Problem(line: line, reason: "something follows the quotation mark that closes a field")
      default: field.append(character)
      }
    }
    guard !isQuoted else { throw NameTable.Problem(line: start, reason: "a quotation mark is not closed") }
    if !field.isEmpty || !fields.isEmpty {
      endField()
      records.append((fields, start))
    }
    return records
  }
}
