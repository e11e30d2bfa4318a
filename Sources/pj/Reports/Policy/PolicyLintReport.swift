import CommandLineInterface
import JSON
import PolicyDocuments

/// What `pj policy lint` prints.
enum PolicyLintReport {
  /// Prints the findings of everything that was named.
  static func run(_ words: [String], _ context: CommandContext) -> ExitCode {
    if context.isJSON { context.output.line(.startRecord("policy.lint")) }
    var findings: [PolicyFinding] = []
    var policies = 0
    var configurations = 0
    let inputs = PolicyInputs(words, context) { input, inputs in
      for item in input.policies {
        policies += 1
        for finding in item.findings { context.output.line(line(finding, item.path, input.name, context), hanging: 9) }
        findings += item.findings
      }
      for finding in input.configurationFindings {
        context.output.line(line(finding, "", input.name, context), hanging: 9)
      }
      findings += input.configurationFindings
      for document in input.others {
        if case .appConfiguration = document { configurations += 1 } else { inputs.skip(document.kindName) }
      }
    }
    JournalSeeking.note(inputs.journals, in: context)
    let isClean = findings.allSatisfy { $0.rule.severity == .note }
    let code: ExitCode = inputs.exitCode != .done ? inputs.exitCode : isClean ? .done : .different
    if context.isJSON {
      let members: [JSONObject.Member] = [
        .init("policies", .number(policies)), .init("configurations", .number(configurations)), inputs.skippedMember,
      ]
      context.output.line(.endRecord(code, counts(findings) + members + JournalSeeking.members(inputs.journals)))
    } else if policies + configurations > 0 || inputs.skippedText != nil {
      let skipped = inputs.skippedText.map { "; \($0)" } ?? ""
      context.output.line(TerminalText.visible(conclusion(findings, policies, configurations) + skipped + "."))
    }
    return code
  }

  private static func line(
    _ finding: PolicyFinding, _ path: String, _ word: String, _ context: CommandContext
  ) -> String {
    guard !context.isJSON else {
      return .record(
        "finding",
        [
          .init("file", .string(word)), .init("policy", .string(path)),
          .init("severity", .string(finding.rule.severity.rawValue)), .init("rule", .string(finding.rule.id)),
        ] + place(finding.place) + [
          .init("setting", .string(finding.setting)), .init("message", .string(finding.message)),
          .init("remedy", .string(finding.remedy)), .init("source", .string(finding.source)),
        ])
    }
    let severity = finding.rule.severity
    let color: Style.Attribute = severity == .error ? .red : severity == .warning ? .yellow : .cyan
    let fill = String(repeating: " ", count: max(0, 9 - severity.rawValue.count))
    let place = finding.file == nil ? "\(word): \(finding)" : "\(finding)"
    return context.style.apply([color], to: severity.rawValue) + fill + TerminalText.visible(place)
      + context.style.apply([.dim], to: " [\(finding.rule.id)]")
  }

  private static func place(_ place: DocumentPlace?) -> [JSONObject.Member] {
    switch place {
    case .text(let line, let column): [.init("line", .number(line)), .init("column", .number(column))]
    case .byte(let offset): [.init("byte", .number(offset))]
    case nil: []
    }
  }

  private static func counts(_ findings: [PolicyFinding]) -> [JSONObject.Member] {
    PolicyRule.Severity.allCases.map { severity in
      .init(severity.rawValue + "s", .number(findings.count { $0.rule.severity == severity }))
    }
  }

  private static func conclusion(_ findings: [PolicyFinding], _ policies: Int, _ configurations: Int) -> String {
    var documents: [String] = []
    if policies > 0 || configurations == 0 { documents.append("\(policies) polic\(policies == 1 ? "y" : "ies")") }
    if configurations > 0 {
      documents.append("\(configurations) app configuration\(configurations == 1 ? "" : "s")")
    }
    let counts = PolicyRule.Severity.allCases.compactMap { severity -> String? in
      let count = findings.count { $0.rule.severity == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    let found = counts.isEmpty ? "No findings" : counts.joined(separator: ", ")
    return "\(found) in \(documents.joined(separator: " and "))"
  }
}
