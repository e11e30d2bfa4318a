/// A report of documents side by side, whatever they are. Every form of a report is made from it.
struct Report {
  let title: String
  /// What it comes to, in one sentence; empty without one.
  var summary = ""
  /// One for each platform, so that no document stands beside settings that it cannot have.
  var tables: [ReportTable] = []
  /// Sentences below the tables.
  var notes: [String] = []
  /// What the switch of a page leaves.
  var filter = "Differences only"
  /// Why a cell asks for attention, where no verdict says it.
  var attention = "undecided"

  /// The report with names in place of identifiers.
  func naming(_ names: NameTable) -> Report {
    guard !names.isEmpty else { return self }
    var report = self
    report.tables = tables.map { $0.naming(names) }
    return report
  }

  /// Of each path in the headings, the shortest end that no other has.
  var shortPaths: [String: String] {
    var short: [String: String] = [:]
    var left = Set(tables.flatMap(\.columns).map(\.path)).map { (path: $0, parts: Self.parts(of: $0)) }
    var count = 1
    while !left.isEmpty {
      let ends = left.map { $0.parts.suffix(count).joined(separator: "/") }
      let counts = Dictionary(ends.map { ($0, 1) }, uniquingKeysWith: +)
      let isDone = zip(left, ends).map { $0.parts.count <= count || counts[$1] == 1 }
      for ((entry, end), isDone) in zip(zip(left, ends), isDone) where isDone { short[entry.path] = end }
      left = zip(left, isDone).filter { !$0.1 }.map(\.0)
      count += 1
    }
    return short
  }

  /// The folders of a path and its file. Where a document lies within a file belongs to the file.
  private static func parts(of path: String) -> [String] {
    let place = path.firstRange(of: ": ")?.lowerBound ?? path.endIndex
    let parts = path[..<place].split(separator: "/").map(String.init)
    guard let file = parts.last else { return [path] }
    return parts.dropLast() + [file + path[place...]]
  }
}

/// The forms of a report.
enum ReportFormat: String, CaseIterable {
  case markdown
  case csv
  case html

  /// A report in this form.
  func text(of report: Report) -> String {
    switch self {
    case .markdown: MarkdownReport.text(of: report)
    case .csv: CSVReport.text(of: report)
    case .html: ReportPage.text(of: report)
    }
  }
}
