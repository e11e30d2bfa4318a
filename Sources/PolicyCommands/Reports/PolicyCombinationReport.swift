import AppProtection
import CommandLineInterface
import CommandSupport
import Forensics
import JSON
import PolicyDocuments
import ProtectionSupport

/// What `pj policy combine` prints: the combined effect of several policies on one user, setting by setting, and the policy
/// each value comes from.
struct PolicyCombinationReport {
  /// One of the policies, known by its number.
  struct Member {
    let number: Int
    let item: PolicyFile.Item
    let name: String
    let isReplaced: Bool
  }

  /// One setting of the result.
  struct Row {
    let setting: PortalSetting
    /// The combined value; `nil` without one.
    let value: PortalValue?
    /// The numbers of the policies that have it.
    let from: [Int]
    /// Why the value counts; `nil` without one.
    let ground: CombinationGround?
    /// The values of the other policies that count.
    let others: [(number: Int, value: PortalValue)]
    /// The numbers of the policies that count and whose values are unknown.
    let lost: [Int]

    var why: String { ground?.rawValue ?? (others.isEmpty ? "" : "dropped") }
  }

  let members: [Member]
  private let combination: PolicyCombination
  let platform: PolicyPlatform
  let context: CommandContext

  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    let form = try ReportInput(context)
    var items: [(item: PolicyFile.Item, name: String)] = []
    var code = ExitCode.done
    var inputs: [PolicyInput] = []
    for word in words {
      let input = try PolicyInput(word, context, journals: inputs.compactMap(\.reading?.journal))
      try input.expectPolicy()
      for item in input.policies {
        items.append((item, item.path.isEmpty ? input.name : "\(input.name): \(item.path)"))
      }
      code = .worst(code, input.exitCode)
      inputs.append(input)
    }
    guard items.count > 1 else {
      throw Failure(.wrongUse, "at least two policies are needed, but 1 is named", next: "pj help policy")
    }
    let platforms = PolicyPlatform.allCases.filter { platform in
      items.contains { $0.item.policy.kind.platform == platform }
    }
    guard platforms.count == 1 else {
      throw Failure(
        .wrongUse,
        "policies for \(platforms.map(\.rawValue).joined(separator: " and ")) never meet in one app; combine those of one platform",
        next: "pj help policy")
    }
    let report = PolicyCombinationReport(items, context)
    code = ExitCode.worst(code, report.exitCode)
    let journals = inputs.compactMap(\.reading?.journal)
    if let form {
      form.print(Report(title: report.title, tables: [report.table]), to: context)
    } else {
      context.report { lines in
        lines.begin(records, ())
        let disputed = report.write(to: lines)
        lines.end(records, (report.members.count, disputed), code, of: journals)
      } text: {
        report.printText()
      }
    }
    for input in inputs {
      for refusal in input.refusals { context.note("\(refusal)") }
      for item in input.policies { PolicyReport.noteFindings(item, input, context) }
      input.reading?.note(context)
      input.noteContinuation(context)
    }
    JournalSeeking.note(journals, in: context)
    report.noteLosses()
    report.noteContradictions()
    return code
  }

  init(_ items: [(item: PolicyFile.Item, name: String)], _ context: CommandContext) {
    let platform = items.first?.item.policy.kind.platform ?? .ios
    let combination = PolicyCombination(of: items.map(\.item.policy), on: platform)
    members = items.enumerated().map { place, entry in
      Member(
        number: place + 1, item: entry.item, name: entry.name, isReplaced: combination.replaced.contains(place))
    }
    self.combination = combination
    self.platform = platform
    self.context = context
  }

  /// The settings that are combined, in the order of the portal.
  var rows: [Row] {
    PortalSetting.all(on: platform).compactMap { setting in
      guard setting.properties.contains(where: { $0.combination != .notCombined }) else { return nil }
      return row(setting)
    }
  }

  private func row(_ setting: PortalSetting) -> Row {
    let value = setting.value(in: combination.policy)
    let origins = combination.origins.filter { origin in setting.properties.contains(origin.property) }
    var said = members.filter { !$0.isReplaced }.compactMap { member in
      setting.value(in: member.item.policy).map { (number: member.number, value: $0) }
    }
    let origin = origins.first { $0.isDisputed } ?? origins.first
    let taken = Set(origins.flatMap(\.policies)).sorted().map { $0 + 1 }
    var from = said.filter { $0.value.words == value?.words }.map(\.number)
    if origin?.property.combination == .intersection {
      // A list that restricts nothing beside its policy's other settings is not asked.
      said.removeAll { !taken.contains($0.number) }
      from = taken
    } else if from.isEmpty {
      from = taken
    }
    let others = said.filter { $0.value.words != value?.words }
    var ground = value == nil ? nil : origin?.ground
    // Policies may agree about each property, and one of them has more of those that make the choice together.
    if ground == .same || ground == .only, !others.isEmpty { ground = .strictest }
    let lost = members.filter { member in
      !member.isReplaced && member.item.isLost(setting)
    }.map(\.number)
    return Row(
      setting: setting, value: value, from: value == nil ? [] : from, ground: ground, others: others, lost: lost)
  }

  /// How a command ends that shows the result: what is unknown may be stricter.
  var exitCode: ExitCode {
    members.contains { !$0.isReplaced && (!$0.item.lost.isEmpty || $0.item.isPartial) } ? .partial : .done
  }

  /// Says which values are unknown.
  func noteLosses() {
    for member in members where !member.isReplaced && !member.item.lost.isEmpty {
      context.note(
        "\(member.name): the value of \(member.item.lost.sorted().joined(separator: ", ")) is unknown; "
          + "what counts may be stricter")
    }
    for member in members where !member.isReplaced && member.item.isPartial {
      context.note("\(member.name): settings that the export leaves out are unknown; what counts may be stricter")
    }
  }

  /// Says what contradicts itself in the result and in no policy alone.
  func noteContradictions() {
    let known = Set(members.flatMap(\.item.findings).map { "\($0.rule) \($0.setting)" })
    for finding in PolicyLint.findings(in: combination.policy) where finding.rule.severity != .note {
      let property = platform.property(named: finding.setting)
      guard property?.combination != .notCombined, !known.contains("\(finding.rule) \(finding.setting)") else {
        continue
      }
      context.note("found only in the combination: \(finding)")
    }
  }

  // MARK: Text

  private func printText() {
    context.output.line("combined effect of \(members.count) policies on one user")
    printTable()
  }

  /// The policies with their numbers, and the table of their settings.
  func printTable() {
    for member in members {
      let note = member.isReplaced ? "  (a default policy, replaced by policies for groups)" : ""
      context.output.line(TerminalText.visible("  \(member.number)  \(member.name)\(note)"))
    }
    var table = TextTable([TextColumn("setting"), TextColumn("from"), TextColumn("why"), TextColumn("value")])
    var group: PortalGroup?
    var unset = 0
    for row in rows {
      guard row.value != nil || !row.others.isEmpty || !row.lost.isEmpty || context.arguments.flag("all") else {
        unset += 1
        continue
      }
      if row.setting.group != group { table.append([TextCell(platform.heading(of: row.setting.group), [.bold])]) }
      group = row.setting.group
      table.append([
        TextCell("  " + row.setting.title), TextCell(row.from.map { "\($0)" }.joined(separator: ", ")),
        TextCell(row.why), TextCell(value(of: row)),
      ])
    }
    context.print(table)
    if unset > 0 { context.note("\(unset) settings are not configured in any of them; --all lists them") }
  }

  /// Whether no policy that counts certainly leaves a setting unset.
  private func isUnknown(_ row: Row) -> Bool {
    members.contains { !$0.isReplaced && $0.item.isUnknown(row.setting) }
  }

  private func value(of row: Row) -> String {
    let value =
      row.value.map { PolicyReport.shown($0, context) } ?? (isUnknown(row) ? ReportTable.unknown : ReportTable.unset)
    let others =
      row.others.map { "\($0.number): \(PolicyReport.shown($0.value, context))" } + row.lost.map { "\($0): unknown" }
    guard !others.isEmpty else { return value }
    return "\(value)  (\(others.joined(separator: "; ")))"
  }

  // MARK: JSON

  /// What `-j` writes.
  static let records = JSONOutput<Void, (policies: Int, disputed: Int)>(
    "policy.combine", [policyRecord, settingRecord, JSONRecord.unreadable],
    end: [.init("policies", \.policies), .init("disputed", \.disputed)])

  /// A policy that is combined with others.
  static let policyRecord = JSONRecord<Member>(
    "policy",
    [
      .init("number", \.number), .init("file", \.name), .init("encoding", \.item.encoding),
      .init("type", \.item.policy.kind.rawValue), .init("counts") { !$0.isReplaced },
    ])

  /// A setting of the combination.
  static let settingRecord = JSONRecord<
    (row: Row, platform: PolicyPlatform, properties: JSONValue, others: [Other])
  >(
    "setting",
    [
      .init("group") { $0.platform.heading(of: $0.row.setting.group) }, .init("title", \.row.setting.title),
      .init("value", \.row.value), .init("from", \.row.from), .init("why") { $0.row.why.isEmpty ? nil : $0.row.why },
      .init("rules") { setting in
        CombinationRule.allCases.filter { rule in
          rule != .notCombined
            && setting.row.setting.properties.contains { setting.platform.combination(of: $0) == rule }
        }.map(\.rawValue)
      },
      .init("others", each: other, \.others),
      .init("properties", \.properties),
    ])

  /// What another policy says of a setting, in the portal's words and as Graph has it.
  typealias Other = (number: Int, value: PortalValue?, properties: JSONValue)

  private static let other: [JSONMember<Other>] = [
    .init("policy", \.number), .init("value", \.value), .init("properties", \.properties),
  ]

  /// Writes the policies and the settings, one record each.
  ///
  /// - Returns: The number of settings about which policies differ.
  func write(to lines: JSONLines) -> Int {
    lines.add(Self.policyRecord, each: members)
    let graph = combination.policy.graphJSON().object
    let graphs = members.map { $0.item.policy.graphJSON().object }
    var disputed = 0
    for row in rows where row.value != nil || !row.others.isEmpty || !row.lost.isEmpty || context.arguments.flag("all")
    {
      let properties = PolicyReport.properties(
        row.setting.properties, in: combination.policy, graph, showing: row.value, context)
      if !row.others.isEmpty { disputed += 1 }
      let others = row.others.map { number, value -> Other in
        (
          number, value,
          PolicyReport.properties(
            row.setting.properties, in: members[number - 1].item.policy, graphs[number - 1], showing: value, context)
        )
      }
      lines.add(
        Self.settingRecord, (row, platform, properties, others + row.lost.map { ($0, nil, .object([])) }))
    }
    return disputed
  }
}

extension PolicyCombinationReport {
  /// What a report of it is called.
  var title: String { "Combined effect of \(members.count) policies on one user" }

  /// The result beside the policies.
  var table: ReportTable {
    var table = ReportTable(columns: [ReportTable.Column(name: "combined", role: .result)])
    table.columns += members.map { member in
      PolicyReport.column(
        of: member.item, at: member.name, number: member.number,
        details: member.isReplaced ? ["a default policy, replaced by policies for groups"] : [], context)
    }
    for row in rows where row.value != nil || !row.others.isEmpty || !row.lost.isEmpty || context.arguments.flag("all")
    {
      let others = Set(row.others.map(\.number))
      let from = row.from.isEmpty ? "" : "from " + row.from.map { "\($0)" }.joined(separator: ", ")
      let result = ReportTable.Cell(
        text: row.value.map { PolicyReport.shown($0, context) } ?? (isUnknown(row) ? ReportTable.unknown : nil),
        verdict: row.why, reason: from,
        isNotable: row.why == "dropped")
      let cells = members.map { member in
        ReportTable.Cell(
          text: member.item.isUnknown(row.setting)
            ? ReportTable.unknown : row.setting.value(in: member.item.policy).map { PolicyReport.shown($0, context) },
          verdict: member.isReplaced ? "does not count" : others.contains(member.number) ? "other" : "")
      }
      table.rows.append(
        ReportTable.Row(
          section: platform.heading(of: row.setting.group), title: row.setting.title, cells: [result] + cells,
          isDifferent: !row.others.isEmpty || !row.lost.isEmpty))
    }
    return table
  }
}
