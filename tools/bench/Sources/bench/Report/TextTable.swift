/// Columns of text that line up; the first is left-aligned, the others are right-aligned.
struct TextTable {
  private var rows: [[String]] = []

  /// Adds a row of cells.
  mutating func add(_ cells: [String]) {
    rows.append(cells)
  }

  /// Adds an empty line.
  mutating func addGap() {
    rows.append([])
  }

  var text: String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += column == 0 ? cell + padding : "  " + padding + cell
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
