import CommandLineInterface
import CommandSupport
import PolicyDocuments
import PolicySettings

/// What `pj settings check` prints.
enum SettingsCheckReport {
  /// Prints the findings of every app.
  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    let form = try CheckFormat(context)
    var checks = CheckList("pj settings check")
    if form == nil { context.begin(records, ()) }
    var findings: [SettingsFinding] = []
    var files = 0
    var isUnreadable = false
    func refuse(_ path: String, _ failure: Failure) {
      isUnreadable = true
      form == nil ? context.show(.unreadable, (path, failure.message)) : checks.addError(path, failure.message)
      context.note(failure)
    }
    for word in words {
      do throws(Failure) {
        let app = try AppInput(word, context)
        for (path, failure) in app.failures { refuse(path, failure) }
        for (path, note) in app.notes {
          context.note("\(path): \(note)")
          if form != nil { checks.add(unknown(note, path)) }
        }
        for finding in app.findings {
          let path = finding.file ?? word
          form == nil ? SettingsReport.print(finding, path, context) : checks.add(check(finding, path))
        }
        for path in app.files where !app.findings.contains(where: { $0.file == path }) {
          checks.add(
            CheckList.Check(rule: "check", meaning: "no rule finds anything", file: path, path: "", problem: nil))
        }
        findings += app.findings
        files += app.files.count
        guard !app.files.isEmpty || !app.failures.isEmpty else {
          throw Failure(.unreadable, "\(word): nothing of this could be checked", next: "pj help settings")
        }
      } catch {
        refuse(word, error)
      }
    }
    let isClean = findings.allSatisfy { $0.rule.severity == .note }
    let code: ExitCode = isUnreadable ? .unreadable : isClean ? .done : .different
    if let form {
      form.print(checks, to: context)
      return code
    }
    context.end(records, (findings, files), code) {
      if files > 0 { context.output.line(SettingsReport.conclusion(findings, files: files)) }
    }
    return code
  }

  /// What remains unknown, as a check with a note.
  private static func unknown(_ note: String, _ file: String) -> CheckList.Check {
    CheckList.Check(
      rule: "unknown", meaning: "what the check needs is known", file: file, path: "",
      problem: CheckList.Problem(severity: .note, message: note))
  }

  /// A finding as a check that fails.
  private static func check(_ finding: SettingsFinding, _ file: String) -> CheckList.Check {
    let severity: PolicyRule.Severity =
      switch finding.rule.severity {
      case .error: .error
      case .warning: .warning
      case .note: .note
      }
    let path = "\(finding.path)"
    return CheckList.Check(
      rule: finding.rule.rawValue, meaning: finding.rule.meaning, file: file, path: path,
      problem: CheckList.Problem(
        severity: severity, message: "\(finding.message); \(finding.remedy)", place: DocumentPlace(finding.position)))
  }

  /// What `-j` writes.
  static let records = JSONOutput<Void, (findings: [SettingsFinding], files: Int)>(
    "settings.check", [SettingsReport.findingRecord, JSONRecord.unreadable], end: SettingsReport.counts)
}
