import EventSourcing

extension AppProtectionState {
  /// Whether third-party keyboards may be used.
  ///
  /// Takes no account: this is the only setting of a policy that concerns every account of the app, even unmanaged
  /// ones.
  ///
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func thirdPartyKeyboards() -> Decision<Permission> {
    var explanation = Explanation()
    return thirdPartyKeyboards(explanation: &explanation)
  }

  package func thirdPartyKeyboards(explanation: inout Explanation) -> Decision<Permission> {
    var blocking: AccountNumber?
    for index in policies.records.indices where policies.records[index].isEnforced {
      let account = policies.records[index].account
      let isBlocked = policies.records[index].inForce.switches.contains(.keyboardsBlocked)
      if isBlocked && blocking == nil { blocking = account }
      check(.policyBlocksKeyboards, isBlocked, of: account, in: &explanation)
    }
    guard let blocking else { return decide(InputRule.keyboardsFree, in: &explanation) }
    guard !process.isSDK(before: SDKVersion(12, 0, 16)) else {
      return decide(InputRule.keyboardsTooOld, in: &explanation)
    }
    return decide(InputRule.keyboardsBlocked, of: blocking, in: &explanation)
  }

  /// Whether an account may dictate.
  ///
  /// - Parameters:
  ///   - account: the account that the app acts for; `nil` for none.
  ///   - blocking: the account on whose behalf the device reports that dictation is blocked (`DictationBlocked`); `nil` when
  ///     it does not. Graph has no such setting.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func dictation(for account: AccountNumber?, blockedBy blocking: AccountNumber?) -> Decision<Permission> {
    var explanation = Explanation()
    return dictation(for: account, blockedBy: blocking, explanation: &explanation)
  }

  package func dictation(
    for account: AccountNumber?, blockedBy blocking: AccountNumber?, explanation: inout Explanation
  ) -> Decision<Permission> {
    let policy = effectivePolicy(for: blocking, explanation: &explanation)
    guard policy.isManaged else { return decide(InputRule.dictationFree, in: &explanation) }
    guard account != blocking else { return decide(InputRule.dictationBlocked, of: account, in: &explanation) }
    return decide(
      settings.app.assumptions.dictationBlockIsPerAccount ? InputRule.dictationFreeForAccount : .dictationBlockedForAll,
      of: blocking, in: &explanation)
  }
}
