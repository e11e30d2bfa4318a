import CommandLineInterface
import CommandSupport
import JSON
import PlainText
import PolicyDocuments

/// What `pj policy lint` prints.
enum PolicyLintReport {
  /// Prints the findings of everything that was named.
  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    let profile = try profile(context)
    context.begin(records, ())
    var findings: [PolicyFinding] = []
    var severities: [PolicyRule.Severity] = []
    var policies = 0
    var configurations = 0
    let inputs = PolicyInputs(words, context) { input, inputs in
      for item in input.policies {
        policies += 1
        print(item.findings, item.path)
      }
      print(input.configurationFindings, "")
      func print(_ found: [PolicyFinding], _ path: String) {
        findings += found
        for finding in found {
          guard let severity = profile?.severity(of: finding) ?? (profile == nil ? finding.rule.severity : nil) else {
            continue
          }
          severities.append(severity)
          context.show(findingRecord, (finding, severity, path, input.name)) {
            context.output.line(line(finding, severity, input.name, context), hanging: 9)
          }
        }
      }
      for document in input.others {
        if case .appConfiguration = document { configurations += 1 } else { inputs.skip(document.kindName) }
      }
    }
    JournalSeeking.note(inputs.journals, in: context)
    let isClean = severities.allSatisfy { $0 == .note }
    for entry in profile?.idle(beside: findings) ?? [] { noteIdle(entry, context) }
    // Nothing was checked: that is no answer.
    let isEmpty = policies + configurations == 0
    let judged = inputs.exitCode(ofNothing: isEmpty)
    let code: ExitCode = judged != .done ? judged : isClean ? .done : .different
    let silenced = profile.map { _ in findings.count - severities.count }
    if isEmpty, inputs.exitCode == .done {
      context.note("no policy and no app configuration was checked. Next: \(PolicyInputs.list(words))")
    }
    context.end(
      records, (severities, policies, configurations, inputs, silenced), code, of: inputs.journals
    ) {
      guard policies + configurations > 0 || inputs.skippedText != nil else { return }
      let skipped = inputs.skippedText.map { "; \($0)" } ?? ""
      let silenced = silenced.map { ", \($0) silenced" } ?? ""
      context.output.line(
        TerminalText.visible(conclusion(severities, policies, configurations) + silenced + skipped + "."))
    }
    return code
  }

  /// The profile that is named; `nil` if none is.
  private static func profile(_ context: CommandContext) throws(Failure) -> LintProfile? {
    guard let path = context.arguments.value(of: "profile") else { return nil }
    let bytes = try FileInput.bytes(of: path)
    do throws(JSONError) {
      return try LintProfile.read(bytes)
    } catch {
      throw Failure(.wrongUse, "--profile \(path): \(error)", next: "pj help policy")
    }
  }

  /// Says that an entry of the profile silences nothing: its rule may have got another name, or its cause is gone.
  private static func noteIdle(_ entry: LintProfile.Entry, _ context: CommandContext) {
    context.show(idle, entry)
    let place = [context.arguments.value(of: "profile"), entry.place?.description].compactMap(\.self)
    context.note("\(place.joined(separator: ": ")): \(entry.rule.id) silences nothing; remove it, or check the rule")
  }

  private static func line(
    _ finding: PolicyFinding, _ severity: PolicyRule.Severity, _ word: String, _ context: CommandContext
  ) -> String {
    let color: Style.Attribute = severity == .error ? .red : severity == .warning ? .yellow : .cyan
    let fill = String(repeating: " ", count: max(0, 9 - severity.rawValue.count))
    let place = finding.file == nil ? "\(word): \(finding)" : "\(finding)"
    return context.style.apply([color], to: severity.rawValue) + fill + TerminalText.visible(place)
      + context.style.apply([.dim], to: " [\(finding.rule.id)]")
  }

  /// What `-j` writes.
  static let records = JSONOutput<Void, End>(
    "policy.lint", [findingRecord, idle, JSONRecord.unreadable],
    end: PolicyRule.Severity.allCases.map { severity in
      .init(severity.rawValue + "s") { $0.severities.count { $0 == severity } }
    } + [
      .init("policies", \.policies), .init("configurations", \.configurations), JSONMember.skipped.of(\.inputs),
      .ifAny("silenced", \.silenced),
    ])

  /// What the last record counts.
  typealias End = (
    severities: [PolicyRule.Severity], policies: Int, configurations: Int, inputs: PolicyInputs, silenced: Int?
  )

  private static let findingRecord = JSONRecord<
    (finding: PolicyFinding, severity: PolicyRule.Severity, path: String, file: String)
  >(
    "finding",
    [
      .init("file", \.file), .init("policy", \.path), .init("severity", \.severity),
      .init("rule", \.finding.rule.id),
    ] + DocumentPlace.members.of(\.finding.place) + [
      .init("setting", \.finding.setting), .init("message", \.finding.message), .init("remedy", \.finding.remedy),
      .init("source", \.finding.source),
    ])

  private static let idle = JSONRecord<LintProfile.Entry>(
    "idle", [.init("rule", \.rule.id), .init("reason", \.reason)])

  private static func conclusion(_ severities: [PolicyRule.Severity], _ policies: Int, _ configurations: Int) -> String
  {
    var documents: [String] = []
    if policies > 0 || configurations == 0 { documents.append(policies.counted("policy", "policies")) }
    if configurations > 0 {
      documents.append(configurations.counted("app configuration"))
    }
    let counts = PolicyRule.Severity.allCases.compactMap { severity -> String? in
      let count = severities.count { $0 == severity }
      return count == 0 ? nil : count.counted(severity.rawValue)
    }
    let found = counts.isEmpty ? "No findings" : counts.joined(separator: ", ")
    return "\(found) in \(documents.joined(separator: " and "))"
  }
}

extension PolicyRule.Severity: JSONWord {}
