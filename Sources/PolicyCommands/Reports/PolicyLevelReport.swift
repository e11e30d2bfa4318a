import AppProtection
import CommandLineInterface
import CommandSupport
import JSON
import PlainText
import PolicyDocuments

/// What `pj policy level` prints: the level of the data protection framework that each policy meets, and what keeps it from
/// the next.
struct PolicyLevelReport {
  /// A policy, or a document that is none.
  struct Row {
    let file: String
    let name: String
    /// The policy with its levels; `nil` for a document that is out of scope.
    let policy: (item: PolicyFile.Item, assessment: LevelAssessment)?
    /// The document's type, where it is out of scope.
    let type: String
    /// Whether it does not meet the required level.
    let isBelow: Bool
  }

  let context: CommandContext
  let revision: FrameworkRevision
  private let required: FrameworkLevel?
  private(set) var rows: [Row] = []

  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    if let baseline = context.arguments.value(of: "baseline") {
      return try PolicyBaselineReport.run(words, baseline, context)
    }
    let checks = try CheckFormat(context)
    let form = checks == nil ? try ReportInput(context) : nil
    var report = PolicyLevelReport(context)
    guard checks == nil || report.required != nil else {
      throw Failure(
        .wrongUse,
        "--format \(context.arguments.value(of: "format") ?? "") needs a requirement: add --require or --baseline",
        next: "pj help policy level")
    }
    context.begin(records, report)
    let inputs = PolicyInputs(words, context, answersForeign: true) { input, inputs in
      for item in input.policies { report.add(item, input) }
      for refusal in input.refusals {
        guard let type = refusal.foreignType else { continue }
        report.addForeign(type, input, isPolicy: refusal.foreignKind.map(\.isPlatform) ?? false)
      }
      for document in input.others {
        inputs.skip(document.kindName)
        report.addForeign(document.kindName, input, isPolicy: false)
      }
    }
    JournalSeeking.note(inputs.journals, in: context)
    let isBelow = report.rows.contains(where: \.isBelow)
    let isEmpty = report.required != nil && !isBelow && report.rows.allSatisfy { $0.policy == nil }
    let judged = inputs.exitCode(ofNothing: isEmpty)
    let code: ExitCode = judged != .done ? judged : isBelow ? .different : .done
    if let checks {
      var list = report.checks
      list.addErrors(of: inputs, endingWith: code)
      checks.print(list, to: context)
    } else if let form {
      if !report.rows.isEmpty { form.print(report.report, to: context) }
    } else {
      context.end(records, (report.rows, inputs), code, of: inputs.journals) { report.printText() }
    }
    // A requirement that was asked of nothing does not hold.
    if isEmpty {
      context.note("no policy was judged, so that --require holds of none. Next: \(PolicyInputs.list(words))")
    }
    return code
  }

  private init(_ context: CommandContext) {
    self.context = context
    revision = context.arguments.value(of: "revision").flatMap(FrameworkRevision.dated) ?? .newest
    required = context.arguments.value(of: "require").flatMap { Int($0) }.flatMap(FrameworkLevel.init)
  }

  private mutating func add(_ item: PolicyFile.Item, _ input: PolicyInput) {
    let assessment = LevelAssessment(
      of: item.policy, isFromDevice: item.isFromDevice, isPartial: item.isPartial, lost: item.lost,
      against: revision)
    guard assessment.isCovered else {
      let platform = item.policy.kind.platform
      return addForeign(
        "\(item.policy.kind.rawValue): the framework has values for \(platform.rawValue) from "
          + "\(FrameworkRevision.first(on: platform).date) on", input, isPolicy: true)
    }
    let isBelow = required.map { $0.rawValue > assessment.level?.rawValue ?? 0 } ?? false
    let name = item.path.isEmpty ? input.name : "\(input.name): \(item.path)"
    rows.append(Row(file: input.name, name: name, policy: (item, assessment), type: "", isBelow: isBelow))
    context.records { write(item, assessment, input, to: $0) }
  }

  /// A folder brings much that is no policy; only what was named, or is a policy for another platform, fails.
  private mutating func addForeign(_ type: String, _ input: PolicyInput, isPolicy: Bool) {
    let isBelow = required != nil && (isPolicy || !input.isFromExport)
    rows.append(Row(file: input.name, name: input.name, policy: nil, type: type, isBelow: isBelow))
    context.show(Self.outOfScope, (input.name, type))
  }

  // MARK: Continuous integration

  /// Every setting that the required level names, as a check; and that a document is judged at all.
  private var checks: CheckList {
    var list = CheckList("pj policy level")
    guard let required else { return list }
    for row in rows {
      guard let policy = row.policy else {
        guard row.isBelow else { continue }
        list.add(
          CheckList.Check(
            rule: "outOfScope", meaning: "the framework has values for the document", file: row.name, path: "",
            problem: CheckList.Problem(severity: .error, message: "out of scope: \(row.type)")))
        continue
      }
      let missing = policy.assessment.missing(at: required)
      for setting in FrameworkRow.all(on: policy.item.policy.kind.platform) {
        guard let demand = setting.demand(of: required, in: revision) else { continue }
        let problem = missing.first { $0.row.id == setting.id }.map { entry in
          CheckList.Problem(
            severity: .error,
            message:
              "\(setting.title): is \(shown(entry, policy.item)), should be \(setting.words(of: entry.demand)), or stricter"
              + (entry.reason.map { " (\($0))" } ?? ""), place: policy.item.place)
        }
        list.add(
          CheckList.Check(
            rule: setting.id, meaning: "\(setting.title): \(setting.words(of: demand)), or stricter", file: row.file,
            path: policy.item.path, problem: problem))
      }
    }
    return list
  }

  /// A policy's value of a setting for which something is demanded.
  static func shown(
    _ row: FrameworkRow, _ outcome: LevelAssessment.Outcome, _ item: PolicyFile.Item, _ context: CommandContext
  ) -> String {
    row.value(in: item.policy).map { PolicyReport.shown($0, context) }
      ?? (outcome == .unknown ? ReportTable.unknown : ReportTable.unset)
  }

  private func shown(_ entry: LevelAssessment.Entry, _ item: PolicyFile.Item) -> String {
    Self.shown(entry.row, entry.outcome, item, context)
  }

  // MARK: Text

  private func printText() {
    guard !rows.isEmpty else { return }
    var table = TextTable([TextColumn("level"), TextColumn("next"), TextColumn("policy")])
    for row in rows {
      let color: [Style.Attribute] = row.isBelow ? [.red] : []
      guard let policy = row.policy else {
        table.append([
          TextCell("–", color), TextCell("out of scope: \(TerminalText.visible(row.type))"),
          TextCell(TerminalText.visible(row.name)),
        ])
        continue
      }
      table.append([
        TextCell(policy.assessment.level.map { "\($0.rawValue)" } ?? "none", color),
        TextCell(Self.next(policy.assessment)), TextCell(TerminalText.visible(row.name)),
      ])
    }
    context.print(table)
    let policies = rows.compactMap { row in
      row.policy.map { (name: row.name, item: $0.item, assessment: $0.assessment) }
    }
    if policies.count == 1 || context.arguments.flag("all") {
      for policy in policies {
        context.output.line()
        if policies.count > 1 { context.output.line(TerminalText.visible(policy.name)) }
        printMissing(policy.item, policy.assessment)
      }
    }
    context.output.line(conclusion)
    if rows.contains(where: { $0.policy == nil && $0.isBelow }) {
      context.note("what is out of scope meets no level: name policies alone, or leave out --require")
    }
    if policies.count > 1, !context.arguments.flag("all") {
      context.note("--all lists what each policy lacks")
    }
  }

  /// `level 2, but for 3 settings`.
  static func next(_ assessment: LevelAssessment) -> String {
    guard let next = assessment.next else { return "" }
    let count = assessment.missing(at: next).count
    return "level \(next.rawValue), but for \(count.counted("setting"))"
  }

  /// What every level above that of the policy names and the policy lacks.
  private func printMissing(_ item: PolicyFile.Item, _ assessment: LevelAssessment) {
    var table = TextTable([
      TextColumn("setting"), TextColumn("is"), TextColumn("should be, or stricter"), TextColumn(""),
    ])
    for level in FrameworkLevel.allCases {
      let entries = assessment.missing(at: level).filter { $0.demand.level == level }
      guard !entries.isEmpty else { continue }
      table.append([TextCell("Level \(level.rawValue), \(level.name)", [.bold])])
      append(entries, of: item, to: &table)
    }
    let admitted = assessment.conditional(at: .high)
    if !admitted.isEmpty {
      table.append([TextCell("Admitted on a condition", [.bold])])
      append(admitted, of: item, to: &table)
    }
    guard !table.rows.isEmpty else { return }
    context.print(table)
    context.output.line(
      "To set them: Intune admin center, Apps, Protection, the policy, Properties; -j names the properties in Graph.")
  }

  private func append(_ entries: [LevelAssessment.Entry], of item: PolicyFile.Item, to table: inout TextTable) {
    var group: PortalGroup?
    for entry in entries {
      if let heading = entry.row.setting?.group, heading != group {
        table.append([TextCell("  " + entry.row.platform.heading(of: heading))])
        group = heading
      }
      table.append([
        TextCell("    " + entry.row.title), TextCell(shown(entry, item)), TextCell(entry.row.words(of: entry.demand)),
        TextCell(entry.reason ?? ""),
      ])
    }
  }

  /// How many of how many meet each level.
  var conclusion: String {
    let levels = rows.compactMap { row in row.policy.map { $0.assessment.level?.rawValue ?? 0 } }
    let met = FrameworkLevel.allCases.map { level in
      "\(levels.count { $0 >= level.rawValue }) of \(levels.count) meet level \(level.rawValue)"
    }
    var parts = [levels.count.counted("policy", "policies")] + (levels.count > 1 ? met : [])
    let below = rows.count { $0.isBelow && $0.policy != nil }
    if let required { parts.append("\(below) below level \(required.rawValue)") }
    let foreign = rows.count { $0.policy == nil }
    if foreign > 0 { parts.append("\(foreign) out of scope") }
    let origin =
      switch revision.origin {
      case .page: "the documentation"
      case .templates: "the templates"
      }
    return "\(parts.joined(separator: ", ")). Data protection framework of \(revision.date) (\(origin))."
  }

  // MARK: JSON

  /// What `-j` writes.
  static let records = JSONOutput<PolicyLevelReport, (rows: [Row], inputs: PolicyInputs)>(
    "policy.level",
    start: [
      .init("revision", \.revision.date), .init("origin", oneOf: ["templates", "page"], \.revision.origin.rawValue),
      .ifAny("required", \.required?.rawValue),
    ], [policyRecord, setting, outOfScope, JSONRecord.unreadable],
    end: [
      .init("policies") { $0.rows.count { $0.policy != nil } }, .init("below") { $0.rows.count(where: \.isBelow) },
      .init("outOfScope") { $0.rows.count { $0.policy == nil } }, JSONMember.skipped.of(\.inputs),
    ])

  private typealias Policy = (file: String, item: PolicyFile.Item)

  private static let policyRecord = JSONRecord<(policy: Policy, assessment: LevelAssessment)>(
    "policy",
    PolicyReport.members.of(\.policy) + [
      .init("level") { $0.assessment.level?.rawValue ?? 0 },
      .init("missing", each: missing) { policy in
        FrameworkLevel.allCases.map { ($0.rawValue, policy.assessment.missing(at: $0).count) }
      },
    ])

  private static let missing: [JSONMember<(level: Int, settings: Int)>] = [
    .init("level", \.level), .init("settings", \.settings),
  ]

  private static let setting = JSONRecord<
    (policy: Policy, entry: LevelAssessment.Entry, valueProperties: JSONValue)
  >(
    "setting",
    [
      .init("file", \.policy.file), .init("path", \.policy.item.path), .init("setting", \.entry.row.id),
      .init("level", \.entry.demand.level.rawValue), .init("outcome", \.entry.outcome),
      .init("group") { report in
        report.entry.row.setting.map { report.entry.row.platform.heading(of: $0.group) } ?? ""
      }, .init("title", \.entry.row.title), .init("value") { $0.entry.row.value(in: $0.policy.item.policy) },
      .init("valueProperties", \.valueProperties),
      .init("wanted") { $0.entry.row.words(of: $0.entry.demand) },
      .init("comparison", \.entry.row.comparison.meaning), .init("reason", \.entry.reason),
      .init("properties") { $0.entry.demand.policy.graphJSON() },
    ])

  private static let outOfScope = JSONRecord<(file: String, type: String)>(
    "outOfScope", [.init("file", \.file), .init("type", \.type)])

  private func write(
    _ item: PolicyFile.Item, _ assessment: LevelAssessment, _ input: PolicyInput, to lines: JSONLines
  ) {
    let policy = (file: input.name, item: item)
    let graph = item.policy.graphJSON().object
    lines.add(Self.policyRecord, (policy, assessment))
    for level in FrameworkLevel.allCases {
      let entries = assessment.missing(at: level) + assessment.conditional(at: level)
      lines.add(
        Self.setting,
        each: entries.filter { $0.demand.level == level }.map { entry in
          let value = entry.row.value(in: item.policy)
          let properties = entry.row.setting?.properties ?? []
          return (policy, entry, PolicyReport.properties(properties, in: item.policy, graph, showing: value, context))
        })
    }
  }
}

extension LevelAssessment.Outcome: JSONWord {}

extension PolicyDocumentError.ForeignKind {
  /// Whether it is a document for another platform.
  fileprivate var isPlatform: Bool {
    switch self {
    case .platform: true
    case .type: false
    }
  }
}
