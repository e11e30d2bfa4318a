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
    let form = try CheckFormat(context)
    let report = form == nil ? try ReportInput(context) : nil
    var checks = CheckList("pj policy lint")
    var tables = LintTables()
    context.begin(records, ())
    var findings: [PolicyFinding] = []
    var severities: [PolicyRule.Severity] = []
    var policies = 0
    var configurations = 0
    var tenant = TenantLint()
    var clean: [LintTables.Place] = []
    func print(_ found: [PolicyFinding], _ path: String, _ file: String) -> [LintTables.Shown] {
      findings += found
      var shown: [LintTables.Shown] = []
      for finding in found {
        guard let severity = profile?.severity(of: finding) ?? (profile == nil ? finding.rule.severity : nil) else {
          continue
        }
        severities.append(severity)
        shown.append((finding, severity))
        guard report == nil else { continue }
        guard form == nil else {
          checks.add(check(finding, severity, path, file))
          continue
        }
        context.show(findingRecord, (finding, severity, path, file)) {
          context.output.line(line(finding, severity, file, context), hanging: 9)
        }
      }
      return shown
    }
    let inputs = PolicyInputs(words, context) { input, inputs in
      for item in input.policies {
        policies += 1
        let shown = print(item.findings, item.path, input.name)
        let place = LintTables.Place(file: input.name, path: item.path)
        tables.add(
          PolicyReport.column(of: item, at: place.text, context), at: place,
          of: item.policy.kind.platform.rawValue, shown)
        // A document all of whose findings are silenced passes, and does not vanish.
        if shown.isEmpty { clean.append(place) }
        // Policies of accounts are those that devices have, and no tenant's.
        if input.shape != nil { tenant.add(item, in: input.name) }
      }
      let isConfigured = input.others.contains { if case .appConfiguration = $0 { true } else { false } }
      let shown = print(input.configurationFindings, "", input.name)
      if isConfigured || !input.configurationFindings.isEmpty, shown.isEmpty {
        clean.append(LintTables.Place(file: input.name, path: ""))
      }
      tables.add(configurations: input, shown, context)
      // Files that are named one by one are few of a tenant's documents.
      if !input.isFromExport || input.continuation != nil || input.refusals.contains(where: \.isBroken) {
        tenant.isIncomplete = true
      }
      for (document, lost) in zip(input.others, input.lostInOthers) {
        tenant.add(document, lacking: lost, isPartial: input.isPartial, in: input.name)
        guard case .appConfiguration = document else {
          inputs.skip(document.kindName)
          continue
        }
        configurations += 1
      }
    }
    if !inputs.failures.isEmpty { tenant.isIncomplete = true }
    for found in tenant.findings {
      let place = LintTables.Place(file: found.finding.file ?? "", path: found.path)
      tables.add(shared: print([found.finding], place.path, place.file), at: place)
    }
    clean.removeAll { tables.hasShared(at: $0) }
    for place in clean { checks.add(Self.clean(place)) }
    let unchecked = tenant.unchecked
    if !unchecked.isEmpty {
      context.note(
        "what only \(unchecked.joined(separator: " and ")) would show is not checked. Next: export them, too")
    }
    JournalSeeking.note(inputs.journals, in: context)
    let isClean = severities.allSatisfy { $0 == .note }
    for entry in profile?.idle(beside: findings) ?? [] { noteIdle(entry, context) }
    // Nothing was checked: that is no answer.
    let isEmpty = policies + configurations == 0
    let judged = inputs.exitCode(ofNothing: isEmpty)
    let code: ExitCode = judged != .done ? judged : isClean ? .done : .different
    let silenced = profile.map { _ in findings.count - severities.count }
    let summary = TerminalText.visible(
      conclusion(severities, policies, configurations) + (silenced.map { ", \($0) silenced" } ?? "")
        + (inputs.skippedText.map { "; \($0)" } ?? "") + ".")
    if isEmpty, inputs.exitCode == .done {
      context.note("no policy and no app configuration was checked. Next: \(PolicyInputs.list(words))")
    }
    if form != nil || report != nil {
      checks.addErrors(of: inputs, endingWith: code)
      form?.print(checks, to: context)
      if !isEmpty { report?.print(tables.report(summary, clean: clean.count), to: context) }
      return code
    }
    context.end(
      records, (severities, policies, configurations, inputs, silenced), code, of: inputs.journals
    ) {
      guard policies + configurations > 0 || inputs.skippedText != nil else { return }
      context.output.line(summary)
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

  /// A finding as a check that fails.
  private static func check(
    _ finding: PolicyFinding, _ severity: PolicyRule.Severity, _ path: String, _ file: String
  ) -> CheckList.Check {
    CheckList.Check(
      rule: finding.rule.id, meaning: finding.rule.meaning, file: file, path: path,
      problem: CheckList.Problem(
        severity: severity, message: "\(finding.setting): \(finding.message); \(finding.remedy)", place: finding.place))
  }

  /// A document without findings.
  private static func clean(_ place: LintTables.Place) -> CheckList.Check {
    CheckList.Check(rule: "lint", meaning: "no rule finds anything", file: place.file, path: place.path, problem: nil)
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
