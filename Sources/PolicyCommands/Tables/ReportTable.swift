/// Documents side by side: a row for each setting, a column for each document.
struct ReportTable {
  /// A document, or what stands beside the documents.
  struct Column {
    /// What a column is to the others.
    enum Role {
      case document
      /// What the documents are compared with, and none itself.
      case reference
      /// What the documents come to.
      case result
    }

    /// The document's display name; empty where it has none.
    let name: String
    /// Where the document lies; empty for what is no document.
    var path = ""
    /// The number by which cells name the document.
    var number: Int?
    /// What else the heading says, such as the level that is met.
    var details: [String] = []
    var role = Role.document

    /// The number and the path, which no other document has.
    var key: String { numbered(path.isEmpty ? name : path) }

    /// The lines of the heading: the name, and the path as the report shortens it.
    func heading(_ short: [String: String]) -> (name: String, path: String) {
      let path = short[path] ?? path
      return name.isEmpty ? (numbered(path), "") : (numbered(name), path)
    }

    private func numbered(_ text: String) -> String { number.map { "\($0). \(text)" } ?? text }
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

    /// What a document says of which it need not say anything.
    static let blank = Cell(text: "")

    var isBlank: Bool { text?.isEmpty == true && verdict.isEmpty && reason.isEmpty }

    /// The verdict with its reason; empty without either.
    var about: String { [verdict, reason].filter { !$0.isEmpty }.joined(separator: ": ") }
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

  /// What the documents have in common, such as their platform; may be empty where a report has one table.
  var title = ""
  /// What the rows are.
  var subject = "Setting"
  var columns: [Column] = []
  var rows: [Row] = []

  /// What a setting without a value says.
  static let unset = "Not configured"
  /// What a setting says whose value is lost, unreadable, or left out by the exporting program.
  static let unknown = "Unknown"

  /// The rows of each section. A section that is named like the table needs no heading.
  var sections: [(heading: String, rows: ArraySlice<Row>)] {
    var sections: [(heading: String, rows: ArraySlice<Row>)] = []
    var rest = rows[...]
    while let first = rest.first {
      let own = rest.prefix { $0.section == first.section }
      sections.append((first.section == title ? "" : first.section, own))
      rest = rest.dropFirst(own.count)
    }
    return sections
  }

  /// The table with names in place of identifiers.
  func naming(_ names: NameTable) -> ReportTable {
    var table = self
    table.rows = rows.map { row in
      Row(
        section: row.section, title: row.title,
        cells: row.cells.map { cell in
          Cell(
            text: cell.text.map(names.naming), verdict: cell.verdict, reason: names.naming(cell.reason),
            isNotable: cell.isNotable)
        },
        isDifferent: row.isDifferent)
    }
    return table
  }
}
