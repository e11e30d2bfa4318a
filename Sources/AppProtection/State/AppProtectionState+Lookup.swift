extension AppProtectionState {
  /// The account that a reference means, if the journal knows it.
  ///
  /// Equal object ids decide. If one side lacks an object id, equal names do, ignoring case. If a name alone fits
  /// several accounts, it means the enrolled one, then a registered one, then the one mentioned first.
  public func account(for reference: AccountReference) -> Account? {
    if let number = reference.number { return accounts[number] }
    // Uses indices: every command does this lookup, and taking an account out of the array copies it.
    if let objectID = reference.objectID,
      let place = accounts.records.indices.first(where: { accounts.records[$0].objectID == objectID })
    {
      return accounts.records[place]
    }
    guard let name = reference.userPrincipalName else { return nil }
    let matches = accounts.records.filter { account in
      (reference.objectID == nil || account.objectID == nil)
        && account.userPrincipalName.map { AccountReference.areEqual($0, name) } ?? false
    }
    return matches.first { $0.enrollment.status.isEnrolled }
      ?? matches.first { $0.enrollment.status.isRegistered } ?? matches.first
  }

  /// Whether an account is managed: it has a policy, enforced or not.
  public func isManaged(_ account: AccountNumber) -> Bool {
    policies[account] != nil
  }

  /// The policy that applies to everything an identity does: its account's, once enforced. `nil` if no policy applies.
  public func enforcedPolicy(for identity: Identity) -> PolicyDocument? {
    guard let account = identity.account, let record = policies[account], record.isEnforced else { return nil }
    return record.document
  }

  /// The biometrics that may replace the PIN where a policy allows them: those that the device offers, unless their set
  /// changed since the PIN was last right (SDK 9.0.1 and later).
  var trustedBiometry: Biometry {
    launch.pin.biometricsChanged && !process.isSDK(before: SDKVersion(9, 0, 1)) ? .none : launch.device.biometry
  }
}
