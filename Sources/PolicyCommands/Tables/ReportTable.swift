/// A report of several documents side by side, whatever they are: a row for each setting, a column for each document. Every
/// form of a report is made from it.
struct ReportTable {
  /// A document, or what documents are compared with.
  struct Column {
    let title: String
    /// What else the heading says, such as the level that is met.
    var details: [String] = []
    /// Whether it is what the documents are compared with, and none itself.
    var isReference = false
  }

  /// What a document says of a setting.
  struct Cell {
    /// The value as it may be shown; `nil` where the document has no such setting.
    let text: String?
    /// A word about the value, such as `missing`; empty without one.
    var verdict = ""
    /// Why; empty without a reason.
    var reason = ""
    /// Whether the verdict asks for attention.
    var isNotable = false
    /// Whether the document could not have the setting, as one for another platform.
    var isOutOfPlace = false

    /// The cell of a document that could not have the setting.
    static let outOfPlace = Cell(text: "–", isOutOfPlace: true)
  }

  /// A setting.
  struct Row {
    let section: String
    let title: String
    /// One cell for each column.
    let cells: [Cell]
    /// Whether the documents differ here, or one is not as it should be.
    let isDifferent: Bool
  }

  let title: String
  var columns: [Column]
  var rows: [Row] = []
  /// Sentences below the table.
  var notes: [String] = []

  /// What a setting without a value says.
  static let unset = "Not configured"
  /// What a setting says whose value is lost, unreadable, or left out by the exporting program.
  static let unknown = "Unknown"

  /// The table with names in place of identifiers.
  func naming(_ names: NameTable) -> ReportTable {
    guard !names.isEmpty else { return self }
    var table = self
    table.rows = rows.map { row in
      Row(
        section: row.section, title: row.title,
        cells: row.cells.map { cell in
          Cell(
            text: cell.text.map(names.naming), verdict: cell.verdict, reason: names.naming(cell.reason),
            isNotable: cell.isNotable, isOutOfPlace: cell.isOutOfPlace)
        },
        isDifferent: row.isDifferent)
    }
    return table
  }
}

/// The forms of a report.
enum ReportFormat: String, CaseIterable {
  case markdown
  case csv
  case html

  /// The report in this form.
  func text(of table: ReportTable) -> String {
    switch self {
    case .markdown: MarkdownReport.text(of: table)
    case .csv: CSVReport.text(of: table)
    case .html: ReportPage.text(of: table)
    }
  }
}
