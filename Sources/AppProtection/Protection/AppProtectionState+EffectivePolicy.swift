import EventSourcing

extension AppProtectionState {
  /// The policy in force for an account: `unmanaged` for none, for one without policy, and for one whose first policy
  /// waits for a restart. O(log n) in the number of accounts; allocates nothing.
  public func effectivePolicy(for account: AccountNumber?) -> EffectivePolicy {
    guard let account, let index = policies.index(of: account), policies.records[index].isEnforced else {
      return .unmanaged
    }
    return policies.records[index].inForce
  }

  /// The policy in force for everything an identity does. No policy applies to an unset or an explicitly unmanaged
  /// identity (multi-identity guide, Identity overview).
  public func effectivePolicy(for identity: Identity) -> EffectivePolicy {
    effectivePolicy(for: identity.account)
  }

  /// The policy in force for an account, if any, with the rule that decides this.
  func effectivePolicy(
    for account: AccountNumber?, explanation: inout Explanation
  ) -> EffectivePolicy {
    if explanation.isRecording, let account {
      _ = managementDecision(for: account, decides: false, explanation: &explanation)
    }
    return effectivePolicy(for: account)
  }

  /// The account that owns a location, as the SDK understands what the app passed.
  ///
  /// Before 15.1.0, no account meant the current account, for the app's sandbox and in apps with a single identity;
  /// from 15.1.0 on it means unmanaged. An unknown version counts as a later one, and an account that the journal does
  /// not know is never the current one. Cameras and photo libraries are always unmanaged, regardless of what the app
  /// passes (participation guide, "Check for data transfers").
  func locationOwner(
    _ account: LocationAccount, isAccountless: Bool, isSandbox: Bool, current: AccountNumber?,
    explanation: inout Explanation
  ) -> LocationAccount {
    if isAccountless {
      if let number = account.number { check(.locationIsAccountless, true, of: number, in: &explanation) }
      return .unnamed
    }
    guard account == .unnamed else { return account }
    let meansCurrent =
      (isSandbox || !settings.app.multiIdentity) && process.isSDK(before: SDKVersion(15, 1, 0))
    check(.unnamedMeansCurrent, meansCurrent, in: &explanation)
    return meansCurrent ? LocationAccount(current) : .unnamed
  }
}

extension RuleCondition {
  static var locationIsAccountless: RuleCondition {
    RuleCondition("location.accountless", "the location belongs to no account, not to {account}")
  }
  static var unnamedMeansCurrent: RuleCondition {
    RuleCondition(
      "location.currentAccount", "without an account, the current one is meant", reads: .sdkVersion, .multiIdentity)
  }
}
