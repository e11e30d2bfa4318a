import AppProtection
import EventSourcing

/// Threat defense reports a greater threat than the policy allows, or reports none.
struct ThreatLevelRule: LaunchConditionRule {
  static let family = ProblemFamily.threatLevel
  static let conditions: [LaunchRule] = [.threatLevel]

  init() {}

  static func change(_ rule: LaunchRule) -> String { "the device reports this state of threat defense" }

  static func mending(_ rule: LaunchRule) -> String { "the device reported another state of threat defense" }

  static func isFactChanged(
    of rule: LaunchRule, from before: AppProtectionState, to after: AppProtectionState
  ) -> Bool {
    let (old, new) = (before.launch.device, after.launch.device)
    return old.threatDefense != new.threatDefense || old.threatLevel != new.threatLevel || old.defender != new.defender
      || old.defenderThreatLevel != new.defenderThreatLevel
  }

  static func reason(_ setting: String, _ fact: String, _ failure: LaunchConditionTrail.Failure) -> String {
    let (allows, reports, isOrWas) = failure.isOver ? ("allowed", "reported", "was") : ("allows", "reports", "is")
    let demand = "the policy \(allows) the threat level \(setting) at most, and threat defense \(reports)"
    return reportsLevel(failure)
      ? "\(demand) \(fact)"
      : "\(demand) no level: \(fact.isEmpty ? "nothing \(isOrWas) known of it" : "it \(isOrWas) \(fact)")"
  }

  /// Device management, where it ended shortly before: it installs and activates threat defense.
  static func cause(of failure: LaunchConditionTrail.Failure, _ notes: HistoryNotes) -> DiagnosisEvidence? {
    guard let end = notes.management.end, end.first.sequence < failure.decided.sequence,
      failure.decided.elapsed(since: end.last) <= RetrySchedule.day, !reportsLevel(failure)
    else { return nil }
    return DiagnosisEvidence(end.first, "the device left device management")
  }

  private static func reportsLevel(_ failure: LaunchConditionTrail.Failure) -> Bool {
    let fact = failure.finding.comparison?.fact
    return fact == .threatLevel || fact == .defenderThreatLevel
  }

  static func remedy(_ failure: LaunchConditionTrail.Failure) -> String {
    if reportsLevel(failure) { return "remove the threat that the threat defense app names, and open the app again" }
    let isMissing = failure.finding.comparison?.factValue == ThreatDefenseState.notInstalled.name
    return
      "enroll the device again if it left device management, \(isMissing ? "install and " : "")activate the threat defense "
      + "app, and open the app again"
  }
}
