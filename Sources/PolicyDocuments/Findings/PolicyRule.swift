import AppProtection

/// A rule that lint checks in a policy, as one value: its name, how serious its findings are, what should be, who says so,
/// and the check itself.
///
/// ```swift
/// for rule in PolicyRule.allCases { print(rule.id, rule.severity, rule.meaning) }
/// ```
public struct PolicyRule: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// How serious a finding is.
  public enum Severity: String, Sendable, CaseIterable {
    /// The document contradicts itself or cannot mean what it says.
    case error
    /// A setting does not do what it appears to do.
    case warning
    /// Correct if intended, but with a consequence to be aware of.
    case note
  }

  /// The name, which never changes.
  public let id: String
  /// The severity of this rule's findings.
  public let severity: Severity
  /// The rule in one sentence.
  public let meaning: String
  /// Where the rule is published: a tag and a heading; see the article "Lint of policies".
  public let source: String
  /// Whether it finds settings that contradict one another; other rules are about texts, targets and style.
  public let isAboutContradictions: Bool
  /// Notes what the rule finds in one subject.
  let check: @Sendable (LintSubject, inout LintNotes) -> Void

  static let settings = "D iOS app protection policy settings"
  static let graph = "G iosManagedAppProtection"

  /// Where the rule is published for a platform: every platform has a page of its own with the settings that it shares.
  public func source(on platform: PolicyPlatform) -> String {
    let pages =
      switch platform {
      case .ios: (settings: Self.settings, graph: Self.graph)
      case .android: (settings: "D Android app protection policy settings", graph: "G androidManagedAppProtection")
      case .windows: (settings: "D Windows app protection policy settings", graph: "G windowsManagedAppProtection")
      }
    return source.replacing(Self.settings, with: pages.settings).replacing(Self.graph, with: pages.graph)
  }

  /// A rule that looks at several kinds of subject, or that something other than lint checks.
  init(
    _ id: String, _ severity: Severity, _ meaning: String, _ source: String, contradicts: Bool = false,
    check: @escaping @Sendable (LintSubject, inout LintNotes) -> Void = { _, _ in }
  ) {
    self.id = id
    self.severity = severity
    self.meaning = meaning
    self.source = source
    self.isAboutContradictions = contradicts
    self.check = check
  }

  /// A rule about one part of a policy.
  init(
    _ id: String, _ severity: Severity, _ meaning: String, _ source: String, in part: LintSubject.Part,
    contradicts: Bool = false, check: @escaping @Sendable (PolicyDocument, inout LintNotes) -> Void
  ) {
    self.init(id, severity, meaning, source, contradicts: contradicts) { subject, notes in
      if case .part(part, let policy) = subject { check(policy, &notes) }
    }
  }

  /// Whether two rules are the same.
  public static func == (one: PolicyRule, other: PolicyRule) -> Bool { one.id == other.id }
  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
  /// The name.
  public var description: String { id }
}
