import AppProtection
import AppProtectionInsight
import CommandLineInterface
import PolicyDocuments
import PolicySettings

/// What `pj help NAME` shows of the names that the commands print: status codes (`222`) and the numbers of wipes (`607`), families
/// of problems (`offline-block`), rules (`saveTo.7`, `launch.offlineAccess`, `T39`, `S-24`), those of lint (`maximumStopsUpdates`)
/// and assumptions.
enum RuleHelp {
  /// What is known of a name.
  private struct Entry {
    var name: String
    var summary: String
    var body: [HelpBlock]
  }

  /// Every name but the numbers.
  static var names: [String] {
    ProblemFamily.allCases.map(\.id) + [page] + LaunchRule.allCases.map(\.id) + RuleDescription.all.map(\.name)
      + TransitionHelp.names + SituationHelp.names + TraceFinding.Kind.allCases.map(\.rawValue)
      + PolicyRule.allCases.map(\.id) + SettingsRule.allCases.map(\.rawValue)
      + Assumptions.descriptor.fields.map(\.name)
  }

  /// The text about a name; `nil` for another one. What a finding names as its page, `Diagnosis#offline-block`, is one, too.
  static func topic(_ word: String) -> HelpTopic? {
    let name = word.split(separator: "#").last.map(String.init) ?? word
    let found = [
      code, family, families, condition, rule, transition, situation, mistake, policyRule, settingsRule, assumption,
    ].compactMap { $0(name) }
    guard let first = found.first else { return nil }
    let body = found.flatMap(\.body)
    return HelpTopic(first.name, first.summary, body)
  }

  private static func isSame(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }

  // MARK: Numbers

  private static func code(_ name: String) -> Entry? {
    guard let number = UInt32(name), name == "\(number)" else { return nil }
    let code = EnrollmentStatusCode(rawValue: number)
    if let entry = code.entry {
      let advice = StatusAdvice.about(code).map { advice in
        HelpBlock.definitions([
          .init("user", sentence(advice.user)), .init("administrator", sentence(advice.administrator)),
          .init("developer", sentence(advice.developer)),
        ])
      }
      return Entry(name: name, summary: entry.name, body: [.paragraph(entry.consequence)] + (advice.map { [$0] } ?? []))
    }
    if WipeReason.descriptor.name(of: UInt64(number)) != nil {
      return Entry(
        name: name, summary: "\(WipeReason(rawValue: number).name), a reason for a wipe",
        body: ["The notice of a wipe carries this number. pj help unexpected-wipe says how its cause is found."])
    }
    guard 100..<1_000 ~= number else { return nil }
    return Entry(
      name: name, summary: "a status code without a description",
      body: [
        .paragraph(sentence(TraceFinding.Kind.unknownCode.meaning)), "pj log JOURNAL --findings shows where it occurs.",
      ])
  }

  // MARK: Problems

  private static let page = "Diagnosis"

  private static func family(_ name: String) -> Entry? {
    guard let family = ProblemFamily.allCases.first(where: { $0.id == name }) else { return nil }
    var body: [HelpBlock] = [.paragraph("A problem that pj diagnose finds; usually \(family.severity.name).")]
    let explained = ProblemFamily.allCases.filter(family.explains.contains).map(\.id)
    if !explained.isEmpty { body.append(.paragraph("It can lead to: \(explained.joined(separator: ", ")).")) }
    body.append(.paragraph("The page \(page) says how it looks, what decides it, and what to do."))
    return Entry(name: family.id, summary: family.title, body: body)
  }

  private static func families(_ name: String) -> Entry? {
    guard isSame(name, page) else { return nil }
    return Entry(
      name: page, summary: "the problems that pj diagnose finds",
      body: [.definitions(ProblemFamily.allCases.map { .init($0.id, sentence($0.title)) })])
  }

  // MARK: Rules

  private static func condition(_ name: String) -> Entry? {
    guard let rule = LaunchRule.allCases.first(where: { $0.id == name }) else { return nil }
    return Entry(
      name: rule.id, summary: "a launch condition",
      body: [
        .paragraph("It is not met where \(rule.statement)."),
        "pj explain JOURNAL 'launch(ACCOUNT)' compares its values.",
      ])
  }

  private static func rule(_ name: String) -> Entry? {
    guard let rule = RuleDescription.all.first(where: { $0.name == name }) else { return nil }
    var body: [HelpBlock] = []
    if !rule.statement.isEmpty { body.append(.paragraph("It asks whether \(rule.statement).")) }
    if !rule.outcomes.isEmpty { body.append(.definitions(rule.outcomes.map { .init($0.name, sentence($0.reason)) })) }
    if let assumption = rule.assumption {
      body.append(.paragraph("It rests on the assumption \(assumption), which settles what no source publishes."))
    }
    return Entry(
      name: rule.name, summary: rule.statement.isEmpty ? "a rule that refuses a command" : "a rule", body: body)
  }

  private static func transition(_ name: String) -> Entry? {
    guard let transition = TransitionHelp.named(name) else { return nil }
    return Entry(
      name: transition.name, summary: "a transition of an account",
      body: [
        .definitions([
          .init("when", sentence(transition.when)), .init("then", sentence(transition.then)),
        ])
      ])
  }

  private static func situation(_ name: String) -> Entry? {
    guard let situation = SituationHelp.named(name) else { return nil }
    return Entry(
      name: situation.name, summary: "a situation of the guides", body: [.paragraph(sentence(situation.text))])
  }

  private static func mistake(_ name: String) -> Entry? {
    guard let kind = TraceFinding.Kind.allCases.first(where: { isSame($0.rawValue, name) }) else { return nil }
    return Entry(
      name: kind.rawValue, summary: "a likely mistake in the app",
      body: [
        .paragraph("As a likely mistake in the app: \(kind.meaning)."),
        "pj log JOURNAL --findings shows where it occurs.",
      ])
  }

  // MARK: Lint

  private static func policyRule(_ name: String) -> Entry? {
    guard let rule = PolicyRule.allCases.first(where: { $0.id == name }) else { return nil }
    return lint(rule.id, "pj policy lint", rule.severity.rawValue, rule.meaning, rule.source, page: "PolicyLintRules")
  }

  private static func settingsRule(_ name: String) -> Entry? {
    guard let rule = SettingsRule(rawValue: name) else { return nil }
    return lint(rule.rawValue, "pj settings lint", rule.severity.rawValue, rule.meaning, rule.source, page: "Settings")
  }

  private static func lint(
    _ name: String, _ command: String, _ severity: String, _ meaning: String, _ source: String, page: String
  ) -> Entry {
    Entry(
      name: name, summary: "a rule of \(command), whose findings are \(severity)s",
      body: [.paragraph(meaning), .paragraph("Source: \(source). The page \(page) lists every rule.")])
  }

  // MARK: Assumptions

  private static func assumption(_ name: String) -> Entry? {
    guard let choice = Assumptions.descriptor.fields.first(where: { $0.name == name }) else { return nil }
    return Entry(
      name: choice.name, summary: "an assumption where no source publishes a rule",
      body: [
        .paragraph("What it settles: \(choice.meaning)."),
        .paragraph("pj state JOURNAL --path /settings/assumptions/\(choice.name) shows what a journal assumes."),
      ])
  }
}
