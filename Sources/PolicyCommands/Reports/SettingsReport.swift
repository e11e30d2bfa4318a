import CommandLineInterface
import CommandSupport
import EventSourcing
import JSON
import PlainText
import PolicySettings
import PropertyList
import SensitiveText

/// What `pj settings lint` and `pj settings show` print.
enum SettingsReport {
  // MARK: Lint

  /// Prints the findings of every file. One that cannot be read does not keep the others from being checked.
  static func lint(_ paths: [String], _ context: CommandContext) -> ExitCode {
    if context.isJSON { context.output.line(.startRecord("settings.lint")) }
    var findings: [SettingsFinding] = []
    var documents: [SettingsDocument] = []
    var entitlements: [EntitlementsDocument] = []
    var unreadable = 0
    for path in paths {
      do throws(Failure) {
        let list = try SettingsInput.propertyList(path, context)
        if let document = EntitlementsDocument(list, file: path) {
          entitlements.append(document)
          continue
        }
        let document = SettingsDocument(list, file: path)
        documents.append(document)
        for finding in document.findings { context.output.line(line(finding, path, context), hanging: 9) }
        findings += document.findings
      } catch {
        unreadable += 1
        if context.isJSON {
          context.output.line(
            .record("unreadable", [.init("file", .string(path)), .init("error", .string(error.message))]))
        }
        context.note(error)
      }
    }
    let compared = AppComparison(documents: documents, entitlements: entitlements).findings
    for finding in compared { context.output.line(line(finding, finding.file ?? "", context), hanging: 9) }
    findings += compared
    let isClean = findings.allSatisfy { $0.rule.severity == .note }
    let code: ExitCode = unreadable > 0 ? .unreadable : isClean ? .done : .different
    if context.isJSON {
      context.output.line(.endRecord(code, counts(findings) + [.init("files", .number(paths.count - unreadable))]))
    } else if unreadable < paths.count {
      context.output.line(conclusion(findings, files: paths.count - unreadable))
    }
    return code
  }

  private static func line(_ finding: SettingsFinding, _ path: String, _ context: CommandContext) -> String {
    guard !context.isJSON else { return .record("finding", members(of: finding, path)) }
    let severity = finding.rule.severity
    let color: Style.Attribute = severity == .error ? .red : severity == .warning ? .yellow : .cyan
    let word = context.style.apply([color], to: severity.rawValue)
    let fill = String(repeating: " ", count: max(0, 9 - severity.rawValue.count))
    return word + fill + TerminalText.visible("\(finding)")
  }

  private static func members(of finding: SettingsFinding, _ path: String) -> [JSONObject.Member] {
    [
      .init("file", .string(path)), .init("severity", .string(finding.rule.severity.rawValue)),
      .init("rule", .string(finding.rule.rawValue)),
    ] + place(finding.position) + [
      .init("path", .string("\(finding.path)")), .init("message", .string(finding.message)),
      .init("remedy", .string(finding.remedy)), .init("source", .string(finding.rule.source)),
    ]
  }

  /// A place, as members of a record.
  static func place(_ position: PropertyListPosition?) -> [JSONObject.Member] {
    switch position {
    case .text(let line, let column): [.init("line", .number(line)), .init("column", .number(column))]
    case .byte(let offset): [.init("byte", .number(offset))]
    case .program, nil: []
    }
  }

  private static func counts(_ findings: [SettingsFinding]) -> [JSONObject.Member] {
    SettingsRule.Severity.allCases.map { severity in
      .init(severity.rawValue + "s", .number(findings.count { $0.rule.severity == severity }))
    }
  }

  private static func conclusion(_ findings: [SettingsFinding], files: Int) -> String {
    let place = "in \(files.counted("file"))"
    guard !findings.isEmpty else { return "No findings \(place)." }
    let counts = SettingsRule.Severity.allCases.compactMap { severity -> String? in
      let count = findings.count { $0.rule.severity == severity }
      return count == 0 ? nil : count.counted(severity.rawValue)
    }
    return "\(counts.joined(separator: ", ")) \(place). Next: pj settings keys (says what each setting does)"
  }

  // MARK: Show

  /// Prints every setting of every file with its value and where that comes from.
  static func show(_ paths: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    if context.isJSON { context.output.line(.startRecord("settings.show")) }
    for (index, path) in paths.enumerated() {
      let document = try SettingsInput.document(path, context)
      if let finding = document.findings.first(where: { $0.rule == .noSettings }) {
        throw Failure(.unreadable, "\(finding)", next: "pj settings lint \(path.shellWord)")
      }
      if context.isJSON {
        for row in SettingDescriptor.all { context.output.line(.record("setting", members(of: row, document, path))) }
      } else {
        if paths.count > 1 { context.output.line((index > 0 ? "\n" : "") + TerminalText.visible(path)) }
        context.print(table(document))
      }
      let unread = document.findings.count { $0.rule.severity == .error }
      if unread > 0 {
        context.note("\(path): \(unread.counted("error")). Next: pj settings lint \(path.shellWord)")
      }
    }
    if context.isJSON { context.output.line(.endRecord(.done, [.init("files", .number(paths.count))])) }
    return .done
  }

  private static func table(_ document: SettingsDocument) -> TextTable {
    var table = TextTable([TextColumn("setting"), TextColumn("value"), TextColumn("from")])
    for row in SettingDescriptor.all {
      let isGiven = document.isGiven(row.key)
      let value = isGiven ? row.value(in: document.settings).map { "\($0)" } ?? row.absence : row.absence
      let place = document.position(of: row.key).map { isGiven ? "\($0)" : "default: \($0) has no usable value" }
      table.append([
        TextCell(row.key), TextCell(isGiven && row.privacy == .secret ? SecretNames.placeholder : value),
        TextCell(place ?? "default"),
      ])
    }
    return table
  }

  private static func members(
    of row: SettingDescriptor, _ document: SettingsDocument, _ path: String
  ) -> [JSONObject.Member] {
    let isGiven = document.isGiven(row.key)
    let isSecret = isGiven && row.privacy == .secret
    return [
      .init("file", .string(path)), .init("key", .string(row.key)),
      .init(
        "value",
        isSecret
          ? .object([.init("redacted", .string("secret"))])
          : row.value(in: document.settings).map(SettingKeysReport.json) ?? .null),
      .init("isDefault", .bool(!isGiven)),
    ] + place(document.position(of: row.key))
  }
}
