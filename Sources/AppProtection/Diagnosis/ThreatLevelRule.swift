import EventSourcing

/// Threat defense reports a greater threat than the policy allows, or reports none.
struct ThreatLevelRule: LaunchConditionRule {
  static let family = ProblemFamily.threatLevel
  static let change = "the device reports this state of threat defense"
  var trail = LaunchConditionTrail(of: .threatLevel)

  init() {}

  static func isFactChanged(from before: AppProtectionState, to after: AppProtectionState) -> Bool {
    let (old, new) = (before.launch.device, after.launch.device)
    return old.threatDefense != new.threatDefense || old.threatLevel != new.threatLevel || old.defender != new.defender
      || old.defenderThreatLevel != new.defenderThreatLevel
  }

  static func reason(_ setting: String, _ fact: String, _ failure: LaunchConditionTrail.Failure) -> String {
    let demand = "the policy allows the threat level \(setting) at most"
    switch failure.finding.comparison?.fact {
    case .threatLevel, .defenderThreatLevel: return "\(demand), and threat defense reports \(fact)"
    default:
      return "\(demand), and threat defense reports none: \(fact.isEmpty ? "nothing is known of it" : "it is \(fact)")"
    }
  }

  static func remedy(_ failure: LaunchConditionTrail.Failure) -> String {
    switch failure.finding.comparison?.fact {
    case .threatLevel, .defenderThreatLevel:
      "remove the threat that the threat defense app names, and open the app again"
    default: "install and activate the threat defense app with the same account, and open the app again"
    }
  }
}
