import AppProtection
import CommandLineInterface
import CommandSupport
import PolicyDocuments
import ProtectionSupport

/// Documents as a report has them, side by side.
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

  private var columns: [ReportTable.Column] = []
  private var keys: [Key] = []
  private var known: Set<Key> = []
  /// Of each document, the settings that it can have.
  private var values: [[Key: Value]] = []

  var isEmpty: Bool { columns.isEmpty }

  /// Adds a document: of a policy, every setting of its platform in the order of the portal, set or not.
  mutating func add(_ title: String, details: [String], _ new: [Value]) {
    columns.append(ReportTable.Column(title: TerminalText.visible(title), details: details))
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

  /// The table.
  ///
  /// - Parameter includesUnset: Whether to include settings that no document has.
  func table(_ title: String, includesUnset: Bool, _ context: CommandContext) -> ReportTable {
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
            guard let value else { return .outOfPlace }
            return ReportTable.Cell(
              text: value.value.map { PolicyReport.shown($0, context) } ?? (value.isUnknown ? ReportTable.unknown : nil)
            )
          }, isDifferent: Set(found.map { $0?.isUnknown == true ? ReportTable.unknown : $0?.value?.words }).count > 1))
    }
    if unset > 0 { table.notes.append("\(unset) settings are not configured in any of the documents.") }
    return table
  }
}

extension PolicyReport {
  /// Prints the documents as a report.
  static func run(_ words: [String], as report: ReportInput, _ context: CommandContext) -> ExitCode {
    var documents = DocumentTable()
    let inputs = PolicyInputs(words, context) { input, _ in
      input.noteUnknown(context)
      for item in input.policies {
        documents.add(
          [input.name, item.path].filter { !$0.isEmpty }.joined(separator: ": "), details: details(of: item, context),
          values(of: item, context))
      }
      for (document, lost) in zip(input.others, input.lostInOthers) {
        documents.add(
          input.name, details: [document.kindName],
          rows(of: document, lost).map {
            .init(section: document.kindName, title: shownName($0.title, context), value: $0.shown)
          })
      }
    }
    JournalSeeking.note(inputs.journals, in: context)
    if let skipped = inputs.skippedText, !inputs.namesRefusals { context.note(skipped) }
    if !documents.isEmpty {
      let table = documents.table("Policies", includesUnset: context.arguments.flag("all"), context)
      report.print(table, to: context)
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

  /// What the heading of a policy says of it.
  static func details(of item: PolicyFile.Item, _ context: CommandContext) -> [String] {
    [
      name(of: item.policy).map { shown($0, context) },
      item.isFromDevice ? "from a device" : nil,
    ].compactMap(\.self)
  }
}
