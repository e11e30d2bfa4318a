/// The rules that decide whether the app PIN protects an account's data at all (`isPINRequired`).
package enum PINDemandRule: UInt8, DecisionRule {
  /// S004 Identity overview.
  case unmanaged
  /// H: IntuneMAMPolicy; D iOS app protection policy settings, "PIN for access".
  case notRequired
  /// D: "App PIN when device PIN is set".
  case devicePIN
  /// H: IntuneMAMPolicy.
  case required

  @inline(__always)
  package var row: RuleRow<PINDemand> {
    switch self {
    case .unmanaged:
      RuleRow("pinRequired.1", .notRequired, "no policy is in force for the account", when: "{account} is unmanaged")
    case .notRequired:
      RuleRow(
        "pinRequired.2", .notRequired, "the account's policy requires no PIN",
        unless: "{account}'s policy requires a PIN", reads: .setting { .pinRequired })
    case .devicePIN:
      RuleRow(
        "pinRequired.3", .notRequired, "the account's policy skips the PIN on a managed device with a passcode",
        when: "the device's passcode takes the place of the PIN", reads: .setting { .disableAppPinIfDevicePinIsSet },
        .path("/launch/device/isManaged"), .path("/launch/device/hasPasscode"))
    case .required:
      RuleRow(
        "pinRequired.4", .required, "the account's policy requires a PIN",
        unless: "the device's passcode takes the place of the PIN", reads: .setting { .disableAppPinIfDevicePinIsSet },
        .path("/launch/device/isManaged"), .path("/launch/device/hasPasscode"))
    }
  }
}

extension RuleCondition {
  static var policyRequiresPIN: RuleCondition {
    RuleCondition("pinRequired.setting", "{account}'s policy requires a PIN", reads: .setting { .pinRequired })
  }
}

/// Whether the app PIN protects an account's data.
public enum PINDemand: DecisionOutcome {
  /// It is not.
  case notRequired
  /// It is, whenever the recheck period is over.
  case required

  /// The name of the case.
  public var name: String { "\(self)" }
}
