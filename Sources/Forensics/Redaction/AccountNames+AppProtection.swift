import AppProtection

extension AccountNames {
  /// All names of an account that a state knows.
  public init(ofAccount number: UInt64, in state: AppProtectionState?) {
    self.init(pseudonym: EventAccounts.pseudonym(number))
    guard let raw = UInt32(exactly: number), let account = AccountNumber(raw), let record = state?.accounts[account]
    else { return }
    identities = [record.userPrincipalName, record.objectID?.description].compactMap { $0 }
  }
}
