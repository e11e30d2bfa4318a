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

  /// The policy in force for whatever an identity does. No policy applies where nothing is set, nor where the identity is
  /// explicitly nobody's (multi-identity guide, Identity overview).
  public func effectivePolicy(for identity: Identity) -> EffectivePolicy {
    effectivePolicy(for: identity.account)
  }

  /// The policy in force for an account, with the rule that says whether there is one.
  public func effectivePolicy(
    for account: AccountNumber?, explanation: inout Explanation
  ) -> EffectivePolicy {
    if explanation.isRecording, let account {
      _ = managementDecision(for: account, decides: false, explanation: &explanation)
    }
    return effectivePolicy(for: account)
  }

  /// The account that owns a location, as the SDK understands what the app passed.
  ///
  /// Before 15.1.0, no account meant the current account, for the app's sandbox and in apps with a single identity; from
  /// 15.1.0 on it means nobody. A version that is not known counts as a later one. Cameras and photo libraries are
  /// nobody's, whatever is passed (participation guide, "Check for data transfers").
  func locationOwner(
    _ account: AccountNumber?, isAccountless: Bool, isSandbox: Bool, current: AccountNumber?,
    explanation: inout Explanation
  ) -> AccountNumber? {
    if isAccountless {
      if let account {
        explanation.evaluate("location.accountless", "the location belongs to no account, not to \(account)", true)
      }
      return nil
    }
    if let account { return account }
    let meansCurrent = (isSandbox || !settings.app.multiIdentity) && process.isSDKBefore15_1
    explanation.evaluate(
      "location.currentAccount", "without an account, the current one is meant", meansCurrent,
      reads: [
        .init("/process/sdkVersion", process.sdkVersion.isEmpty ? .unset : .text(process.sdkVersion)),
        .init("/settings/multiIdentity", .bool(settings.app.multiIdentity)),
      ])
    return meansCurrent ? current : nil
  }

  /// What an explanation says about a setting of an account's policy, by its name in Graph.
  func settingRead(_ name: String, of account: AccountNumber?) -> [Explanation.Read] {
    guard let account, let property = PolicyProperty.named(name) else { return [] }
    var found = StateValue.unset
    if let document = policies[account]?.document, case .value(let value) = document[property],
      case .value(let shown) = property.tree(of: value)
    {
      found = shown
    }
    return [.init("/policies/\(account)/\(name)", found)]
  }

  /// What an explanation says about an assumption, by the name of its member.
  func assumptionRead(_ name: String, _ choice: Bool) -> [Explanation.Read] {
    [.init("/settings/assumptions/\(name)", .bool(choice))]
  }
}
