import AppProtection

/// What lint has found so far, and the rule that looks now.
struct LintNotes {
  /// The rule that looks now.
  var rule: PolicyRule
  private(set) var findings: [PolicyFinding] = []

  init(_ rule: PolicyRule) { self.rule = rule }

  /// Adds a finding of the rule.
  mutating func add(_ setting: String, element: Int? = nil, _ message: String, remedy: String) {
    var finding = PolicyFinding(rule, setting, message, remedy: remedy)
    finding.element = element
    findings.append(finding)
  }
}
