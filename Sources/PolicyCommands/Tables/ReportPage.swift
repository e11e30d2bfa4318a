import CommandSupport
import PageAssets
import PlainText

/// A report as one HTML page with its style and its script: documents side by side, light and dark, made to be read on a phone
/// and printed too. Without the script, the whole tables are there.
enum ReportPage {
  static func text(of report: Report) -> String {
    var page = HTMLText.head(title: report.title, style: PageAssets.reportStyle, script: PageAssets.reportScript)
    let rows = report.tables.flatMap(\.rows)
    let filters = rows.contains(where: \.isDifferent) && !rows.allSatisfy(\.isDifferent)
    page += """
      <body>
      <header>
      <h1>\(escaped(report.title))</h1>
      <div class="tools" role="toolbar" aria-label="View" hidden>
      <label for="query" class="hidden">Search for a setting or a value</label>
      <input id="query" type="search" placeholder="Search" spellcheck="false" autocomplete="off">
      <button id="different" type="button" aria-pressed="false"\(filters ? "" : " hidden")>\(escaped(report.filter))</button>
      <button id="theme" type="button" aria-label="Light or dark" title="Light or dark">◐</button>
      <output id="count" aria-live="polite"></output>
      </div>
      </header>
      <main tabindex="0" aria-label="Report">

      """
    if !report.summary.isEmpty { page += "<p class=\"summary\">\(escaped(report.summary))</p>\n" }
    page += legend(of: report)
    let short = report.shortPaths
    for table in report.tables { page += Self.table(table, short) }
    page += "<p id=\"none\" hidden>No rows match.</p>\n"
    page += report.notes.map { "<p>\(escaped($0))</p>\n" }.joined()
    return page + "</main>\n<script>\(PageAssets.reportScript)</script>\n</body>\n</html>\n"
  }

  private static func escaped(_ text: String) -> String { HTMLText.escaped(text) }

  /// A text of a document, whose direction does not reach beyond it.
  private static func bdi(_ text: String) -> String { "<bdi>\(escaped(text))</bdi>" }

  // MARK: Colors

  /// What the colors mean that the report has.
  private static func legend(of report: Report) -> String {
    var (notable, marked, isUnset) = ([String](), false, false)
    for row in report.tables.flatMap(\.rows) {
      for cell in row.cells where cell.isNotable && !notable.contains(cell.verdict) { notable.append(cell.verdict) }
      if row.isDifferent, !row.cells.contains(where: \.isNotable) { marked = true }
      if row.cells.contains(where: { $0.text == nil }) { isUnset = true }
    }
    let hasReference = report.tables.contains { $0.columns.contains { $0.role == .reference } }
    let words = notable.filter { !$0.isEmpty }
    let entries = [
      marked ? ("marked", "the documents differ, or this one from most") : nil,
      notable.isEmpty ? nil : ("marked notable", words.isEmpty ? report.attention : words.joined(separator: ", ")),
      hasReference ? ("reference", "what the documents are compared with") : nil,
      isUnset ? ("unset", "not configured") : nil,
    ].compactMap(\.self)
    guard !entries.isEmpty else { return "" }
    let items = entries.map { "<li><span class=\"\($0.0)\"><small>Aa</small></span> \(escaped($0.1))</li>" }
    return "<ul class=\"legend\" aria-label=\"Colors\">\(items.joined())</ul>\n"
  }

  // MARK: Tables

  private static func table(_ table: ReportTable, _ short: [String: String]) -> String {
    var text = "<section>\n"
    if !table.title.isEmpty {
      let documents = table.columns.count { $0.role == .document }
      text += "<h2>\(escaped(table.title)) <small>\(documents.counted("document"))</small></h2>\n"
    }
    text += "<table>\n<thead><tr><th scope=\"col\">\(escaped(table.subject))</th>"
    text += table.columns.map { heading($0, short) }.joined() + "</tr></thead>\n"
    for (heading, rows) in table.sections {
      text += "<tbody>"
      if !heading.isEmpty {
        text +=
          "<tr class=\"section\"><th scope=\"rowgroup\" colspan=\"\(table.columns.count + 1)\"><span>\(escaped(heading))</span></th></tr>\n"
      }
      text += rows.map { row($0, table.columns) }.joined() + "</tbody>\n"
    }
    return text + "</table>\n</section>\n"
  }

  /// A heading of at most three lines, each with the whole text as its tooltip.
  private static func heading(_ column: ReportTable.Column, _ short: [String: String]) -> String {
    let (name, path) = column.heading(short)
    let details = column.details.joined(separator: "; ")
    let whole = [name, path.isEmpty ? "" : column.path, details].filter { !$0.isEmpty }.joined(separator: "\n")
    let tooltip = column.name.isEmpty ? [column.key, details].filter { !$0.isEmpty }.joined(separator: "\n") : whole
    let below = [path, details].filter { !$0.isEmpty }
    let kind = column.role == .document ? "" : " class=\"\(column.role)\""
    return
      "<th scope=\"col\"\(kind) title=\"\(escaped(tooltip))\"><div class=\"name lines\(3 - below.count)\">\(bdi(name))</div>"
      + below.map { "<small>\(bdi($0))</small>" }.joined() + "</th>"
  }

  private static func row(_ row: ReportTable.Row, _ columns: [ReportTable.Column]) -> String {
    // Where cells ask for attention, they alone are marked; otherwise those that are not like most.
    let isNotable = row.cells.contains(where: \.isNotable)
    let usual = isNotable ? nil : usual(zip(columns, row.cells).filter { $0.0.role == .document }.map(\.1))
    let cells = zip(columns, row.cells).map { column, cell in
      let isOdd = isNotable ? cell.isNotable : column.role != .reference && usual != .some(cell.text)
      return Self.cell(column, cell, isMarked: row.isDifferent && isOdd)
    }
    return "<tr class=\"row\(row.isDifferent ? " different" : "")\"><th scope=\"row\">\(bdi(row.title))</th>"
      + cells.joined() + "</tr>\n"
  }

  /// What more than half of the documents say; `nil` if they do not agree so far.
  private static func usual(_ cells: [ReportTable.Cell]) -> String?? {
    Dictionary(cells.map { ($0.text, 1) }, uniquingKeysWith: +).first { 2 * $0.value > cells.count }?.key
  }

  private static func cell(_ column: ReportTable.Column, _ cell: ReportTable.Cell, isMarked: Bool) -> String {
    let classes = [
      isMarked ? "marked" : nil, column.role == .document ? nil : "\(column.role)", cell.isNotable ? "notable" : nil,
      cell.text == nil ? "unset" : nil,
    ]
    let named = classes.compactMap(\.self).joined(separator: " ")
    let about = cell.about.isEmpty ? "" : "<small>\(escaped(cell.about))</small>"
    return "<td\(named.isEmpty ? "" : " class=\"\(named)\"")>\(bdi(cell.text ?? ReportTable.unset))\(about)</td>"
  }
}
