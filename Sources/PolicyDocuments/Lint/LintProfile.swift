import JSON
import PlainText

/// What an organization decided about rules of lint, each with its reason.
///
/// ```swift
/// let profile = try LintProfile.read(bytes)
/// let severity = profile.severity(of: finding)  // nil where the profile silences it
/// ```
///
/// A profile is JSON: `{"profile": 1, "rules": [{"rule": "minimumAboveMaximum", "do": "silence", "reason": "…"}]}`. With
/// `"setting"`, an entry concerns the findings about one setting alone.
public struct LintProfile: Equatable, Sendable {
  /// What becomes of findings.
  public enum Ruling: String, Sendable, CaseIterable {
    /// They are not reported.
    case silence
    /// They become one step more serious: a note a warning, a warning an error.
    case raise
    /// They become errors.
    case require
  }

  /// A decision about a rule.
  public struct Entry: Equatable, Sendable {
    /// The rule.
    public let rule: PolicyRule
    /// The setting concerned; `nil` for every one.
    public let setting: String?
    /// What becomes of the findings.
    public let decision: Ruling
    /// Why.
    public let reason: String
    /// Where it begins.
    public let place: DocumentPlace?

    /// Whether it concerns a finding.
    public func concerns(_ finding: PolicyFinding) -> Bool {
      finding.rule == rule && setting.map { $0 == finding.setting } ?? true
    }
  }

  /// The decisions, in the order of the file.
  public let entries: [Entry]

  /// A profile without decisions.
  public init() { entries = [] }

  /// Reads a profile.
  ///
  /// - Throws: ``/JSON/JSONError`` with the place: an unknown rule or decision, a missing reason, or two decisions about the
  ///   same findings.
  public static func read(_ bytes: [UInt8]) throws(JSONError) -> LintProfile {
    let root = try JSONDocument.parse(bytes).root
    try root.expectMembers(["profile", "rules"])
    _ = try root.required("profile").integer(in: 1...1)
    var entries: [Entry] = []
    for node in try root.required("rules").elements() {
      let entry = try entry(node)
      if entries.contains(where: { $0.rule == entry.rule && $0.setting == entry.setting }) {
        throw node.error(
          .invalidValue, "the rule \(entry.rule) stands there twice for the same settings", remedy: "keep one of them")
      }
      entries.append(entry)
    }
    return LintProfile(entries)
  }

  private init(_ entries: [Entry]) { self.entries = entries }

  private static func entry(_ node: JSONNode) throws(JSONError) -> Entry {
    try node.expectMembers(["rule", "do", "reason", "setting"])
    let named = try node.required("rule")
    let name = try named.string()
    guard let rule = PolicyRule.allCases.first(where: { $0.id == name }) else {
      let near = EditDistance.nearest(to: name, in: PolicyRule.allCases.map(\.id), limit: 1).first
      throw named.error(
        .invalidValue, "no rule has the name \(JSONExcerpt.quoted(name))",
        remedy: near.map { "write \(JSONExcerpt.quoted($0))" }
          ?? "see which there are: the article \"Lint of policies\"")
    }
    let decided = try node.required("do")
    let word = try decided.string()
    guard let decision = Ruling(rawValue: word) else {
      throw decided.error(
        .invalidValue, "\(JSONExcerpt.quoted(word)) is not a decision",
        remedy: "write \(Ruling.allCases.map { JSONExcerpt.quoted($0.rawValue) }.joined(separator: ", "))")
    }
    guard decision != .raise || rule.severity != .error else {
      throw decided.error(
        .invalidValue, "the findings of \(rule) are errors already", remedy: "remove the entry, or silence the rule")
    }
    let given = try node.required("reason")
    let reason = try given.string()
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw given.error(.invalidValue, "the reason is empty", remedy: "say why, for those who come after you")
    }
    let setting = try node.present("setting")?.string()
    return Entry(
      rule: rule, setting: setting, decision: decision, reason: reason, place: DocumentPlace(node.position))
  }

  /// How serious a finding is; `nil` where it is silenced. A decision about its setting counts before one about its rule.
  public func severity(of finding: PolicyFinding) -> PolicyRule.Severity? {
    let own = entries.filter { $0.concerns(finding) }
    switch (own.first { $0.setting != nil } ?? own.first)?.decision {
    case nil: return finding.rule.severity
    case .silence: return nil
    case .require: return .error
    case .raise: return finding.rule.severity == .note ? .warning : .error
    }
  }

  /// The decisions that silence none of these findings.
  public func idle(beside findings: [PolicyFinding]) -> [Entry] {
    entries.filter { entry in entry.decision == .silence && !findings.contains(where: entry.concerns) }
  }
}
