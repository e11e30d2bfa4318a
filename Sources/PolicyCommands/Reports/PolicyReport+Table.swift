import AppProtection
import CommandLineInterface
import CommandSupport
import PlainText
import PolicyDocuments
import ProtectionSupport

/// Documents of one kind as a report has them, side by side.
struct DocumentTable {
  /// A setting of a document.
  struct Value {
    let section: String
    let title: String
    /// What it says; `nil` where the document does not have it.
    let value: PortalValue?
    /// Whether it is lost, unreadable, or left out by the exporting program.
    var isUnknown = false
  }

  /// What settings are known by, in the order in which documents bring them.
  private struct Key: Hashable {
    let section: String
    let title: String
    /// Documents may have one title several times.
    let number: Int
  }

  /// What the documents are.
  let title: String
  private var columns: [ReportTable.Column] = []
  private var keys: [Key] = []
  private var known: Set<Key> = []
  /// Of each document, the settings that it can have.
  private var values: [[Key: Value]] = []

  init(_ title: String) { self.title = title }

  /// Adds a document: of a policy, every setting of its platform in the order of the portal, set or not.
  mutating func add(_ column: ReportTable.Column, _ new: [Value]) {
    columns.append(column)
    var counts: [String: Int] = [:]
    var own: [Key: Value] = [:]
    for entry in new {
      let number = counts["\(entry.section)\n\(entry.title)", default: 0]
      counts["\(entry.section)\n\(entry.title)"] = number + 1
      let key = Key(section: entry.section, title: entry.title, number: number)
      if known.insert(key).inserted { keys.append(key) }
      own[key] = entry
    }
    values.append(own)
  }

  /// The table, and how many settings it leaves out, because no document has them.
  ///
  /// - Parameter includesUnset: Whether to include these too.
  func table(includesUnset: Bool, _ context: CommandContext) -> (table: ReportTable, unset: Int) {
    var table = ReportTable(title: title, columns: columns)
    var unset = 0
    // Settings of one section stand together, whichever document brought them.
    var sections: [String] = []
    for key in keys where !sections.contains(key.section) { sections.append(key.section) }
    for key in sections.flatMap({ section in keys.filter { $0.section == section } }) {
      let found = values.map { $0[key] }
      guard includesUnset || found.contains(where: { $0?.value != nil || $0?.isUnknown == true }) else {
        unset += 1
        continue
      }
      table.rows.append(
        ReportTable.Row(
          section: key.section, title: TerminalText.visible(key.title),
          cells: found.map { value in
            ReportTable.Cell(
              text: value?.value.map { PolicyReport.shown($0, context) }
                ?? (value?.isUnknown == true ? ReportTable.unknown : nil))
          }, isDifferent: Set(found.map { $0?.isUnknown == true ? ReportTable.unknown : $0?.value?.words }).count > 1))
    }
    return (table, unset)
  }
}

extension PolicyReport {
  /// Prints the documents as a report.
  static func run(_ words: [String], as report: ReportInput, _ context: CommandContext) -> ExitCode {
    var tables: [DocumentTable] = []
    func add(_ column: ReportTable.Column, to title: String, _ values: [DocumentTable.Value]) {
      let place = tables.firstIndex { $0.title == title } ?? tables.endIndex
      if place == tables.endIndex { tables.append(DocumentTable(title)) }
      tables[place].add(column, values)
    }
    let inputs = PolicyInputs(words, context) { input, _ in
      input.noteUnknown(context)
      for item in input.policies {
        add(
          column(of: item, at: [input.name, item.path].filter { !$0.isEmpty }.joined(separator: ": "), context),
          to: item.policy.kind.platform.rawValue, values(of: item, context))
      }
      for (document, lost) in zip(input.others, input.lostInOthers) {
        add(
          column(of: document, at: input.name, context), to: document.kindName,
          rows(of: document, lost).map {
            .init(section: document.kindName, title: shownName($0.title, context), value: $0.shown)
          })
      }
    }
    JournalSeeking.note(inputs.journals, in: context)
    if let skipped = inputs.skippedText, !inputs.namesRefusals { context.note(skipped) }
    if !tables.isEmpty {
      let made = tables.map { $0.table(includesUnset: context.arguments.flag("all"), context) }
      let notes = made.compactMap { table, unset in
        unset == 0
          ? nil : "\(table.title): \(unset.counted("setting is", "settings are")) not configured in any document."
      }
      report.print(Report(title: "Policies", tables: made.map(\.table), notes: notes), to: context)
    }
    return inputs.exitCode
  }

  private static func values(of item: PolicyFile.Item, _ context: CommandContext) -> [DocumentTable.Value] {
    let policy = item.policy
    let platform = policy.kind.platform
    return PortalSetting.all(on: platform).map {
      let value = $0.value(in: policy)
      return .init(
        section: platform.heading(of: $0.group), title: $0.title, value: value,
        isUnknown: value == nil && item.isUnknown($0))
    }
      + otherMembers(of: policy).map {
        .init(section: "Other members", title: shownName($0.name, context), value: PortalValue($0))
      }
  }

  /// The heading of a policy.
  ///
  /// - Parameter place: The file and the place in it.
  static func column(
    of item: PolicyFile.Item, at place: String, number: Int? = nil, details: [String] = [], _ context: CommandContext
  ) -> ReportTable.Column {
    ReportTable.Column(
      name: name(of: item.policy).map { shown($0, context) } ?? "", path: TerminalText.visible(place), number: number,
      details: (item.isFromDevice ? ["from a device"] : []) + details)
  }

  /// The heading of another document.
  static func column(
    of document: ManagementDocument, at place: String, _ context: CommandContext
  ) -> ReportTable.Column {
    ReportTable.Column(
      name: name(of: document).map { shown($0, context) } ?? "", path: TerminalText.visible(place))
  }
}
