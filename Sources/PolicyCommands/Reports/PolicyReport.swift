import AppProtection
import CommandLineInterface
import CommandSupport
import Forensics
import JSON
import PolicyDocuments

/// What `pj policy show` prints.
enum PolicyReport {
  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    if let report = try ReportInput(context) { return run(words, as: report, context) }
    if context.isJSON { context.output.line(.startRecord("policy.show")) }
    var count = 0
    let inputs = PolicyInputs(words, context) { input, _ in
      for item in input.policies {
        if !context.isJSON, count > 0 { context.output.line() }
        count += 1
        context.isJSON ? printJSON(item, input, context) : printText(item, input, context)
      }
      for document in input.others {
        if !context.isJSON, count > 0 { context.output.line() }
        count += 1
        print(document, input, context)
      }
    }
    JournalSeeking.note(inputs.journals, in: context)
    if context.isJSON {
      context.output.line(
        .endRecord(
          inputs.exitCode,
          [.init("documents", .number(count)), inputs.skippedMember] + JournalSeeking.members(inputs.journals)))
    } else if let skipped = inputs.skippedText, !inputs.namesRefusals {
      context.note(skipped)
    }
    return inputs.exitCode
  }

  // MARK: Text

  private static func printText(_ item: PolicyFile.Item, _ input: PolicyInput, _ context: CommandContext) {
    let heading = [input.name, item.path.isEmpty ? nil : item.path, item.place?.description].compactMap { $0 }
    context.output.line(TerminalText.visible(heading.joined(separator: ": ")))
    var table = TextTable([TextColumn(""), TextColumn("")])
    var unset = 0
    var group: PortalGroup?
    for setting in PortalSetting.all(on: item.policy.kind.platform) {
      let value = setting.value(in: item.policy)
      guard value != nil || context.arguments.flag("all") else {
        unset += 1
        continue
      }
      if setting.group != group {
        table.append([TextCell(item.policy.kind.platform.heading(of: setting.group), [.bold])])
      }
      group = setting.group
      table.append([
        TextCell("  " + setting.title),
        TextCell(value.map { shown($0, context) } ?? "Not configured"),
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

  /// A value as text: where it is withheld, what names no person, and the word that the rest is withheld.
  static func shown(_ value: PortalValue, _ context: CommandContext) -> String {
    if !isHidden(value, context), let words = context.redaction.shown(value.words) {
      return TerminalText.visible(words)
    }
    return [value.summary, context.redaction.placeholder(for: .account)].compactMap { $0 }.joined(separator: " ")
  }

  static func isHidden(_ value: PortalValue, _ context: CommandContext) -> Bool {
    value.isPrivate && !context.redaction.shows(.account)
  }

  private static func print(_ document: ManagementDocument, _ input: PolicyInput, _ context: CommandContext) {
    if context.isJSON {
      var titles: [String: Int] = [:]
      let rows = document.rows.map { row in
        let title = shownName(row.title, context)
        // Members of an object have names of their own.
        titles[title, default: 0] += 1
        let number = titles[title].flatMap { $0 > 1 ? " (\($0))" : nil } ?? ""
        return JSONObject.Member(title + number, json(row.shown, context))
      }
      context.output.line(
        .record(
          "document",
          [
            .init("file", .string(input.name)), .init("type", .string(document.kindName)), .init("rows", .object(rows)),
          ]))
      return
    }
    context.output.line(TerminalText.visible("\(input.name): \(document.kindName)"))
    var table = TextTable([TextColumn(""), TextColumn("")])
    for row in document.rows {
      table.append([
        TextCell("  " + TerminalText.visible(shownName(row.title, context))), TextCell(shown(row.shown, context)),
      ])
    }
    context.print(table)
  }

  /// A policy's name.
  static func name(of policy: PolicyDocument) -> PortalValue? {
    PortalSetting.showing(.displayName, on: policy.kind.platform)?.value(in: policy)
  }

  // MARK: JSON

  static func json(_ value: PortalValue?, _ context: CommandContext) -> JSONValue {
    guard let value else { return .null }
    if !isHidden(value, context), let words = context.redaction.shown(value.words) { return .string(words) }
    return .object(
      [.init("redacted", .string("account"))] + (value.summary.map { [.init("summary", .string($0))] } ?? []))
  }

  /// A setting as the document has it. One that no form explains is withheld where the setting may name persons, and any
  /// where an address is in it.
  private static func json(
    _ value: JSONValue, of row: PolicyProperty, in policy: PolicyDocument, _ context: CommandContext
  ) -> JSONValue {
    let isExplained = if case .value = policy[row] { true } else { value == .null }
    guard isExplained || context.redaction.shows(row.privacy), let shown = context.redaction.shown(value) else {
      return .object([.init("redacted", .string("account"))])
    }
    return shown.withoutSecrets(of: row)
  }

  private static func printJSON(_ item: PolicyFile.Item, _ input: PolicyInput, _ context: CommandContext) {
    context.output.line(
      .record(
        "policy",
        [
          .init("file", .string(input.name)), .init("path", .string(item.path)),
          .init("encoding", .string(item.isFromDevice ? "device" : "graph")),
          .init("type", .string(item.policy.kind.rawValue)),
          .init("name", json(PolicyReport.name(of: item.policy), context)),
        ]))
    let graph = item.policy.graphJSON().object
    for setting in PortalSetting.all(on: item.policy.kind.platform) {
      let value = setting.value(in: item.policy)
      guard value != nil || context.arguments.flag("all") else { continue }
      let values = setting.properties.compactMap { row in
        graph?[row.name].map { JSONObject.Member(row.name, self.json($0, of: row, in: item.policy, context)) }
      }
      let isHidden = value.map { self.isHidden($0, context) } ?? false
      context.output.line(
        .record(
          "setting",
          [
            .init("group", .string(item.policy.kind.platform.heading(of: setting.group))),
            .init("title", .string(setting.title)),
            .init("value", json(value, context)),
            .init("properties", isHidden ? .object([.init("redacted", .string("account"))]) : .object(values)),
          ]))
    }
    for member in otherMembers(of: item.policy) {
      context.output.line(
        .record(
          "otherMember",
          [
            .init("name", .string(shownName(member.name, context))),
            .init("value", json(PortalValue(member), context)),
          ]))
    }
  }
}
