import AppProtection
import CommandLineInterface
import CommandSupport
import Forensics
import PlainText
import PolicyDocuments
import ProtectionSupport

/// What `pj policy effective --matrix` prints: which policies count for the members of each group in each app.
struct PolicyMatrixReport {
  /// A group for which the export decides; `nil` for users who are in none of them.
  private typealias Group = (number: Int, name: String?)

  /// What counts for the members of one group in one app.
  private struct Cell: Equatable {
    /// The policies that count, by their places.
    var counting: [Int] = []
    /// Those of which it is not known.
    var undecided: [Int] = []
  }

  private struct Row {
    let group: Group
    let platform: PolicyPlatform
    /// The apps, each with its cell, in the order of their names.
    let cells: [(app: String, cell: Cell)]
  }

  private let context: CommandContext
  private let export: PolicyTenantInput
  private let rows: [Row]

  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    for name in ["user", "app", "platform"] where !context.arguments.values(of: name).isEmpty {
      throw Failure(
        .wrongUse, "--matrix asks for every group, app and platform, and takes no --\(name)",
        next: "pj help policy effective")
    }
    guard !context.arguments.flag("require-policy"), !context.arguments.flag("all"),
      !context.arguments.isGiven("format")
    else {
      throw Failure(
        .wrongUse, "--matrix takes none of --require-policy, --all and --format", next: "pj help policy effective")
    }
    let device = try PolicyTenantInput.device(context)
    let given = try PolicyTenantInput.groups(context)
    context.begin(records, ())
    let (export, inputs) = PolicyTenantInput.read(words, given, context)
    let report = PolicyMatrixReport(export, device, context)
    return report.print(inputs, words)
  }

  private init(_ export: PolicyTenantInput, _ device: FilterFacts, _ context: CommandContext) {
    (self.export, self.context) = (export, context)
    var names: [String] = []
    for item in export.items {
      for group in item.item.policy.targeting.assignments?.compactMap(\.reachedGroup) ?? []
      where !names.contains(where: { $0.lowercased() == group.lowercased() }) { names.append(group) }
    }
    let groups: [Group] = names.enumerated().map { ($0.offset + 1, $0.element) } + [(names.count + 1, nil)]
    rows = PolicyPlatform.allCases.flatMap { platform -> [Row] in
      // The default policy is for every platform.
      let items = export.items.enumerated().filter { entry in
        entry.element.item.policy.kind.platform == platform || entry.element.item.policy.kind == .defaultPolicy
      }
      let apps = items.filter { $0.element.item.policy.kind.platform == platform }.reduce(into: Set<String>()) {
        $0.formUnion(PolicyTargeting.apps(of: $1.element.item.policy))
      }
      guard !apps.isEmpty else { return [] }
      return groups.map { group in
        let (memberships, member) =
          group.name.map(export.groups.addingMember) ?? export.groups.addingStranger(to: names)
        var question = PolicyTargeting.Question(
          app: "", on: platform, user: [member], groups: memberships, filters: export.filters, device: device)
        return Row(
          group: group, platform: platform,
          cells: apps.sorted().map { app in
            question.app = app
            var cell = Cell()
            for (place, entry) in items {
              switch PolicyTargeting(
                of: entry.item.policy, lacking: entry.item.lost, isPartial: entry.item.isPartial,
                listsGroupsAlone: entry.item.listsGroupsAlone, for: question
              ).outcome {
              case .yes: cell.counting.append(place)
              case .unknown: cell.undecided.append(place)
              case .no: break
              }
            }
            return (app, cell)
          })
      }
    }
  }

  private func print(_ inputs: PolicyInputs, _ words: [String]) -> ExitCode {
    let cells = rows.flatMap { row in row.cells.map { (row, $0.app, $0.cell) } }
    let undecided = cells.count { !$0.2.undecided.isEmpty }
    let known = ExitCode.worst(inputs.exitCode, undecided == 0 ? .done : .partial)
    let code = ExitCode.worst(known, export.items.isEmpty ? .unreadable : .done)
    context.report { lines in
      lines.add(
        Self.reach,
        each: cells.map { row, app, cell in
          (
            row.group.name, row.group.name == nil ? nil : row.group.number, row.platform, app,
            cell.counting.map(place), cell.undecided.map(place)
          )
        })
      lines.end(Self.records, (export.items.count, cells.count, undecided, inputs), code)
    } text: {
      for platform in PolicyPlatform.allCases { printTable(platform) }
      for (place, entry) in export.items.enumerated() {
        let name = PolicyReport.name(of: entry.item.policy).map { "  " + PolicyReport.shown($0, context) } ?? ""
        context.output.line("\(place + 1)  \(TerminalText.visible(self.place(place)))\(name)")
      }
      if undecided > 0 {
        context.note(
          "a policy with a question mark may count: facts are missing. Next: --device, --groups, or pj policy effective --user --app"
        )
      }
      if let skipped = inputs.skippedText { context.note(skipped) }
    }
    if export.items.isEmpty { context.note("no policy was judged. Next: \(PolicyInputs.list(words))") }
    return code
  }

  /// Prints the groups of a platform as rows and the apps as columns; apps for which the same counts share one.
  private func printTable(_ platform: PolicyPlatform) {
    let rows = rows.filter { $0.platform == platform }
    guard let first = rows.first else { return }
    var columns: [(apps: [String], places: Int)] = []
    for (place, entry) in first.cells.enumerated() {
      let same = columns.firstIndex { column in
        rows.allSatisfy { $0.cells[column.places].cell == $0.cells[place].cell }
      }
      if let same { columns[same].apps.append(entry.app) } else { columns.append(([entry.app], place)) }
    }
    var table = TextTable(
      [TextColumn(platform.rawValue)] + columns.indices.map { TextColumn(Self.letters($0)) })
    for row in rows {
      table.append(
        [TextCell(title(row.group))]
          + columns.map { TextCell(Self.words(row.cells[$0.places].cell)) })
    }
    context.print(table)
    for (place, column) in columns.enumerated() {
      context.output.line("\(Self.letters(place))  \(TerminalText.visible(column.apps.joined(separator: ", ")))")
    }
    context.output.line()
  }

  private static func words(_ cell: Cell) -> String {
    let all = cell.counting.map { "\($0 + 1)" } + cell.undecided.map { "\($0 + 1)?" }
    return all.isEmpty ? "none" : all.joined(separator: ", ")
  }

  /// A, B, … Z, AA, AB, ….
  private static func letters(_ number: Int) -> String {
    let letter = String(UnicodeScalar(UInt8(65 + number % 26)))
    return number < 26 ? letter : letters(number / 26 - 1) + letter
  }

  private func title(_ group: Group) -> String {
    guard let name = group.name else { return "all other users" }
    return context.redaction.shows(.account) ? TerminalText.visible(name) : "group \(group.number)"
  }

  private func place(_ index: Int) -> String {
    let entry = export.items[index]
    return entry.item.path.isEmpty ? entry.file : "\(entry.file): \(entry.item.path)"
  }

  // MARK: JSON

  private typealias Reach = (
    group: String?, number: Int?, platform: PolicyPlatform, app: String, policies: [String], undecided: [String]
  )

  /// What `-j` writes.
  static let records = JSONOutput<Void, (policies: Int, cells: Int, undecided: Int, inputs: PolicyInputs)>(
    "policy.effective.matrix", [reach, JSONRecord.unreadable],
    end: [
      .init("policies", \.policies), .init("cells", \.cells), .init("undecided", \.undecided),
      JSONMember.skipped.of(\.inputs),
    ])

  private static let reach = JSONRecord<Reach>(
    "reach",
    [
      .init("group") { $0.group.map { PrivateName(text: $0) } }, .init("number", \.number),
      .init("platform") { $0.platform.rawValue },
      .init("app", \.app), .init("policies", \.policies), .init("undecided", \.undecided),
    ])
}
