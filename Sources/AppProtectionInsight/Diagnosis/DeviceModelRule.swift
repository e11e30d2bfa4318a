import AppProtection
import EventSourcing

/// The device's model is not among those that the policy allows.
struct DeviceModelRule: LaunchConditionRule {
  static let family = ProblemFamily.deviceModel
  static let conditions: [LaunchRule] = [.deviceModel]

  init() {}

  static func change(_ rule: LaunchRule) -> String { "the app starts on a device of this model" }

  static func isFactChanged(from before: AppProtectionState, to after: AppProtectionState) -> Bool {
    before.process.deviceModel != after.process.deviceModel
  }

  static func reason(_ setting: String, _ fact: String, _ failure: LaunchConditionTrail.Failure) -> String {
    "the policy allows the models \(setting), and the device is \(fact.isEmpty ? "of an unknown model" : "an \(fact)")"
  }

  static func remedy(_ failure: LaunchConditionTrail.Failure) -> String {
    "add the model to allowedIosDeviceModels, or use a device of a model that is listed"
  }
}
