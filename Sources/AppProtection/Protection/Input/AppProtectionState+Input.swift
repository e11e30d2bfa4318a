import EventSourcing

extension AppProtectionState {
  /// Whether keyboards of other makers may be used.
  ///
  /// Asked without an account: the one setting of a policy that concerns every account of the app, unmanaged ones too.
  ///
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func thirdPartyKeyboards() -> Decision<Permission> {
    var explanation = Explanation()
    return thirdPartyKeyboards(explanation: &explanation)
  }

  /// Whether keyboards of other makers may be used, with every rule that was evaluated and every field it read.
  public func thirdPartyKeyboards(explanation: inout Explanation) -> Decision<Permission> {
    var blocking: AccountNumber?
    for index in policies.records.indices where policies.records[index].isEnforced {
      let account = policies.records[index].account
      let isBlocked = policies.records[index].inForce.switches.contains(.keyboardsBlocked)
      if isBlocked && blocking == nil { blocking = account }
      explanation.evaluate(
        "keyboard.setting", "\(account)'s policy blocks keyboards of other makers", isBlocked,
        reads: settingRead("thirdPartyKeyboardsBlocked", of: account))
    }
    guard let blocking else {
      return InputRule.keyboardsFree.settles("a policy blocks keyboards of other makers", false, in: &explanation)
    }
    guard !process.isSDK(before: SDKVersion(12, 0, 16)) else {
      return InputRule.keyboardsTooOld.settles("the SDK can block keyboards", false, reads: sdkRead(), in: &explanation)
    }
    return InputRule.keyboardsBlocked.settles(
      "a policy blocks keyboards of other makers", true,
      reads: settingRead("thirdPartyKeyboardsBlocked", of: blocking), in: &explanation)
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

  /// Whether an account may dictate, with every rule that was evaluated and every field it read.
  public func dictation(
    for account: AccountNumber?, blockedBy blocking: AccountNumber?, explanation: inout Explanation
  ) -> Decision<Permission> {
    let policy = effectivePolicy(for: blocking, explanation: &explanation)
    guard policy.isManaged else {
      return InputRule.dictationFree.settles("a policy in force blocks dictation", false, in: &explanation)
    }
    guard account != blocking else {
      return InputRule.dictationBlocked.settles(
        "\(Self.shown(account))'s policy blocks dictation", true, in: &explanation)
    }
    let isPerAccount = settings.app.assumptions.dictationBlockIsPerAccount
    return (isPerAccount ? InputRule.dictationFreeForAccount : .dictationBlockedForAll).settles(
      "a blocked dictation concerns only \(Self.shown(blocking))", isPerAccount,
      reads: assumptionRead("dictationBlockIsPerAccount", isPerAccount), in: &explanation)
  }
}
