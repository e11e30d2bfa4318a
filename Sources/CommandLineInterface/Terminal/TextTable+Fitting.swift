extension TextTable {
  /// The least columns that text is wrapped to beside others, where it needs more.
  private static let narrowestText = 32
  /// The least columns that a column is narrowed to.
  private static let narrowestColumn = 8

  /// The table as lines of at most `width` columns, where words allow it; as ``lines(style:)`` gives it where that
  /// fits.
  ///
  /// The last column of words wraps under itself. What is then still too wide is narrowed from the widest on: a cell
  /// that is wider than its column stands alone on its line, and the rest of its row below. Nothing is left out and no
  /// word is split.
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

  /// Narrows the text, and then the columns of words before it, until all fit.
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

  /// How rows are laid out in columns that are narrower than their cells.
  private struct Layout {
    let columns: [TextColumn]
    let widths: [Int]
    /// The column whose text wraps.
    let text: Int
    let width: Int
    let style: Style

    func lines(_ row: [TextCell]) -> [String] {
      var lines: [String] = []
      // The cells of the line that is being filled; those before it stand on lines of their own.
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
      // A word that is wider than the column begins further to the left, below what stands before it.
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
