import AppProtection
import CommandLineInterface
import CommandSupport
import PolicyDocuments
import ProtectionSupport

/// What `pj policy diff` prints of two exports, or of a file with several documents and an export: which documents differ,
/// setting by setting, and which only one of the two has.
///
/// Documents belong together if they have the same type and id, or else the same type and name. What tells one tenant or one
/// export from another is not compared: ids, revisions and dates, the ids of assignments, and order.
struct PolicyExportDiffReport {
  /// A document that is compared.
  private struct Entry {
    let file: String
    let type: String
    let id: String?
    let name: PortalValue?
    let content: Content

    enum Content {
      case policy(PolicyFile.Item)
      case configuration(AppConfigurationDocument, lost: Set<String>)
    }
  }

  /// One of the two inputs.
  private struct Side {
    let word: String
    /// Whether it is a folder, an archive or a list, rather than one document.
    let isExport: Bool
    var entries: [Entry] = []
    var inputs: PolicyInputs
  }

  private let context: CommandContext
  private let sides: (Side, Side)

  /// Reads the two inputs.
  init(_ words: [String], _ context: CommandContext) {
    self.context = context
    context.begin(PolicyDiffReport.records, (Self.shown(words[0], context), Self.shown(words[1], context)))
    sides = (Self.side(words[0], context), Self.side(words[1], context))
  }

  /// Whether a word names a folder or an archive rather than a file or a journal.
  static func isExport(_ word: String) -> Bool {
    switch Platform.kind(of: word) {
    case .folder, .linkToFolder: !JournalPath.isJournal(word)
    case .file, .other, nil:
      Platform.beginning(of: word, count: 512).map(ArchiveInput.mayBeArchive) ?? false
    }
  }

  private static func shown(_ word: String, _ context: CommandContext) -> String { context.redaction.shown(path: word) }

  private static func side(_ word: String, _ context: CommandContext) -> Side {
    var entries: [Entry] = []
    var isExport = false
    let inputs = PolicyInputs([word], context) { input, inputs in
      isExport = isExport || input.isFromExport
      for item in input.policies {
        entries.append(
          Entry(
            file: input.name, type: item.policy.kind.rawValue, id: item.policy.about.id,
            name: PolicyReport.name(of: item.policy), content: .policy(item)))
      }
      input.noteUnknown(context)
      for (document, lost) in zip(input.others, input.lostInOthers) {
        guard case .appConfiguration(let configuration) = document else {
          inputs.skip(document.kindName)
          continue
        }
        entries.append(
          Entry(
            file: input.name, type: configuration.channel.rawValue, id: configuration.id,
            name: document.rows.first { $0.title == "Name" }?.shown, content: .configuration(configuration, lost: lost))
        )
      }
    }
    return Side(
      word: shown(word, context), isExport: isExport || entries.count > 1, entries: entries,
      inputs: inputs)
  }

  // MARK: Pairs

  /// The documents that belong together, and those of which only one of the two has any, in the order of the inputs.
  private var pairs: [Pair] {
    let (first, second) = (sides.0.entries, sides.1.entries)
    var partners: [Int: Int] = [:]
    var taken: Set<Int> = []
    let rules: [(Entry, Entry) -> Bool] = [
      { $0.id != nil && $0.id == $1.id }, { $0.name != nil && $0.name?.words == $1.name?.words },
    ]
    for belongTogether in rules {
      for index in first.indices where partners[index] == nil {
        guard
          let other = second.indices.first(where: {
            !taken.contains($0) && second[$0].type == first[index].type && belongTogether(first[index], second[$0])
          })
        else { continue }
        partners[index] = other
        taken.insert(other)
      }
    }
    let old = first.indices.map { (before: Entry?.some(first[$0]), after: partners[$0].map { second[$0] }) }
    return old + second.indices.filter { !taken.contains($0) }.map { (before: nil, after: second[$0]) }
  }

  private typealias Outcome = PolicyDiffReport.Outcome
  private typealias Pair = (before: Entry?, after: Entry?)

  // MARK: Printing

  /// Prints the comparison.
  ///
  /// - Parameter report: The report to print instead of lines.
  func run(_ report: ReportInput?) -> ExitCode {
    var tables = Tables()
    var counts: [Outcome: Int] = [:]
    var total = 0
    var unasked = 0
    for pair in pairs {
      // A file says how some documents of an export should be, and nothing of the others.
      if pair.before == nil, !sides.0.isExport {
        unasked += 1
        continue
      }
      let changes = pair.before.flatMap { before in pair.after.map { Self.changes(before, $0, context) } } ?? []
      let outcome: Outcome =
        pair.before == nil ? .added : pair.after == nil ? .missing : changes.isEmpty ? .same : .differs
      counts[outcome, default: 0] += 1
      total += changes.count
      if let before = pair.before, let after = pair.after, case .policy(let one) = before.content,
        case .policy(let other) = after.content
      {
        PolicyDiffReport.noteLosses((one, other), [before.file, after.file], context)
      }
      if report == nil {
        print(pair, outcome, changes, number: counts.values.reduce(0, +))
      } else {
        add(pair, outcome, changes, to: &tables)
      }
    }
    let trouble = ExitCode.worst(sides.0.inputs.exitCode, sides.1.inputs.exitCode)
    let isSame = counts[.same, default: 0] == counts.values.reduce(0, +)
    // Nothing was compared: that is no answer.
    let judged = ExitCode.worst(trouble, pairs.isEmpty ? .unreadable : .done)
    let code: ExitCode = judged != .done ? judged : isSame ? .done : .different
    for side in [sides.0, sides.1] {
      if let skipped = side.inputs.skippedText { context.note("\(side.word): \(skipped)") }
    }
    if unasked > 0 { context.note("\(sides.1.word): \(unasked) other documents were not asked for") }
    if let report {
      report.print(tables.report(conclusion(counts) + "."), to: context)
    } else {
      context.end(PolicyDiffReport.records, (total, counts), code) { context.output.line(conclusion(counts)) }
    }
    return code
  }

  private func conclusion(_ counts: [Outcome: Int]) -> String {
    func text(_ outcome: Outcome, _ one: String, _ more: String) -> String? {
      guard let count = counts[outcome], count > 0 else { return nil }
      return "\(count) \(count == 1 ? one : more)"
    }
    let parts = [
      text(.differs, "document differs", "documents differ"),
      text(.missing, "is missing in the second", "are missing in the second"),
      text(.added, "is only in the second", "are only in the second"), text(.same, "is the same", "are the same"),
    ].compactMap { $0 }
    return parts.isEmpty ? "no document to compare" : parts.joined(separator: ", ")
  }

  private func print(
    _ pair: Pair, _ outcome: Outcome, _ changes: [PolicyDiffReport.Change], number: Int
  ) {
    guard let entry = pair.before ?? pair.after else { return }
    context.report { lines in
      lines.add(
        Self.document,
        (number, outcome, entry.type, entry.name, pair.before?.file, pair.after?.file, changes.count))
      PolicyDiffReport.print(changes, of: number, context)
    } text: {
      printText(pair, entry, outcome, changes)
    }
  }

  /// What `-j` writes of a document.
  static let document = JSONRecord<
    (
      number: Int, outcome: PolicyDiffReport.Outcome, type: String, name: PortalValue?, from: String?, to: String?,
      changes: Int
    )
  >(
    "document",
    [
      .init("number", \.number), .init("outcome", \.outcome), .init("type", \.type), .init("name", \.name),
      .init("from", \.from), .init("to", \.to), .init("changes", \.changes),
    ])

  private func printText(
    _ pair: Pair, _ entry: Entry, _ outcome: Outcome, _ changes: [PolicyDiffReport.Change]
  ) {
    guard outcome != .same else { return }
    let name = shownName(of: entry)
    let files = [pair.before?.file, pair.after?.file].compactMap { $0 }.joined(separator: " → ")
    let what =
      switch outcome {
      case .missing: "missing in \(sides.1.word): "
      case .added: "only in \(sides.1.word): "
      case .same, .differs: ""
      }
    context.output.line(TerminalText.visible("\(what)\(name) (\(entry.type)): \(files)"))
    PolicyDiffReport.print(changes, context)
    if !changes.isEmpty { context.output.line() }
  }

  private func shownName(of entry: Entry) -> String {
    entry.name.map { PolicyReport.shown($0, context) } ?? "without a name"
  }

  // MARK: Report

  /// A table for each document that differs, and one of those that only one side has.
  private struct Tables {
    var differing: [ReportTable] = []
    var alone: [ReportTable.Row] = []

    func report(_ summary: String) -> Report {
      let sides = ["First", "Second"].map { ReportTable.Column(name: $0) }
      let alone = ReportTable(title: "On one side alone", subject: "Document", columns: sides, rows: alone)
      return Report(
        title: "Differences", summary: summary, tables: differing + (alone.rows.isEmpty ? [] : [alone]))
    }
  }

  private func add(
    _ pair: Pair, _ outcome: Outcome, _ changes: [PolicyDiffReport.Change], to tables: inout Tables
  ) {
    guard outcome != .same, let entry = pair.before ?? pair.after else { return }
    let title = TerminalText.visible("\(shownName(of: entry)) (\(entry.type))")
    let files = [pair.before?.file, pair.after?.file].map { $0.map(TerminalText.visible) }
    if outcome == .differs {
      let columns = files.map { ReportTable.Column(name: "", path: $0 ?? "") }
      tables.differing.append(
        ReportTable(title: title, columns: columns, rows: PolicyDiffReport.rows(changes, context)))
    } else {
      let cells = files.map { ReportTable.Cell(text: $0 ?? "missing", isNotable: $0 == nil) }
      tables.alone.append(ReportTable.Row(section: "", title: title, cells: cells, isDifferent: true))
    }
  }

  // MARK: Comparison

  /// What tells one export of a policy from another.
  private static let metadata: Set<PolicyProperty> = PolicyDiffReport.revision.union([.deployedAppCount])

  private static func changes(
    _ one: Entry, _ other: Entry, _ context: CommandContext
  ) -> [PolicyDiffReport.Change] {
    switch (one.content, other.content) {
    case (.policy(let one), .policy(let other)):
      let ignored = metadata.union(PolicyDiffReport.unlisted(one, other))
      return PolicyDiffReport.changes(one.withoutRevisions, other.withoutRevisions, ignoring: ignored, context).0
    case (.configuration(let one, let lost), .configuration(let other, let lostToo)):
      return changes(one, other, lost.union(lostToo), context)
    case (.policy, .configuration), (.configuration, .policy): return []
    }
  }

  /// The lines of an app configuration that tell one export from another, and those that many responses leave out.
  private static let ignoredTitles: Set<String> = ["Deployed apps", "Deployed"]
  private static let optionalTitles: Set<String> = ["Groups", "Apps", "Scope tags"]

  private static func changes(
    _ one: AppConfigurationDocument, _ other: AppConfigurationDocument, _ lost: Set<String>, _ context: CommandContext
  ) -> [PolicyDiffReport.Change] {
    AppConfigurationComparison(of: one, with: other, lacking: lost).changes.compactMap { change in
      guard !change.isRevision, !ignoredTitles.contains(change.title) else { return nil }
      if optionalTitles.contains(change.title), change.one == nil || change.other == nil { return nil }
      return PolicyDiffReport.Change(
        group: "App configuration", title: PolicyReport.shownName(change.title, context), before: change.one,
        after: change.other, isList: false, graph: PolicyDiffReport.graph(of: change, context))
    }
  }
}

extension PolicyFile.Item {
  /// The policy without what tells one export of it from another: the ids of its assignments, the revisions of its apps, and
  /// the number of the default scope tag, which some programs replace with its name.
  fileprivate var withoutRevisions: PolicyFile.Item {
    var item = self
    for (property, value) in [PolicyProperty.apps, .assignments, .roleScopeTagIds].map({ ($0, policy[$0]) }) {
      guard case .value(let value) = value else { continue }
      switch value {
      case .apps(let apps): item.replace(property, .apps(apps.map(\.withoutRevision)))
      case .assignments(let assignments): item.replace(property, .assignments(assignments.map(\.withoutRevision)))
      case .texts(let tags): item.replace(property, .texts(tags.map { $0 == "0" ? "Default" : $0 }))
      case .text, .flag, .number, .duration, .date, .choice, .choices, .flags, .pairs: break
      }
    }
    return item
  }
}

extension PolicyApp {
  fileprivate var withoutRevision: PolicyApp {
    var app = PolicyApp()
    // Some exports name an app by its bundle identifier alone, and its case varies.
    app.bundleID = bundleID?.lowercased()
    if bundleID == nil { app.id = id?.lowercased() }
    return app
  }
}

extension PolicyAssignment {
  fileprivate var withoutRevision: PolicyAssignment {
    var assignment = self
    (assignment.id, assignment.typeName) = (nil, nil)
    assignment.targetTypeName = targetTypeName.map { $0.hasPrefix("#") ? $0 : "#\($0)" }
    if filterType ?? "none" == "none" { (assignment.filterID, assignment.filterType) = (nil, nil) }
    return assignment
  }
}
