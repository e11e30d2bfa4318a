import AppProtection

/// A document as lint sees it.
enum LintDocument: Sendable {
  /// An app protection policy.
  case policy(PolicyDocument)
  /// An app configuration.
  case configuration(AppConfigurationDocument)
}

/// A change that lint may advise. It is made to a copy of the document first, and advised only if the whole lint then finds
/// less in that setting, and nothing new elsewhere.
struct LintTrial: Sendable {
  /// The advice: a phrase.
  let words: String
  /// Makes the change; `nil` for what only the owner of the document can fill in.
  private let change: (@Sendable (LintDocument) -> LintDocument?)?

  /// A change of a policy.
  static func policy(_ words: String, _ change: @escaping @Sendable (inout PolicyDocument) -> Void) -> LintTrial {
    LintTrial(words: words) { document in
      guard case .policy(var policy) = document else { return nil }
      change(&policy)
      return .policy(policy)
    }
  }

  /// Another value for a setting, or none.
  static func setting(_ words: String, _ name: String, to value: PolicyValue?) -> LintTrial {
    .policy(words) { policy in
      guard let property = policy.kind.platform.property(named: name) else { return }
      policy[property] = value.map { .value($0) } ?? .absent
    }
  }

  /// A change of an app configuration.
  static func configuration(
    _ words: String, _ change: @escaping @Sendable (inout AppConfigurationDocument) -> Void
  ) -> LintTrial {
    LintTrial(words: words) { document in
      guard case .configuration(var configuration) = document else { return nil }
      change(&configuration)
      return .configuration(configuration)
    }
  }

  /// A change of one setting of an app configuration.
  static func setting(
    _ words: String, of setting: AppConfigurationDocument.Setting,
    _ change: @escaping @Sendable (inout AppConfigurationDocument.Setting) -> Void
  ) -> LintTrial {
    .configuration(words) { configuration in
      if let place = configuration.settings.firstIndex(of: setting) { change(&configuration.settings[place]) }
    }
  }

  /// What only the owner of the document can fill in, so that it cannot be tried.
  static func open(_ words: String) -> LintTrial { LintTrial(words: words, change: nil) }

  /// Whether the change leaves lint less to find.
  ///
  /// - Parameters:
  ///   - finding: What the change is to mend.
  ///   - found: Everything that lint finds without it.
  ///   - lint: Finds everything in a document.
  func mends(
    _ finding: PolicyFinding, among found: [PolicyFinding], in document: LintDocument,
    by lint: (LintDocument) -> [PolicyFinding]
  ) -> Bool {
    guard let change else { return true }
    guard let changed = change(document) else { return false }
    let (before, after) = (Self.counts(found), Self.counts(lint(changed)))
    func total(_ counts: [Key: Int]) -> Int {
      counts.reduce(0) { $0 + ($1.key.setting == finding.setting ? $1.value : 0) }
    }
    return total(after) < total(before) && after.allSatisfy { $0.value <= before[$0.key, default: 0] }
  }

  private struct Key: Hashable {
    let rule: PolicyRule
    let setting: String
  }

  private static func counts(_ findings: [PolicyFinding]) -> [Key: Int] {
    Dictionary(findings.map { (Key(rule: $0.rule, setting: $0.setting), 1) }, uniquingKeysWith: +)
  }
}
