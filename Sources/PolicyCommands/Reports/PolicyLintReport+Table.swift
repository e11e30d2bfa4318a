import CommandLineInterface
import CommandSupport
import PlainText
import PolicyDocuments

/// What lint finds, as a report has it: a row for each rule and setting, a column for each document with findings.
struct LintTables {
  /// A finding with the severity that the profile gives it.
  typealias Shown = (finding: PolicyFinding, severity: PolicyRule.Severity)

  /// Where a document lies.
  struct Place: Hashable {
    let file: String
    /// The document within the file; empty if it is the file.
    let path: String

    var text: String { path.isEmpty ? file : "\(file): \(path)" }
  }

  /// A row of a table.
  private struct Key: Hashable {
    let severity: PolicyRule.Severity
    let rule: String
    let setting: String
  }

  /// The documents of one kind.
  private struct Kind {
    let title: String
    var columns: [ReportTable.Column] = []
    /// Of each document, what was found by row.
    var found: [[Key: [PolicyFinding]]] = []
    /// The rows, in the order in which documents bring them.
    var keys: [Key] = []
    private var known: Set<Key> = []

    init(title: String) { self.title = title }

    mutating func add(_ column: ReportTable.Column, _ findings: [Shown]) {
      var own: [Key: [PolicyFinding]] = [:]
      for (finding, severity) in findings {
        let key = Key(severity: severity, rule: finding.rule.id, setting: finding.setting)
        if known.insert(key).inserted { keys.append(key) }
        own[key, default: []].append(finding)
      }
      columns.append(column)
      found.append(own)
    }
  }

  private var kinds: [Kind] = []
  /// The heading of every document, with findings of its own or without.
  private var columns: [Place: ReportTable.Column] = [:]
  /// What only several documents show, beside the one that it is about: the documents in the order of their findings.
  private var shared: [(place: Place, findings: [Shown])] = []
  /// Where each document stands among them.
  private var sharedIndices: [Place: Int] = [:]

  /// Adds the findings of a document.
  mutating func add(_ column: ReportTable.Column, at place: Place, of title: String, _ findings: [Shown]) {
    columns[place] = column
    guard !findings.isEmpty else { return }
    let index = kinds.firstIndex { $0.title == title } ?? kinds.endIndex
    if index == kinds.endIndex { kinds.append(Kind(title: title)) }
    kinds[index].add(column, findings)
  }

  /// Adds the findings in the app configurations of a file.
  mutating func add(
    configurations input: PolicyInput, _ findings: [Shown], _ context: CommandContext
  ) {
    let documents = input.others.filter { if case .appConfiguration = $0 { true } else { false } }
    guard !documents.isEmpty || !findings.isEmpty else { return }
    let column =
      documents.count == 1
      ? PolicyReport.column(of: documents[0], at: input.name, context)
      : ReportTable.Column(name: "", path: TerminalText.visible(input.name))
    add(column, at: Place(file: input.name, path: ""), of: "App configurations", findings)
  }

  /// Adds what only several documents show, beside the one that it is about.
  mutating func add(shared findings: [Shown], at place: Place) {
    guard !findings.isEmpty else { return }
    if let index = sharedIndices[place] {
      shared[index].findings += findings
    } else {
      sharedIndices[place] = shared.count
      shared.append((place, findings))
    }
  }

  /// Whether something was found about a document that only several documents show.
  func hasShared(at place: Place) -> Bool { sharedIndices[place] != nil }

  /// The report.
  ///
  /// - Parameter clean: How many documents have no findings.
  func report(_ summary: String, clean: Int) -> Report {
    var together = Kind(title: "Documents together")
    for (place, findings) in shared {
      together.add(columns[place] ?? ReportTable.Column(name: "", path: TerminalText.visible(place.text)), findings)
    }
    return Report(
      title: "Findings", summary: summary, tables: (shared.isEmpty ? kinds : kinds + [together]).map(Self.table),
      notes: clean == 0 ? [] : ["\(clean.counted("document has", "documents have")) no findings."],
      filter: "Without notes", attention: "error or warning")
  }

  private static func table(_ kind: Kind) -> ReportTable {
    var table = ReportTable(title: kind.title, subject: "Setting and rule", columns: kind.columns)
    for severity in PolicyRule.Severity.allCases {
      table.rows += kind.keys.filter { $0.severity == severity }.map { key in
        ReportTable.Row(
          section: severity.rawValue.prefix(1).uppercased() + severity.rawValue.dropFirst() + "s",
          title: TerminalText.visible("\(key.setting) [\(key.rule)]"),
          cells: kind.found.map { found in found[key].map { cell($0, severity) } ?? .blank },
          isDifferent: severity != .note)
      }
    }
    return table
  }

  private static func cell(_ findings: [PolicyFinding], _ severity: PolicyRule.Severity) -> ReportTable.Cell {
    func joined(_ texts: [String]) -> String {
      var known: Set<String> = []
      return TerminalText.visible(texts.filter { known.insert($0).inserted }.joined(separator: "; "))
    }
    return ReportTable.Cell(
      text: joined(findings.map(\.message)), reason: joined(findings.map(\.remedy)), isNotable: severity != .note)
  }
}
