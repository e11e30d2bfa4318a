import AppProtection
import JSON

/// Looks for what is wrong within one policy: contradictions, settings without effect, and texts that cannot be meant.
///
/// ```swift
/// for finding in PolicyLint.findings(in: policy) { print(finding.rule.severity, finding) }
/// ```
///
/// Only what the document says counts; a setting that is absent is not judged. Findings come in a fixed order: transfers,
/// links and schemes, conditions, versions, access, and what concerns the document.
public struct PolicyLint {
  let policy: PolicyDocument
  var findings: [PolicyFinding] = []

  init(_ policy: PolicyDocument) {
    self.policy = policy
  }

  /// Everything that is found in a policy. Findings have no place; ``PolicyFile`` adds it.
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
