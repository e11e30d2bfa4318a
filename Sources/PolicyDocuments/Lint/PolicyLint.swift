import AppProtection
import JSON

/// Finds mistakes within one policy: contradictions, settings without effect, and texts that cannot be intended.
///
/// ```swift
/// for finding in PolicyLint.findings(in: policy) { print(finding.rule.severity, finding) }
/// ```
///
/// Only what the document states is checked; absent settings are not. Findings have a fixed order: transfers, links and
/// schemes, conditions, versions, access, and the document itself.
public struct PolicyLint {
  let policy: PolicyDocument
  var findings: [PolicyFinding] = []

  init(_ policy: PolicyDocument) {
    self.policy = policy
  }

  /// All findings in a policy. They have no place; ``PolicyFile`` adds it.
  public static func findings(in policy: PolicyDocument) -> [PolicyFinding] {
    var lint = PolicyLint(policy)
    lint.checkTransfer()
    lint.checkBrowser()
    lint.checkSchemes()
    lint.checkConditions()
    lint.checkVersions()
    lint.checkAccess()
    lint.checkDocument()
    return lint.findings
  }

  mutating func note(
    _ rule: PolicyRule, _ setting: String, element: Int? = nil, _ message: String, remedy: String
  ) {
    var finding = PolicyFinding(rule, setting, message, remedy: remedy)
    finding.element = element
    findings.append(finding)
  }
}
