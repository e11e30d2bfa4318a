import EventSourcing

extension AppProtectionState {
  /// Whether the app PIN protects an account's data at all (`isPINRequired`). ``conditionalLaunch(for:at:)`` decides
  /// whether the app asks for the PIN at a given moment.
  ///
  /// - Parameter account: the account that owns the data; `nil` for none.
  /// - Returns: the outcome with the rule that settled it.
  public func pinDemand(for account: AccountNumber?) -> Decision<PINDemand> {
    var explanation = Explanation()
    return pinDemand(for: account, explanation: &explanation)
  }

  package func pinDemand(for account: AccountNumber?, explanation: inout Explanation) -> Decision<PINDemand> {
    _ = effectivePolicy(for: account, explanation: &explanation)
    guard let account, let access = enforcedPolicy(for: .account(account))?.access else {
      return decide(PINDemandRule.unmanaged, of: account, in: &explanation)
    }
    guard access.pinRequired == true else {
      return decide(PINDemandRule.notRequired, of: account, in: &explanation)
    }
    check(.policyRequiresPIN, true, of: account, in: &explanation)
    return decide(
      launch.device.replacesPIN(under: access) ? PINDemandRule.devicePIN : .required, of: account, in: &explanation)
  }
}
