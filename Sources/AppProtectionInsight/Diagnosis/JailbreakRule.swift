import AppProtection
import EventSourcing

/// The device is jailbroken, and the policy does not allow that.
struct JailbreakRule: LaunchConditionRule {
  static let family = ProblemFamily.jailbreak
  static let conditions: [LaunchRule] = [.jailbreak]

  init() {}

  static func change(_ rule: LaunchRule) -> String { "the device is found to be jailbroken" }

  static func mending(_ rule: LaunchRule) -> String { "the device was no longer found to be jailbroken" }

  static func isFactChanged(
    of rule: LaunchRule, from before: AppProtectionState, to after: AppProtectionState
  ) -> Bool {
    before.launch.device.isJailbroken != after.launch.device.isJailbroken
  }

  static func reason(_ setting: String, _ fact: String, _ failure: LaunchConditionTrail.Failure) -> String {
    let (allows, has, isOrWas) = failure.isOver ? ("allowed", "had", "was") : ("allows", "has", "is")
    return fact.isEmpty
      ? "the policy \(allows) no jailbroken device, and the app \(has) not reported whether this one \(isOrWas)"
      : "the policy \(allows) no jailbroken device, and this one \(isOrWas) jailbroken"
  }

  static func remedy(_ failure: LaunchConditionTrail.Failure) -> String {
    "restore the device with the original operating system, and enroll the account again"
  }
}
