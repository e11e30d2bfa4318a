import EventSourcing

extension TraceFinding: HistoryFinding {}

extension AppProtectionMachine: HistoryDomain {
  /// The user principal name and the object id of an account, as far as a state knows them.
  public static func identities(ofAccount number: UInt64, in state: AppProtectionState) -> [String] {
    guard let raw = UInt32(exactly: number), let account = AccountNumber(raw), let record = state.accounts[account]
    else { return [] }
    return [record.userPrincipalName, record.objectID?.description].compactMap { $0 }
  }
}
