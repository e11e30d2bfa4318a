import EventSourcing

extension TraceFinding: HistoryFinding {}

extension AppProtectionMachine: HistoryDomain {
  /// An account's user principal name and object id, where the state has them.
  public static func identities(
    of number: UInt64, _ kind: ReferenceDescriptor, in state: AppProtectionState
  ) -> [String] {
    guard kind == AccountNumber.kind, let raw = UInt32(exactly: number), let account = AccountNumber(raw),
      let record = state.accounts[account]
    else { return [] }
    return [record.userPrincipalName, record.objectID?.description].compactMap { $0 }
  }

  /// What the event's payload says of itself.
  public static func tell(_ event: AppProtectionEvent, in headline: Headline) {
    event.describe(in: headline)
  }
}
