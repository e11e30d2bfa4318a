import CommandLineInterface
import CommandSupport
import EventSourcing
import JSON
import PlainText
import PolicyDocuments
import PolicySettings
import PropertyList
import SensitiveText

/// What `pj settings lint` and `pj settings show` print.
enum SettingsReport {
  // MARK: Lint

  /// Prints the findings of every file. One that cannot be read does not keep the others from being checked.
  static func lint(_ paths: [String], _ context: CommandContext) -> ExitCode {
    context.begin(lintRecords, ())
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
        for finding in document.findings { print(finding, path, context) }
        findings += document.findings
      } catch {
        unreadable += 1
        context.show(.unreadable, (path, error.message))
        context.note(error)
      }
    }
    let compared = AppComparison(documents: documents, entitlements: entitlements).findings
    for finding in compared { print(finding, finding.file ?? "", context) }
    findings += compared
    let isClean = findings.allSatisfy { $0.rule.severity == .note }
    let code: ExitCode = unreadable > 0 ? .unreadable : isClean ? .done : .different
    let files = paths.count - unreadable
    context.end(lintRecords, (findings, files), code) {
      if files > 0 { context.output.line(conclusion(findings, files: files)) }
    }
    return code
  }

  static func print(_ finding: SettingsFinding, _ path: String, _ context: CommandContext) {
    context.show(findingRecord, (path, finding)) { context.output.line(line(finding, context), hanging: 9) }
  }

  private static func line(_ finding: SettingsFinding, _ context: CommandContext) -> String {
    let severity = finding.rule.severity
    let color: Style.Attribute = severity == .error ? .red : severity == .warning ? .yellow : .cyan
    let word = context.style.apply([color], to: severity.rawValue)
    let fill = String(repeating: " ", count: max(0, 9 - severity.rawValue.count))
    return word + fill + TerminalText.visible("\(finding)")
  }

  /// What `pj settings lint -j` writes.
  static let lintRecords = JSONOutput<Void, (findings: [SettingsFinding], files: Int)>(
    "settings.lint", [findingRecord, JSONRecord.unreadable], end: counts)

  /// What the last record of findings counts.
  static let counts: [JSONMember<(findings: [SettingsFinding], files: Int)>] =
    SettingsRule.Severity.allCases.map { severity in
      .init(severity.rawValue + "s") { $0.findings.count { $0.rule.severity == severity } }
    } + [.init("files", \.files)]

  static let findingRecord = JSONRecord<(file: String, finding: SettingsFinding)>(
    "finding",
    [
      .init("file", \.file), .init("severity", \.finding.rule.severity), .init("rule", \.finding.rule.rawValue),
    ] + DocumentPlace.members.of { DocumentPlace($0.finding.position) } + [
      .init("path") { "\($0.finding.path)" }, .init("message", \.finding.message),
      .init("remedy", \.finding.remedy), .init("source", \.finding.rule.source),
    ])

  static func conclusion(_ findings: [SettingsFinding], files: Int) -> String {
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
    context.begin(showRecords, ())
    for (index, path) in paths.enumerated() {
      let document = try SettingsInput.document(path, context)
      if let finding = document.findings.first(where: { $0.rule == .noSettings }) {
        throw Failure(.unreadable, "\(finding)", next: "pj settings lint \(path.shellWord)")
      }
      context.show(settingRecord, each: SettingDescriptor.all.map { (path, $0, document) }) {
        if paths.count > 1 { context.output.line((index > 0 ? "\n" : "") + TerminalText.visible(path)) }
        context.print(table(document))
      }
      let unread = document.findings.count { $0.rule.severity == .error }
      if unread > 0 {
        context.note("\(path): \(unread.counted("error")). Next: pj settings lint \(path.shellWord)")
      }
    }
    context.end(showRecords, paths.count, .done)
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

  /// What `pj settings show -j` writes.
  static let showRecords = JSONOutput<Void, Int>("settings.show", [settingRecord], end: [.init("files") { $0 }])

  private static let settingRecord = JSONRecord<(file: String, row: SettingDescriptor, document: SettingsDocument)>(
    "setting",
    [
      .init("file", \.file), .init("key", \.row.key),
      .init("value") { setting in
        setting.document.isGiven(setting.row.key) && setting.row.privacy == .secret
          ? ["redacted": "secret"] : setting.row.value(in: setting.document.settings).map(SettingKeysReport.json)
      }, .init("isDefault") { !$0.document.isGiven($0.row.key) },
    ] + DocumentPlace.members.of { row in row.document.position(of: row.row.key).flatMap { DocumentPlace($0) } })
}

extension SettingsRule.Severity: JSONWord {}
