import AppProtection
import EventSourcing

/// A launch condition that has no family of its own blocks access.
struct LaunchBlockedRule: LaunchConditionRule {
  static let family = ProblemFamily.launchBlocked
  static let conditions: [LaunchRule] = [
    .sdkVersion, .appVersion, .accountDisabled, .keychain, .devicePasscode, .clockOut,
  ]

  init() {}

  static func change(_ rule: LaunchRule) -> String {
    switch rule {
    case .sdkVersion, .appVersion: "the app starts with this version"
    case .accountDisabled: "the service says that it is disabled"
    case .clockOut: "the service says that its user is not at work"
    case .keychain, .devicePasscode, .met, .pendingWipe, .offlineWipe, .jailbreak, .osMinimum, .osMaximum, .deviceModel,
      .threatLevel, .offlineAccess, .pinAttempts, .pinMissing, .pinExpired, .pinQuality, .pin, .signIn, .unmanaged:
      "the app, the device or the account comes to this"
    }
  }

  static func mending(_ rule: LaunchRule) -> String {
    switch rule {
    case .sdkVersion, .appVersion: "the app started with another version"
    case .accountDisabled: "the service no longer said that it was disabled"
    case .clockOut: "the service said that its user was at work"
    case .devicePasscode: "the device had a passcode"
    case .keychain: "the keychain could be read"
    case .met, .pendingWipe, .offlineWipe, .jailbreak, .osMinimum, .osMaximum, .deviceModel, .threatLevel,
      .offlineAccess, .pinAttempts, .pinMissing, .pinExpired, .pinQuality, .pin, .signIn, .unmanaged:
      "the app, the device or the account changed"
    }
  }

  static func isFactChanged(
    of rule: LaunchRule, from before: AppProtectionState, to after: AppProtectionState
  ) -> Bool {
    let (old, new) = (before.process, after.process)
    let (one, other) = (before.launch.device, after.launch.device)
    func differs<Value: Equatable>(_ value: (LaunchRecord) -> Value, _ unset: Value) -> Bool {
      after.launch.accounts.records.contains { record in
        (before.launch.accounts[record.account].map(value) ?? unset) != value(record)
      }
    }
    switch rule {
    case .sdkVersion:
      return old.sdkVersion != new.sdkVersion || one.isPolicyVersionUnknown != other.isPolicyVersionUnknown
    case .appVersion: return old.appVersion != new.appVersion
    case .devicePasscode: return one.hasPasscode != other.hasPasscode
    case .keychain: return one.isKeychainUnreadable != other.isKeychainUnreadable
    case .accountDisabled: return differs(\.isDisabled, false)
    case .clockOut: return differs(\.clockStatus, .notConfigured)
    case .met, .pendingWipe, .offlineWipe, .jailbreak, .osMinimum, .osMaximum, .deviceModel, .threatLevel,
      .offlineAccess, .pinAttempts, .pinMissing, .pinExpired, .pinQuality, .pin, .signIn, .unmanaged:
      return false
    }
  }

  /// Wipes are the family of wipes, whatever the condition.
  static func reports(_ failure: LaunchConditionTrail.Failure) -> Bool {
    let isWipe = failure.finding.outcome == .wipe && failure.unseen == nil
    return failure.wipe == nil && !isWipe && !failure.finding.outcome.isPrompt
  }

  static func reason(_ setting: String, _ fact: String, _ failure: LaunchConditionTrail.Failure) -> String {
    let name = failure.finding.comparison?.setting.map { " (\($0.name))" } ?? ""
    let rule = failure.finding.rule
    let (statement, isOrWas) = failure.isOver ? (rule.pastStatement, "was") : (rule.statement, "is")
    return statement
      + (setting.isEmpty || fact.isEmpty ? name : ": \(setting) \(isOrWas) demanded\(name), and it \(isOrWas) \(fact)")
  }

  static func remedy(_ failure: LaunchConditionTrail.Failure) -> String {
    switch failure.finding.rule {
    case .sdkVersion, .appVersion: "update the app, or lower the version that the policy demands"
    case .accountDisabled: "ask the administrator whether the user's account is disabled or deleted"
    case .keychain: "unlock the device, and open the app again"
    case .devicePasscode: "set a passcode on the device"
    case .clockOut: "open the app during working hours, or look at what the policy does outside them"
    case .met, .pendingWipe, .offlineWipe, .jailbreak, .osMinimum, .osMaximum, .deviceModel, .threatLevel,
      .offlineAccess, .pinAttempts, .pinMissing, .pinExpired, .pinQuality, .pin, .signIn, .unmanaged:
      "compare the policy's conditions with the device and the app"
    }
  }
}
