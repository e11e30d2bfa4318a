import CommandLineInterface
import JSON
import PolicyDocuments

/// What `pj policy lint` prints.
enum PolicyLintReport {
  /// Prints the findings of everything that was named. What cannot be read does not keep the rest from being checked.
  static func run(_ words: [String], _ context: CommandContext) -> ExitCode {
    if context.isJSON { context.output.line(.startRecord("policy.lint")) }
    var findings: [PolicyFinding] = []
    var policies = 0
    var trouble = ExitCode.done
    context.environment.progress?.begin("checking", total: UInt64(words.count), in: .items("files"))
    for word in words {
      defer { context.environment.progress?.note(1) }
      do throws(Failure) {
        let input = try PolicyInput(word, context)
        for item in input.policies {
          policies += 1
          for finding in item.findings { context.output.line(line(finding, item, word, context), hanging: 9) }
          findings += item.findings
        }
        for refusal in input.refusals { context.note("\(refusal)") }
        if input.policies.isEmpty { context.note("\(word): there is no policy in it. Next: pj policy show \(word)") }
        input.reading?.note(context)
        if input.exitCode.rawValue > trouble.rawValue { trouble = input.exitCode }
      } catch {
        if error.exitCode.rawValue > trouble.rawValue { trouble = error.exitCode }
        if context.isJSON {
          context.output.line(
            .record("unreadable", [.init("file", .string(word)), .init("error", .string(error.message))]))
        }
        context.output.flush()
        context.notes.line(error.line(of: context.arguments.command.name))
      }
    }
    let isClean = findings.allSatisfy { $0.rule.severity == .note }
    let code: ExitCode = trouble != .done ? trouble : isClean ? .done : .different
    if context.isJSON {
      context.output.line(.endRecord(code, counts(findings) + [.init("policies", .number(policies))]))
    } else if policies > 0 {
      context.output.line(conclusion(findings, policies))
    }
    return code
  }

  private static func line(
    _ finding: PolicyFinding, _ item: PolicyFile.Item, _ word: String, _ context: CommandContext
  ) -> String {
    guard !context.isJSON else {
      return .record(
        "finding",
        [
          .init("file", .string(word)), .init("policy", .string(item.path)),
          .init("severity", .string(finding.rule.severity.rawValue)), .init("rule", .string(finding.rule.rawValue)),
        ] + place(finding.place) + [
          .init("setting", .string(finding.setting)), .init("message", .string(finding.message)),
          .init("remedy", .string(finding.remedy)), .init("source", .string(finding.rule.source)),
        ])
    }
    let severity = finding.rule.severity
    let color: Style.Attribute = severity == .error ? .red : severity == .warning ? .yellow : .cyan
    let fill = String(repeating: " ", count: max(0, 9 - severity.rawValue.count))
    let place = finding.file == nil ? "\(word): \(finding)" : "\(finding)"
    return context.style.apply([color], to: severity.rawValue) + fill + TerminalText.visible(place)
      + context.style.apply([.dim], to: " [\(finding.rule.rawValue)]")
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

  private static func conclusion(_ findings: [PolicyFinding], _ policies: Int) -> String {
    let place = "in \(policies) polic\(policies == 1 ? "y" : "ies")"
    guard !findings.isEmpty else { return "No findings \(place)." }
    let counts = PolicyRule.Severity.allCases.compactMap { severity -> String? in
      let count = findings.count { $0.rule.severity == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    return "\(counts.joined(separator: ", ")) \(place)."
  }
}
