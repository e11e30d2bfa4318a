import EventSourcing

extension AppProtectionState {
  /// The account that a reference means, if the journal knows it.
  ///
  /// Equal object ids decide. If one side lacks an object id, equal names do, ignoring case. If a name alone fits
  /// several accounts, it means the enrolled one, then a registered one, then the one mentioned first.
  public func account(for reference: AccountReference) -> Account? { accounts.account(for: reference) }

  /// Whether an account is managed: it has a policy, enforced or not.
  public func isManaged(_ account: AccountNumber) -> Bool {
    policies.index(of: account) != nil
  }

  /// The policy that applies to everything an identity does: its account's, once enforced. `nil` if no policy applies.
  public func enforcedPolicy(for identity: Identity) -> PolicyDocument? {
    guard let account = identity.account else { return nil }
    return policies.read(account) { $0.isEnforced ? $0.document : nil } ?? nil
  }

  /// The biometrics that may replace the PIN where a policy allows them: those that the device offers, unless their set
  /// changed since the PIN was last right (SDK 9.0.1 and later).
  var trustedBiometry: Biometry {
    launch.pin.biometricsChanged && !process.isSDK(before: SDKVersion(9, 0, 1)) ? .none : launch.device.biometry
  }
}

extension AccountTable where Record == Account {
  /// The account that a reference means; ``AppProtectionState/account(for:)`` says how it is found.
  func account(for reference: AccountReference) -> Account? {
    if let number = reference.number { return self[number] }
    if let objectID = reference.objectID, let account = account(with: objectID) { return account }
    guard let name = reference.userPrincipalName else { return nil }
    let candidates = names[name]?.compactMap { self[$0] } ?? Array(records)
    let matches = candidates.filter { account in
      (reference.objectID == nil || account.objectID == nil)
        && account.userPrincipalName.map { AccountReference.areEqual($0, name) } ?? false
    }
    return matches.first { $0.enrollment.status.isEnrolled }
      ?? matches.first { $0.enrollment.status.isRegistered } ?? matches.first
  }

  /// The first account with an object id.
  private func account(with objectID: GUID) -> Account? {
    if let candidates = names[objectID] {
      return candidates.lazy.compactMap { self[$0] }.first { $0.objectID == objectID }
    }
    // Uses indices: every command does this lookup, and taking an account out of the table copies it.
    return records.indices.first { records[$0].objectID == objectID }.map { records[$0] }
  }
}
