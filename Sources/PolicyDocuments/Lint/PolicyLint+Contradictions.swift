import AppProtection
import EventSourcing

extension PolicyLint {
  /// The settings of a policy that contradict one another: a warning where Graph refuses the combination, a note where one of
  /// the two has no effect.
  @Sendable
  public static func contradictions(in policy: PolicyDocument) -> [PolicyContradiction] {
    findings(in: policy).filter { $0.rule.isAboutContradictions }.map { finding in
      let severity: DiagnosisSeverity =
        switch finding.rule.severity {
        case .error: .warning
        case .warning, .note: .note
        }
      return PolicyContradiction(
        finding.rule.id, severity, "\(finding.setting): \(finding.message)", remedy: finding.remedy,
        refusesEverySystem: finding.rule == .minimumAboveMaximum)
    }
  }
}
