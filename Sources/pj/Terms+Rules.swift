import AppProtection
import AppProtectionInsight
import CommandLineInterface
import Forensics
import PolicyDocuments
import PolicySettings

/// The rules that decide, those of lint, and what settles the rest.
extension Terms {
  static var conditions: [Term] {
    LaunchRule.allCases.map { rule in
      Term(
        .condition, rule.id, "a launch condition", page: "ConditionalLaunch",
        [
          .paragraph("It is not met where \(rule.statement)."), .definitions(settings(of: rule)),
          "pj explain JOURNAL 'launch(ACCOUNT)' compares its values.",
        ])
    }
  }

  /// The settings that a condition reads; those of versions have one for each outcome.
  private static func settings(of rule: LaunchRule) -> [HelpBlock.Definition] {
    let outcomes: [LaunchOutcome] = [.warn, .block, .wipe]
    let lists = outcomes.map { rule.settings(for: $0).joined(separator: ", ") }
    guard let first = lists.first, !first.isEmpty else { return [] }
    if Set(lists).count == 1 { return [.init("settings", first + ".")] }
    return zip(outcomes, lists).map { .init($0.name, $1 + ".") }
  }

  static var deadlines: [Term] {
    Deadline.Kind.allCases.map { kind in
      let settings = [kind.settings.demand, kind.settings.interval].compactMap { $0?.name }
      return Term(
        .deadline, kind.id, "a deadline", page: "ConditionalLaunch",
        [
          .paragraph("What comes: \(kind.statement)."),
          .definitions(
            (settings.isEmpty ? [] : [.init("settings", settings.joined(separator: ", ") + ".")]) + [
              .init("clock", Term.sentence(kind.clock)), .init("moved by", Term.sentence(kind.movedBy)),
            ]), "pj explain JOURNAL 'due(ACCOUNT)' says when. pj policy due FILE says it of a policy.",
        ])
    }
  }

  static var rules: [Term] {
    let deadlines = Set(Deadline.Kind.allCases.map(\.id))
    return RuleDescription.all.filter { !deadlines.contains($0.name) }.map { rule in
      Term(
        .rule, rule.name, rule.statement.isEmpty ? "a rule that refuses a command" : "a rule",
        page: "DataProtectionDecisions", body(of: rule))
    }
  }

  private static func body(of rule: RuleDescription) -> [HelpBlock] {
    var body: [HelpBlock] = []
    if !rule.statement.isEmpty { body.append(.paragraph("It asks whether \(rule.statement).")) }
    if !rule.outcomes.isEmpty {
      body.append(.definitions(rule.outcomes.map { .init($0.name, Term.sentence($0.reason)) }))
    }
    if let assumption = rule.assumption {
      body.append(.paragraph("It rests on the assumption \(assumption), which settles what no source publishes."))
    }
    let table = rule.name.prefix { $0 != "." }
    for form in AppProtectionMachine.questions where form.name == table {
      body.append(
        .paragraph("pj explain JOURNAL '\(QuestionText<AppProtectionMachine>.usage(of: form))' asks \(form.meaning)."))
    }
    return body
  }

  static var policyLint: [Term] {
    PolicyRule.allCases.map { rule in
      lint(.policyLint, rule.id, rule.severity.rawValue, rule.meaning, rule.source, page: "PolicyLintRules")
    }
  }

  static var settingsLint: [Term] {
    SettingsRule.allCases.map { rule in
      lint(.settingsLint, rule.rawValue, rule.severity.rawValue, rule.meaning, rule.source, page: "Settings")
    }
  }

  private static func lint(
    _ kind: Term.Kind, _ name: String, _ severity: String, _ meaning: String, _ source: String, page: String
  ) -> Term {
    Term(
      kind, name, "a \(kind.name), whose findings are \(severity)s", page: page,
      [.paragraph(meaning), .paragraph("Source: \(source).")])
  }

  static var assumptions: [Term] {
    Assumptions.descriptor.fields.map { choice in
      Term(
        .assumption, choice.name, "an assumption where no source publishes a rule", page: "NamedAssumptions",
        [
          .paragraph("What it settles: \(choice.meaning)."),
          .paragraph("pj state JOURNAL --path /settings/assumptions/\(choice.name) shows what a journal assumes."),
        ])
    }
  }
}
