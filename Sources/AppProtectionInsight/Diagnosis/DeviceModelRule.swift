import AppProtection
import EventSourcing

/// The device's model is not among those that the policy allows.
struct DeviceModelRule: LaunchConditionRule {
  static let family = ProblemFamily.deviceModel
  static let conditions: [LaunchRule] = [.deviceModel]

  init() {}

  static func change(_ rule: LaunchRule) -> String { "the app starts on a device of this model" }

  static func mending(_ rule: LaunchRule) -> String { "the app started on a device of another model" }

  static func isFactChanged(
    of rule: LaunchRule, from before: AppProtectionState, to after: AppProtectionState
  ) -> Bool {
    before.process.deviceModel != after.process.deviceModel
  }

  static func reason(_ setting: String, _ fact: String, _ failure: LaunchConditionTrail.Failure) -> String {
    let device = fact.isEmpty ? "of an unknown model" : "an \(fact)"
    let names = names(in: failure)
    let mistake = names.isEmpty ? "" : "; names of products match no device (\(names.shortened))"
    let (allows, isOrWas) = failure.isOver ? ("allowed", "was") : ("allows", "is")
    return "the policy \(allows) the models \(setting), and the device \(isOrWas) \(device)\(mistake)"
  }

  static func remedy(_ failure: LaunchConditionTrail.Failure) -> String {
    guard names(in: failure).isEmpty else {
      let model = failure.finding.comparison?.factValue ?? ""
      return "write the identifiers of models in allowedIosDeviceModels, "
        + "\(model.isEmpty ? "such as iPhone14,7" : "here \(model)"), and not the names of products"
    }
    return "add the model to allowedIosDeviceModels, or use a device of a model that is listed"
  }

  /// The entries of the list that are not identifiers of models.
  private static func names(in failure: LaunchConditionTrail.Failure) -> [String] {
    PolicyText.list(failure.finding.comparison?.settingValue ?? "").filter { !PolicyText.isModelIdentifier($0) }
  }
}
