/// A report as one HTML page with its style and its script: documents side by side, light and dark, made to be printed too.
/// Without the script, the whole table is there.
enum ReportPage {
  static func text(of table: ReportTable) -> String {
    func escaped(_ text: String) -> String { HTMLText.escaped(text) }
    let documents = table.columns.count { !$0.isReference }
    var page = HTMLText.head(title: table.title, style: style, script: script)
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
    return page + "</main>\n<script>\(script)</script>\n</body>\n</html>\n"
  }

  /// A text of a document, whose direction does not reach beyond it.
  private static func bdi(_ text: String) -> String { "<bdi>\(HTMLText.escaped(text))</bdi>" }

  /// A heading, which may break behind the signs in a path.
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

  static let style = """
    :root {
      color-scheme: light dark;
      --back: light-dark(#ffffff, #15181d); --raised: light-dark(#f6f7f9, #1d2128);
      --text: light-dark(#1b1f26, #e7eaef); --faint: light-dark(#59616e, #9aa3b1);
      --line: light-dark(#cfd5dd, #39414d); --accent: light-dark(#0b5fd0, #6cacff);
      --mark: light-dark(#fdeac2, #4d3a10); --bad: light-dark(#9a1d25, #ff9296);
    }
    :root[data-theme="light"] { color-scheme: light; }
    :root[data-theme="dark"] { color-scheme: dark; }
    * { box-sizing: border-box; }
    html, body { height: 100%; margin: 0; }
    body { display: flex; flex-direction: column; background: var(--back); color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
    header { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; padding: 10px 16px; background: var(--raised); border-bottom: 1px solid var(--line); }
    h1 { flex: 1 1 260px; margin: 0; font-size: 17px; overflow-wrap: anywhere; }
    .tools { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
    .tools[hidden], [hidden] { display: none; }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    button, input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 6px; min-height: 32px; padding: 3px 11px; }
    button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--back); }
    output { color: var(--faint); min-width: 90px; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
    main { flex: 1; overflow: auto; min-height: 0; }
    main p { margin: 12px 16px; color: var(--faint); }
    table { border-collapse: separate; border-spacing: 0; min-width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: 6px 12px; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; min-width: 150px; max-width: 420px; }
    thead th { position: sticky; top: 0; z-index: 2; background: var(--raised); }
    th:first-child { position: sticky; left: 0; z-index: 1; background: var(--back); }
    thead th:first-child { z-index: 3; background: var(--raised); }
    .section th { background: var(--raised); font-weight: 600; max-width: none; }
    tr.row th { font-weight: 400; min-width: 220px; }
    .marked { background: var(--mark); }
    .unset, .reference { color: var(--faint); }
    .marked.unset { color: var(--text); font-style: italic; }
    .notable small { color: var(--bad); font-weight: 600; }
    small { display: block; color: var(--faint); font-weight: 400; }
    .marked small { color: var(--text); }
    .marked.notable small { color: var(--bad); }
    @media (max-width: 600px) { th:first-child { position: static; } }
    @media print {
      :root { color-scheme: light; }
      @page { size: landscape; margin: 12mm; }
      html, body { height: auto; display: block; }
      body { font-size: 10px; }
      header { border: 0; padding: 0; }
      .tools { display: none; }
      main { overflow: visible; }
      th, td, thead th, th:first-child { position: static; min-width: 0; padding: 3px 6px; }
      thead { display: table-header-group; }
      tr { break-inside: avoid; }
      .section { break-after: avoid; }
      * { print-color-adjust: exact; }
    }
    """

  static let script = """
    'use strict';
    const byId = id => document.getElementById(id);
    const rows = [...document.querySelectorAll('tr.row')];
    const view = { query: '', differentOnly: false };
    function show() {
      const words = view.query.toLowerCase();
      let count = 0;
      for (const row of rows) {
        const isShown = (!view.differentOnly || row.classList.contains('different'))
          && (!words || row.textContent.toLowerCase().includes(words));
        row.hidden = !isShown;
        count += isShown;
      }
      for (const body of document.querySelectorAll('tbody')) body.hidden = !body.querySelector('tr.row:not([hidden])');
      byId('none').hidden = count > 0;
      byId('count').textContent = count === 1 ? '1 setting' : `${count} settings`;
    }
    byId('query').addEventListener('input', event => { view.query = event.target.value.trim(); show(); });
    byId('different').addEventListener('click', event => {
      view.differentOnly = !view.differentOnly;
      event.target.setAttribute('aria-pressed', view.differentOnly);
      show();
    });
    byId('theme').addEventListener('click', () => {
      const root = document.documentElement;
      const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
      root.dataset.theme = isDark ? 'light' : 'dark';
    });
    document.querySelector('.tools').hidden = false;
    show();
    document.documentElement.dataset.ready = 1;
    """
}
