import AppProtection

/// What lint has found so far, and the rule that looks now.
struct LintNotes {
  /// The rule that looks now.
  var rule: PolicyRule
  /// The platform of the document.
  let platform: PolicyPlatform
  private(set) var findings: [PolicyFinding] = []

  init(_ rule: PolicyRule, on platform: PolicyPlatform) {
    self.rule = rule
    self.platform = platform
  }

  /// Adds a finding of the rule.
  mutating func add(_ setting: String, element: Int? = nil, _ message: String, remedy: String) {
    var finding = PolicyFinding(rule, setting, message, remedy: remedy)
    finding.source = rule.source(on: platform)
    finding.element = element
    findings.append(finding)
  }
}
