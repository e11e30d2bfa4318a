import AppProtection
import CommandLineInterface
import Forensics
import JSON
import PolicyDocuments

/// What `pj policy show` prints.
enum PolicyReport {
  static func run(_ words: [String], _ context: CommandContext) -> ExitCode {
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
    if context.isJSON {
      context.output.line(.endRecord(inputs.exitCode, [.init("documents", .number(count)), inputs.skippedMember]))
    } else if let skipped = inputs.skippedText {
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
    var group: PortalSetting.Group?
    for setting in PortalSetting.all {
      let words = setting.words(item.policy)
      guard words != nil || context.arguments.flag("all") else {
        unset += 1
        continue
      }
      if setting.group != group { table.append([TextCell(setting.group.rawValue, [.bold])]) }
      group = setting.group
      table.append([
        TextCell("  " + setting.title),
        TextCell(words.map { shown($0, isPrivate: setting.isPrivate(in: item.policy), context) } ?? "Not configured"),
      ])
    }
    for member in otherMembers(of: item.policy) {
      if group != nil { table.append([TextCell("Other members", [.bold])]) }
      group = nil
      table.append([
        TextCell("  " + TerminalText.visible(member.name)),
        TextCell(shown(member.json, isPrivate: member.isPersonal, context)),
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
        + "Next: pj policy lint \(input.name)")
  }

  /// What the document has beside settings, without annotations.
  static func otherMembers(of policy: PolicyDocument) -> [KeptMember] {
    policy.keptMembers.filter {
      !$0.name.contains("@") && !$0.name.hasPrefix("#") && PolicyProperty.named($0.name) == nil
    }
  }

  static func shown(_ text: String, isPrivate: Bool, _ context: CommandContext) -> String {
    isPrivate && !context.redaction.shows(.account)
      ? context.redaction.placeholder(for: .account) : TerminalText.visible(text)
  }

  private static func print(_ document: ManagementDocument, _ input: PolicyInput, _ context: CommandContext) {
    if context.isJSON {
      var titles: [String: Int] = [:]
      let rows = document.rows.map { row in
        // Members of an object have names of their own.
        titles[row.title, default: 0] += 1
        let number = titles[row.title].flatMap { $0 > 1 ? " (\($0))" : nil } ?? ""
        return JSONObject.Member(row.title + number, json(row.value, isPrivate: row.isPrivate, context))
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
        TextCell("  " + TerminalText.visible(row.title)), TextCell(shown(row.value, isPrivate: row.isPrivate, context)),
      ])
    }
    context.print(table)
  }

  // MARK: JSON

  static func json(_ text: String?, isPrivate: Bool, _ context: CommandContext) -> JSONValue {
    guard let text else { return .null }
    guard isPrivate, !context.redaction.shows(.account) else { return .string(text) }
    return .object([.init("redacted", .string("account"))])
  }

  private static func printJSON(_ item: PolicyFile.Item, _ input: PolicyInput, _ context: CommandContext) {
    context.output.line(
      .record(
        "policy",
        [
          .init("file", .string(input.name)), .init("path", .string(item.path)),
          .init("encoding", .string(item.isFromDevice ? "device" : "graph")),
          .init("type", .string(item.policy.kind.rawValue)),
          .init("name", item.policy.about.displayName.map(JSONValue.string) ?? .null),
        ]))
    let graph = item.policy.graphJSON().object
    for setting in PortalSetting.all {
      let words = setting.words(item.policy)
      guard words != nil || context.arguments.flag("all") else { continue }
      let values = setting.names.compactMap { name in graph?[name].map { JSONObject.Member(name, $0) } }
      let isPrivate = setting.isPrivate(in: item.policy)
      let isHidden = isPrivate && !context.redaction.shows(.account)
      context.output.line(
        .record(
          "setting",
          [
            .init("group", .string(setting.group.rawValue)), .init("title", .string(setting.title)),
            .init("value", json(words, isPrivate: isPrivate, context)),
            .init("properties", isHidden ? .object([.init("redacted", .string("account"))]) : .object(values)),
          ]))
    }
    for member in otherMembers(of: item.policy) {
      context.output.line(
        .record(
          "otherMember",
          [
            .init("name", .string(member.name)),
            .init("value", json(member.json, isPrivate: member.isPersonal, context)),
          ]))
    }
  }
}
