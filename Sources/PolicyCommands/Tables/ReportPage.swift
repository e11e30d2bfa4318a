import CommandSupport
import PageAssets

/// A report as one HTML page with its style and its script: documents side by side, light and dark, made to be printed too.
/// Without the script, the whole table is there.
enum ReportPage {
  static func text(of table: ReportTable) -> String {
    func escaped(_ text: String) -> String { HTMLText.escaped(text) }
    let documents = table.columns.count { !$0.isReference }
    var page = HTMLText.head(title: table.title, style: PageAssets.reportStyle, script: PageAssets.reportScript)
    page += """
      <body>
      <header>
      <h1>\(escaped(table.title))</h1>
      <div class="tools" role="toolbar" aria-label="View" hidden>
      <label for="query" class="hidden">Search for a setting or a value</label>
      <input id="query" type="search" placeholder="Search" spellcheck="false" autocomplete="off">
      <button id="different" type="button" aria-pressed="false"\(documents > 1 || table.rows.contains(where: \.isDifferent) ? "" : " hidden")>Differences only</button>
      <button id="theme" type="button" aria-label="Light or dark" title="Light or dark">◐</button>
      <output id="count" aria-live="polite"></output>
      </div>
      </header>
      <main tabindex="0" aria-label="Table">
      <table>
      <thead><tr><th scope="col">Setting</th>
      """
    for column in table.columns {
      page += "<th scope=\"col\"\(column.isReference ? " class=\"reference\"" : "")>\(heading(column.title))"
      page += column.details.map { "<small>\(escaped($0))</small>" }.joined() + "</th>"
    }
    page += "</tr></thead>\n"
    var section: String?
    for row in table.rows {
      if row.section != section {
        if section != nil { page += "</tbody>\n" }
        page +=
          "<tbody><tr class=\"section\"><th scope=\"rowgroup\" colspan=\"\(table.columns.count + 1)\">\(escaped(row.section))</th></tr>\n"
        section = row.section
      }
      page += "<tr class=\"row\(row.isDifferent ? " different" : "")\"><th scope=\"row\">\(escaped(row.title))</th>"
      // Where cells ask for attention, they alone are marked; otherwise the whole row is.
      let isNotable = row.cells.contains(where: \.isNotable)
      page += zip(table.columns, row.cells).map { column, cell in
        Self.cell(column, cell, isMarked: row.isDifferent && !column.isReference && (cell.isNotable || !isNotable))
      }.joined()
      page += "</tr>\n"
    }
    page += "\(section == nil ? "" : "</tbody>")</table>\n<p id=\"none\" hidden>No setting is like that.</p>\n"
    page += table.notes.map { "<p>\(escaped($0))</p>\n" }.joined()
    return page + "</main>\n<script>\(PageAssets.reportScript)</script>\n</body>\n</html>\n"
  }

  /// A text of a document, whose direction does not reach beyond it.
  private static func bdi(_ text: String) -> String { "<bdi>\(HTMLText.escaped(text))</bdi>" }

  /// A heading, which may break after the signs in a path.
  private static func heading(_ text: String) -> String {
    let breaking = ["/", "_"].reduce(HTMLText.escaped(text)) { $0.replacing($1, with: $1 + "<wbr>") }
    return "<bdi>\(breaking)</bdi>"
  }

  private static func cell(_ column: ReportTable.Column, _ cell: ReportTable.Cell, isMarked: Bool) -> String {
    let classes = [
      isMarked ? "marked" : nil,
      column.isReference ? "reference" : nil, cell.isNotable ? "notable" : nil, cell.text == nil ? "unset" : nil,
    ]
    let named = classes.compactMap(\.self).joined(separator: " ")
    var text = bdi(cell.text ?? ReportTable.unset)
    let about = [cell.verdict, cell.reason].filter { !$0.isEmpty }.joined(separator: ": ")
    if !about.isEmpty { text += "<small>\(HTMLText.escaped(about))</small>" }
    return "<td\(named.isEmpty ? "" : " class=\"\(named)\"")>\(text)</td>"
  }
}
