extension AppProtectionMachine {
  /// The accounts with a policy before or after the event for which the requirement to encrypt files changed, or the
  /// level at which their data is protected. A starting process asks for itself.
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
    default: []
    }
  }

  private static func dataProtectionChange(
    of account: AccountNumber, _ before: AppProtectionState, _ after: AppProtectionState
  ) -> [Callback] {
    let isChanged =
      before.fileEncryption(for: account).outcome != after.fileEncryption(for: account).outcome
      || announcesLevels(after)
        && before.fileProtection(for: account).outcome != after.fileProtection(for: account).outcome
    return isChanged ? [.dataProtectionDidChange(account)] : []
  }

  /// Whether every change of the level is announced, after which apps protect their data again (H), or only whether
  /// files must be encrypted (S002 Implement File Encryption Required), as before revision 5.
  private static func announcesLevels(_ state: AppProtectionState) -> Bool {
    !state.process.isRevision(before: 5) && state.settings.app.assumptions.protectionLevelChangesAreAnnounced
  }
}
