import AppProtection
import EventSourcing

/// The policy does not allow the version of the operating system.
struct OSVersionRule: LaunchConditionRule {
  static let family = ProblemFamily.osVersion
  static let conditions: [LaunchRule] = [.osMinimum, .osMaximum]

  init() {}

  static func change(_ rule: LaunchRule) -> String { "the device starts with this version of the operating system" }

  static func mending(_ rule: LaunchRule) -> String {
    "the device started with another version of the operating system"
  }

  static func isFactChanged(
    of rule: LaunchRule, from before: AppProtectionState, to after: AppProtectionState
  ) -> Bool {
    before.process.osVersion != after.process.osVersion
  }

  static func reason(_ setting: String, _ fact: String, _ failure: LaunchConditionTrail.Failure) -> String {
    let name = failure.finding.comparison?.setting?.name ?? ""
    let limit = failure.finding.rule == .osMaximum ? "at most" : "at least"
    let (demands, has) = failure.isOver ? ("demanded", "had") : ("demands", "has")
    return
      "the policy \(demands) \(limit) \(setting) (\(name)), and the device \(has) \(fact.isEmpty ? "an unknown version" : fact)"
  }

  static func remedy(_ failure: LaunchConditionTrail.Failure) -> String {
    failure.finding.rule == .osMaximum
      ? "raise the highest version that the policy allows"
      : "update the operating system, or lower the policy's minimum if this device cannot be updated"
  }
}
