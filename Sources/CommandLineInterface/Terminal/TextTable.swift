/// Rows of cells in columns that are as wide as their widest cell.
///
/// ```swift
/// var table = TextTable([TextColumn("seq", .right), TextColumn("event")])
/// table.append(["41", "enrollment.succeeded"])
/// table.append(["9,112", "wipe.requested"])
/// table.lines()
/// //   seq  event
/// //    41  enrollment.succeeded
/// // 9,112  wipe.requested
/// ```
///
/// A table stores all rows. To print lines as they are read, with known widths, use ``line(_:columns:widths:style:)``.
public struct TextTable: Equatable, Sendable {
  /// The columns from left to right.
  public let columns: [TextColumn]
  /// The rows from top to bottom.
  public private(set) var rows: [[TextCell]] = []

  /// Starts without rows.
  public init(_ columns: [TextColumn]) {
    self.columns = columns
  }

  /// Adds a row. Missing cells are empty; cells beyond the last column are dropped.
  public mutating func append(_ cells: [TextCell]) {
    rows.append(Array(cells.prefix(columns.count)))
  }

  /// The table as lines: a line of titles, unless all are empty, then the rows. Two spaces separate the columns; no
  /// line ends in a space.
  public func lines(style: Style = .plain) -> [String] {
    let (all, widths) = measured
    return all.map { Self.line($0, columns: columns, widths: widths, style: style) }
  }

  /// The rows, preceded by the titles unless all are empty, and the widths of the columns.
  var measured: (rows: [[TextCell]], widths: [Int]) {
    let titles = columns.map { TextCell($0.title, [.bold]) }
    let all = titles.allSatisfy(\.text.isEmpty) ? rows : [titles] + rows
    var widths = [Int](repeating: 0, count: columns.count)
    for row in all {
      for (index, cell) in row.enumerated() {
        let width = TerminalText.width(of: cell.text)
        widths[index] = max(widths[index], min(width, columns[index].maximumWidth ?? .max))
      }
    }
    return (all, widths)
  }

  /// One line of cells in columns of given widths, for output that is not collected first.
  ///
  /// A cell wider than its column pushes the rest of its line to the right. The line ends with the last of `cells`,
  /// `columns` and `widths`, and never in a space.
  public static func line(
    _ cells: [TextCell], columns: [TextColumn], widths: [Int], style: Style = .plain
  ) -> String {
    var line = ""
    var pending = ""
    let count = min(cells.count, columns.count, widths.count)
    for (index, ((cell, column), width)) in zip(zip(cells, columns), widths).enumerated() {
      let text = cell.text
      // Nothing follows the last cell, so it need not be padded, and measuring long text is the most expensive step.
      let needsFill = column.alignment == .right || index < count - 1
      let fill = needsFill ? String(repeating: " ", count: max(0, width - TerminalText.width(of: text))) : ""
      if column.alignment == .right { pending += fill }
      if !text.isEmpty {
        line += pending + style.apply(cell.attributes, to: text)
        pending = ""
      }
      if column.alignment == .left { pending += fill }
      pending += "  "
    }
    return line
  }
}

/// One column of a ``TextTable``, or of lines printed one by one.
public struct TextColumn: Equatable, Sendable {
  /// The heading; may be empty.
  public var title: String
  /// The alignment of its cells.
  public var alignment: TerminalText.Alignment
  /// The width up to which later columns stay aligned; a wider cell pushes the rest of its line to the right. `nil` for
  /// no limit.
  public var maximumWidth: Int?

  /// Left-aligned and of unlimited width by default.
  public init(_ title: String, _ alignment: TerminalText.Alignment = .left, maximumWidth: Int? = nil) {
    self.title = title
    self.alignment = alignment
    self.maximumWidth = maximumWidth
  }
}

/// One cell of a ``TextTable``: text and its style. A string literal is a cell without attributes.
///
/// Control characters are escaped when the cell is created, so a table never prints one.
public struct TextCell: Equatable, Sendable, ExpressibleByStringInterpolation {
  /// The text printed, without escape sequences.
  public let text: String
  /// How the text is highlighted if styles are on.
  public let attributes: [Style.Attribute]

  /// Escapes control characters in `text`.
  public init(_ text: String, _ attributes: [Style.Attribute] = []) {
    self.text = TerminalText.visible(text)
    self.attributes = attributes
  }

  /// A cell without attributes.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}
