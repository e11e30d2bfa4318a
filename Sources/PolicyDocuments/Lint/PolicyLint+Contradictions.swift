import AppProtection
import EventSourcing

extension PolicyLint {
  /// The rules about settings that contradict one another; the others are about texts, targets and style.
  static let contradictionRules: Set<PolicyRule> = [
    .saveBlockWithoutEffect, .saveAllowedWithoutEffect, .saveLocationsWithoutBlock, .openBlockWithoutEffect,
    .filterWithOSSharing, .filterWithoutManagedApps, .osSharingWithoutManagedApps, .incomingProtectionWithoutAllApps,
    .openClipboard, .warningNeverShows, .blockNeverShows, .minimumAboveMaximum, .actionWithoutCondition,
    .wipeBeforeBlock, .partnerWithoutLevel, .simplePIN, .biometricTimeoutWithoutBiometrics, .browserNotRequired,
    .twoBrowsers, .missingScheme, .linkInBothLists,
  ]

  /// The settings of a policy that contradict one another: a warning where Graph refuses the combination, a note where one of
  /// the two has no effect.
  @Sendable
  public static func contradictions(in policy: PolicyDocument) -> [PolicyContradiction] {
    findings(in: policy).filter { contradictionRules.contains($0.rule) }.map { finding in
      let severity: DiagnosisSeverity =
        switch finding.rule.severity {
        case .error: .warning
        case .warning, .note: .note
        }
      return PolicyContradiction(
        finding.rule.id, severity, finding.message, remedy: finding.remedy,
        refusesEverySystem: finding.rule == .minimumAboveMaximum)
    }
  }
}
