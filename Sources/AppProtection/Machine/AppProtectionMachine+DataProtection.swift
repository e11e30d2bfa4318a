extension AppProtectionMachine {
  /// The accounts with a policy before or after the event for which the requirement to encrypt files changed. A
  /// starting process asks for itself.
  static func dataProtectionChanges(
    by event: AppProtectionEvent, _ before: AppProtectionState, _ after: AppProtectionState
  ) -> [Callback] {
    switch event {
    case .policyReceived(let event): dataProtectionChange(of: event.account, before, after)
    case .policyWithdrawn(let event): dataProtectionChange(of: event.account, before, after)
    case .enrollmentRecordGone(let event): dataProtectionChange(of: event.account, before, after)
    case .unenrollmentSucceeded(let event): dataProtectionChange(of: event.account, before, after)
    case .settingsChanged:
      after.policies.records.flatMap { dataProtectionChange(of: $0.account, before, after) }
    // A wipe leaves no files to encrypt.
    default: event.unread(by: .dataProtection, [])
    }
  }

  private static func dataProtectionChange(
    of account: AccountNumber, _ before: AppProtectionState, _ after: AppProtectionState
  ) -> [Callback] {
    let demand = after.fileEncryption(for: account).outcome
    return before.fileEncryption(for: account).outcome == demand ? [] : [.dataProtectionDidChange(account)]
  }
}
