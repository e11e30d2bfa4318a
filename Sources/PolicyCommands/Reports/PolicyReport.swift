import AppProtection
import CommandLineInterface
import CommandSupport
import Forensics
import JSON
import PolicyDocuments
import ProtectionSupport

/// What `pj policy show` prints.
enum PolicyReport {
  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    if let report = try ReportInput(context) { return run(words, as: report, context) }
    context.begin(records, ())
    var count = 0
    let inputs = PolicyInputs(words, context) { input, _ in
      input.noteUnknown(context)
      for item in input.policies {
        if count > 0 { context.text { context.output.line() } }
        count += 1
        print(item, input, context)
      }
      for (document, lost) in zip(input.others, input.lostInOthers) {
        if count > 0 { context.text { context.output.line() } }
        count += 1
        print(document, lost, input, context)
      }
    }
    JournalSeeking.note(inputs.journals, in: context)
    context.end(records, (count, inputs), inputs.exitCode, of: inputs.journals) {
      if let skipped = inputs.skippedText, !inputs.namesRefusals { context.note(skipped) }
    }
    return inputs.exitCode
  }

  // MARK: Text

  private static func printText(_ item: PolicyFile.Item, _ input: PolicyInput, _ context: CommandContext) {
    let heading = [input.name, item.path.isEmpty ? nil : item.path, item.place?.description].compactMap { $0 }
    context.output.line(TerminalText.visible(heading.joined(separator: ": ")))
    var table = TextTable([TextColumn(""), TextColumn("")])
    var (unset, unknown) = (0, 0)
    var group: PortalGroup?
    for setting in PortalSetting.all(on: item.policy.kind.platform) {
      let value = setting.value(in: item.policy)
      guard value != nil || item.isLost(setting) || context.arguments.flag("all") else {
        if item.isUnknown(setting) { unknown += 1 } else { unset += 1 }
        continue
      }
      if setting.group != group {
        table.append([TextCell(item.policy.kind.platform.heading(of: setting.group), [.bold])])
      }
      group = setting.group
      table.append([
        TextCell("  " + setting.title),
        TextCell(
          value.map { shown($0, context) } ?? (item.isUnknown(setting) ? ReportTable.unknown : ReportTable.unset)),
      ])
    }
    for member in otherMembers(of: item.policy) {
      if group != nil { table.append([TextCell("Other members", [.bold])]) }
      group = nil
      table.append([
        TextCell("  " + TerminalText.visible(shownName(member.name, context))),
        TextCell(shown(PortalValue(member), context)),
      ])
    }
    context.print(table)
    if unset > 0 { context.note("\(input.name): \(unset) settings are not configured; --all lists them") }
    if unknown > 0 {
      let source = item.isFromDevice ? "not reported by devices" : "not in the export"
      context.note("\(input.name): \(unknown) settings are \(source), and unknown; --all lists them")
    }
    noteFindings(item, input, context)
  }

  /// Says when a policy contradicts itself.
  static func noteFindings(_ item: PolicyFile.Item, _ input: PolicyInput, _ context: CommandContext) {
    let findings = item.findings.filter { $0.rule.severity != .note }.count
    guard findings > 0 else { return }
    context.note(
      "\(input.name): lint finds \(findings == 1 ? "an error or warning" : "\(findings) errors or warnings"). "
        + "Next: \(input.next("pj policy lint"))")
  }

  /// What the document has beside settings, without what describes the response.
  static func otherMembers(of policy: PolicyDocument) -> [KeptMember] {
    policy.keptMembers.filter { !$0.describesResponse && policy.kind.platform.property(named: $0.name) == nil }
  }

  /// The name of a member or a setting, unless it may name a person.
  static func shownName(_ name: String, _ context: CommandContext) -> String {
    context.redaction.shown(name) ?? context.redaction.placeholder(for: .account)
  }

  /// A value as text.
  static func shown(_ value: PortalValue, _ context: CommandContext) -> String {
    TerminalText.visible(value.text(context.redaction))
  }

  static func isHidden(_ value: PortalValue, _ context: CommandContext) -> Bool {
    value.isHidden(by: context.redaction)
  }

  private static func print(
    _ document: ManagementDocument, _ lost: Set<String>, _ input: PolicyInput, _ context: CommandContext
  ) {
    let rows = rows(of: document, lost)
    var (settings, permissions): ([AppConfigurationDocument.Setting], [PolicyPair]) = ([], [])
    if case .appConfiguration(let configuration) = document {
      (settings, permissions) = (configuration.settings, configuration.permissions)
    }
    for index in settings.indices { settings[index].key = shownName(settings[index].key, context) }
    let record = (
      file: input.name, document: document, rows: table(of: rows, context), properties: properties(of: rows, context),
      settings: settings, permissions: permissions
    )
    context.show(documentRecord, record) {
      printText(document, rows, input, context)
    }
  }

  /// What a document says, and which of its members are unknown.
  static func rows(of document: ManagementDocument, _ lost: Set<String>) -> [ManagementDocument.Row] {
    document.rows + lost.sorted().compactMap { ManagementDocument.Row($0, ReportTable.unknown) }
  }

  /// The properties that rows show, without settings, which have a list of their own; `nil` without any.
  private static func properties(of rows: [ManagementDocument.Row], _ context: CommandContext) -> JSONValue? {
    let members = rows.flatMap { row -> [JSONObject.Member] in
      let members = row.graph?.object?.members.filter { !AppConfigurationDocument.isSettingList($0.name) } ?? []
      return members.map { member in
        .init(
          member.name, isHidden(row.shown, context) ? .withheld : context.redaction.shown(member.value) ?? .withheld)
      }
    }
    return members.isEmpty ? nil : .object(members)
  }

  /// The rows by their titles.
  private static func table(
    of rows: [ManagementDocument.Row], _ context: CommandContext
  ) -> JSONTable<PortalValue> {
    var titles: [String: Int] = [:]
    let rows = rows.map { row in
      let title = shownName(row.title, context)
      // Members of an object have names of their own.
      titles[title, default: 0] += 1
      let number = titles[title].flatMap { $0 > 1 ? " (\($0))" : nil } ?? ""
      return (name: title + number, value: row.shown)
    }
    return JSONTable(entries: rows)
  }

  private static func printText(
    _ document: ManagementDocument, _ rows: [ManagementDocument.Row], _ input: PolicyInput, _ context: CommandContext
  ) {
    context.output.line(TerminalText.visible("\(input.name): \(document.kindName)"))
    var table = TextTable([TextColumn(""), TextColumn("")])
    for row in rows {
      table.append([
        TextCell("  " + TerminalText.visible(shownName(row.title, context))), TextCell(shown(row.shown, context)),
      ])
    }
    context.print(table)
  }

  /// A policy's name.
  static func name(of document: ManagementDocument) -> PortalValue? {
    document.rows.first { $0.title == "Name" }?.shown
  }

  /// The display name of a policy; `nil` if it has none.
  static func name(of policy: PolicyDocument) -> PortalValue? {
    PortalSetting.showing(.displayName, on: policy.kind.platform)?.value(in: policy)
  }

  // MARK: JSON

  /// What `-j` writes.
  static let records = JSONOutput<Void, (documents: Int, inputs: PolicyInputs)>(
    "policy.show", [policyRecord, settingRecord, otherMember, documentRecord, JSONRecord.unreadable],
    end: [.init("documents", \.documents), JSONMember.skipped.of(\.inputs)])

  private static let policyRecord = JSONRecord<(file: String, item: PolicyFile.Item)>("policy", members)

  /// A policy as members of a record.
  static let members: [JSONMember<(file: String, item: PolicyFile.Item)>] = [
    .init("file", \.file), .init("path", \.item.path), .init("encoding", \.item.encoding),
    .init("type", \.item.policy.kind.rawValue), .init("name") { name(of: $0.item.policy) },
  ]

  private static let settingRecord = JSONRecord<
    (setting: PortalSetting, item: PolicyFile.Item, properties: JSONValue)
  >(
    "setting",
    [
      .init("group") { $0.item.policy.kind.platform.heading(of: $0.setting.group) }, .init("title", \.setting.title),
      .init("value") { $0.setting.value(in: $0.item.policy) }, .init("properties", \.properties),
      .ifAny("unknown") { $0.item.isUnknown($0.setting) ? true : nil },
    ])

  private static let otherMember = JSONRecord<(name: String, value: PortalValue)>(
    "otherMember", [.init("name", \.name), .init("value", \.value)])

  private static let documentRecord = JSONRecord<
    (
      file: String, document: ManagementDocument, rows: JSONTable<PortalValue>, properties: JSONValue?,
      settings: [AppConfigurationDocument.Setting], permissions: [PolicyPair]
    )
  >(
    "document",
    [
      .init("file", \.file), .init("type", \.document.kindName), .init("rows", \.rows),
      .ifAny("properties", \.properties), .ifAny("settings", each: entry, \.settings),
      .ifAny("permissions", each: permission, \.permissions),
    ])

  /// A setting of an app configuration.
  private static let entry: [JSONMember<AppConfigurationDocument.Setting>] = [
    .init("list", \.list.rawValue), .init("key", \.key), .init("type", \.type), .init("value", \.shown),
  ]

  private static let permission: [JSONMember<PolicyPair>] = [
    .init("permission", \.name), .init("action", \.value),
  ]

  /// The properties of a setting as a document has them; withheld where the value is.
  ///
  /// - Parameter graph: The document as Graph has it.
  static func properties(
    _ properties: [PolicyProperty], in policy: PolicyDocument, _ graph: JSONObject?, showing value: PortalValue?,
    _ context: CommandContext
  ) -> JSONValue {
    guard value.map({ !isHidden($0, context) }) ?? true else { return .withheld }
    return .object(
      properties.compactMap { row in
        graph?[row.name].map { JSONObject.Member(row.name, json($0, of: row, in: policy, context)) }
      })
  }

  /// A setting as the document has it. One that no form explains is withheld where the setting may name persons, and any
  /// where an address is in it.
  private static func json(
    _ value: JSONValue, of row: PolicyProperty, in policy: PolicyDocument, _ context: CommandContext
  ) -> JSONValue {
    let isExplained = if case .value = policy[row] { true } else { value == .null }
    guard isExplained || context.redaction.shows(row.privacy), let shown = context.redaction.shown(value) else {
      return .withheld
    }
    return shown.withoutSecrets(of: row)
  }

  private static func print(_ item: PolicyFile.Item, _ input: PolicyInput, _ context: CommandContext) {
    context.report { lines in
      lines.add(policyRecord, (input.name, item))
      let graph = item.policy.graphJSON().object
      for setting in PortalSetting.all(on: item.policy.kind.platform) {
        let value = setting.value(in: item.policy)
        guard value != nil || item.isLost(setting) || context.arguments.flag("all") else { continue }
        let properties = properties(setting.properties, in: item.policy, graph, showing: value, context)
        lines.add(settingRecord, (setting, item, properties))
      }
      for member in otherMembers(of: item.policy) {
        lines.add(otherMember, (shownName(member.name, context), PortalValue(member)))
      }
    } text: {
      printText(item, input, context)
    }
  }
}

extension PolicyInput {
  /// Names the members whose values are unknown.
  func noteUnknown(_ context: CommandContext) {
    let named = policies.map { ($0.path, $0.lost) } + lostInOthers.map { ("", $0) }
    for (path, lost) in named where !lost.isEmpty {
      let place = path.isEmpty ? name : "\(name): \(path)"
      context.note(
        "\(place): the value of \(lost.sorted().map { PolicyReport.shownName($0, context) }.joined(separator: ", ")) is unknown. "
          + "Next: \(next("pj policy lint"))")
    }
  }
}
