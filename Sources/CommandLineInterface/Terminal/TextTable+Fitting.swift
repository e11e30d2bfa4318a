extension TextTable {
  /// The narrowest width, in columns, to which text beside other columns is wrapped.
  private static let narrowestText = 32
  /// The narrowest width to which a column is reduced.
  private static let narrowestColumn = 8

  /// The table in lines of at most `width` columns, as far as words allow; the same as ``lines(style:)`` if that fits.
  ///
  /// The last column of words wraps within itself. If the table is still too wide, its columns are narrowed, widest
  /// first: a cell wider than its column gets a separate line, with the rest of its row below. Nothing is omitted and
  /// no word is split.
  public func lines(style: Style = .plain, width: Int?) -> [String] {
    let (all, widths) = measured
    guard let width, total(widths) > width, let text = columns.lastIndex(where: { $0.alignment == .left }) else {
      return lines(style: style)
    }
    let layout = Layout(
      columns: columns, widths: fitted(widths, to: width, text), text: text, width: width, style: style)
    return all.flatMap(layout.lines)
  }

  private func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * max(widths.count - 1, 0) }

  /// Narrows the text column, then the columns of words before it, until everything fits.
  private func fitted(_ natural: [Int], to width: Int, _ text: Int) -> [Int] {
    var widths = natural
    widths[text] = max(min(natural[text], Self.narrowestText), natural[text] - (total(widths) - width))
    while total(widths) > width {
      let others = widths.indices.filter { $0 < text && columns[$0].alignment == .left }
      guard let widest = others.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.narrowestColumn else {
        break
      }
      widths[widest] -= 1
    }
    widths[text] = max(min(widths[text], Self.narrowestColumn), widths[text] - max(total(widths) - width, 0))
    return widths
  }

  /// The layout of rows whose cells are wider than their columns.
  private struct Layout {
    let columns: [TextColumn]
    let widths: [Int]
    /// The column whose text wraps.
    let text: Int
    let width: Int
    let style: Style

    func lines(_ row: [TextCell]) -> [String] {
      var lines: [String] = []
      // The cells of the current line; earlier cells are on separate lines.
      var cells = [TextCell](repeating: "", count: row.count)
      for (index, cell) in row.enumerated() {
        guard index < text, TerminalText.width(of: cell.text) > widths[index] else {
          cells[index] = cell
          continue
        }
        cells[index] = cell
        lines.append(line(Array(cells[...index])))
        cells = [TextCell](repeating: "", count: row.count)
      }
      guard row.indices.contains(text) else {
        return cells.contains { !$0.text.isEmpty } ? lines + [line(cells)] : lines
      }
      let start = widths[..<text].reduce(0, +) + 2 * text
      let widest = row[text].text.split(separator: " ").map { TerminalText.width(of: String($0)) }.max() ?? 0
      // A word wider than the column begins further left, below what precedes it.
      let indent = widest <= widths[text] ? start : max(0, min(start, width - widest))
      let room = indent == start ? widths[text] : width - indent
      var pieces = TerminalText.wrapped(row[text].text, to: room)[...]
      cells[text] = TextCell(indent == start ? pieces.removeFirst() : "", row[text].attributes)
      if cells.contains(where: { !$0.text.isEmpty }) { lines.append(line(cells)) }
      let margin = String(repeating: " ", count: indent)
      return lines + pieces.map { margin + style.apply(row[text].attributes, to: $0) }
    }

    private func line(_ cells: [TextCell]) -> String {
      TextTable.line(cells, columns: columns, widths: widths, style: style)
    }
  }
}
