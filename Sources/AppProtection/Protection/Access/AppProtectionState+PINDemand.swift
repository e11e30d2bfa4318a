import EventSourcing

extension AppProtectionState {
  /// Whether an account's data is behind the app PIN at all (`isPINRequired`). Whether the PIN is asked at a moment is a part
  /// of ``conditionalLaunch(for:at:)``.
  ///
  /// - Parameter account: the account that owns the data; `nil` for none.
  /// - Returns: the outcome with the rule that settled it.
  public func pinDemand(for account: AccountNumber?) -> Decision<PINDemand> {
    var explanation = Explanation()
    return pinDemand(for: account, explanation: &explanation)
  }

  /// Whether an account's data is behind the app PIN, with every rule that was evaluated and every field it read.
  public func pinDemand(for account: AccountNumber?, explanation: inout Explanation) -> Decision<PINDemand> {
    _ = effectivePolicy(for: account, explanation: &explanation)
    let name = Self.shown(account)
    guard let account, let access = enforcedPolicy(for: .account(account))?.access else {
      return PINDemandRule.unmanaged.settles("\(name) is unmanaged", true, in: &explanation)
    }
    let isRequired = access.pinRequired == true
    guard isRequired else {
      return PINDemandRule.notRequired.settles(
        "\(name)'s policy requires a PIN", false, reads: settingRead("pinRequired", of: account), in: &explanation)
    }
    explanation.evaluate(
      "pinRequired.setting", "\(name)'s policy requires a PIN", true, reads: settingRead("pinRequired", of: account))
    let device = launch.device
    let isSkipped = device.replacesPIN(under: access)
    return (isSkipped ? PINDemandRule.devicePIN : .required).settles(
      "the device's passcode takes the place of the PIN", isSkipped,
      reads: settingRead("disableAppPinIfDevicePinIsSet", of: account) + [
        .init("/launch/device/isManaged", device.isManaged.map { .bool($0) } ?? .unset),
        .init("/launch/device/hasPasscode", device.hasPasscode.map { .bool($0) } ?? .unset),
      ], in: &explanation)
  }
}

extension DeviceFacts {
  /// Whether the app PIN is skipped: on a managed device that has a passcode, where the policy says so.
  func replacesPIN(under access: PolicyDocument.Access) -> Bool {
    access.disableAppPinIfDevicePinIsSet == true && isManaged == true && hasPasscode == true
  }
}
