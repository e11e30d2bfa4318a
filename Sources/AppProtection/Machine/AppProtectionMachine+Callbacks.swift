import EventSourcing

extension AppProtectionMachine {
  /// The delegate calls and notifications that an event causes, in order: a pure projection, so that a replay can show
  /// the app's callbacks.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - before: the state before the event.
  ///   - after: the state after it.
  public static func callbacks(
    for event: AppProtectionEvent, before: AppProtectionState, after: AppProtectionState
  ) -> [Callback] {
    calls(for: event, before) + dataProtectionChanges(by: event, before, after) + configurationChanges(before, after)
  }

  /// The accounts whose configuration, as the app reads it, changed: it was delivered, withdrawn, or lost with the
  /// enrollment (220, unenrollment, a wipe).
  private static func configurationChanges(
    _ before: AppProtectionState, _ after: AppProtectionState
  ) -> [Callback] {
    let delivered = [before, after].flatMap { $0.configuration.accounts.records.lazy.map(\.account) }
    // Configurations are rare and seldom change.
    guard !delivered.isEmpty, before.accounts != after.accounts || before.configuration != after.configuration else {
      return []
    }
    return Set(delivered).sorted().filter { account in
      before.configurationEntries(for: account) != after.configurationEntries(for: account)
    }.map { .configurationDidChange($0) }
  }

  /// The calls that the event itself causes.
  private static func calls(for event: AppProtectionEvent, _ before: AppProtectionState) -> [Callback] {
    switch event {
    case .enrollmentSucceeded(let event):
      [.enrollmentRequest(event.account, event.code)]
    case .enrollmentFailed(let event):
      isSilent(event, in: before) ? [] : [.enrollmentRequest(event.account, event.code)]
    case .accountSwitchAnswered(let event):
      event.choice == .switchAccounts ? [.enrollmentRequest(event.account, .switchExistingAccount)] : []
    case .loginAnswered(let event):
      event.account == nil ? [.enrollmentRequest(nil, .loginCanceled)] : []
    case .checkInUnchanged(let event):
      [.policyRequest(event.account, event.code)]
    case .checkInFailed(let event):
      // The documentation does not say which callback carries 220 and 226.
      event.code == .deviceBlockedEnrollment && serviceCodesEnroll(before)
        ? [.enrollmentRequest(event.account, event.code)] : [.policyRequest(event.account, event.code)]
    case .policyReceived(let event):
      // A policy that came with an enrollment is announced by the enrollment's own callback.
      answersCheckIn(of: event.account, in: before)
        ? [.policyRequest(event.account, .newPoliciesReceived), .policyDidChange(event.account)]
        : [.policyDidChange(event.account)]
    case .policyWithdrawn(let event):
      event.reason == .untargeted && answersCheckIn(of: event.account, in: before)
        ? [.policyRequest(event.account, .noPolicyReceived), .policyDidChange(event.account)]
        : [.policyDidChange(event.account)]
    case .enrollmentRecordGone(let event):
      // The callback answers the request that found no record.
      answersCheckIn(of: event.account, in: before) && !serviceCodesEnroll(before)
        ? [.policyRequest(event.account, event.code)] : [.enrollmentRequest(event.account, event.code)]
    case .unenrollmentSucceeded(let event):
      [.unenrollRequest(event.account, .unenrollmentSuccess)]
    case .unenrollmentFailed(let event):
      [.unenrollRequest(event.account, event.code)]
    case .wipeRequested(let event):
      event.origin == .service
        ? [.policyRequest(event.account, .wipeReceived), .wipeData(event.account)] : [.wipeData(event.account)]
    case .wipeFailed(let event):
      [.unenrollRequest(event.account, .failedToClearMamData)]
    case .wipeCompleted(let event):
      [.unenrollRequest(event.account, .unenrollmentSuccess), .wipeDidComplete(event.account)]
    case .restartRequired: [.restartApplication]
    case .identitySwitchRequested(let event):
      [.identitySwitchRequired(event.scope, event.identity, event.reason)]
    case .remediationFinished(let event): [.complianceStatus(event.account, event.status)]
    case .allowedAccountsChanged: [.allowedAccountsDidChange]
    case .accountAdditionRequested(let event): [.addAccount(event.account)]
    case .enrollmentConflictDetected(let event): [.accountConflict(event.account, existing: event.existing)]
    case .deviceConfigurationChanged: [.configurationDidChange(nil)]
    case .launchEvaluated(let event):
      // A silent check-in is reported only once it has ended. The app is notified that access is no longer blocked only
      // if it did not ask.
      event.awaitsCheckIn
        || (event.outcome == .allowed && !event.followsCheckIn && event.trigger != .policyChange)
        ? [] : [.conditionalLaunch(event.account, event.outcome, event.rule)]
    case .userStatusReceived(let event): [.userStatusDidChange(event.account)]
    default: []
    }
  }

  /// Whether a check-in of the account was under way, so that the event is its outcome.
  private static func answersCheckIn(of account: AccountNumber, in before: AppProtectionState) -> Bool {
    before.accounts[account]?.enrollment.checkInRequest != 0
  }

  /// Whether codes that end an enrollment reach the enrollment callback, regardless of the request they answer.
  private static func serviceCodesEnroll(_ state: AppProtectionState) -> Bool {
    state.settings.app.assumptions.serviceCodeCallback == .enrollment
  }

  /// An automatic enrollment fails silently (`AutoEnrollOnLaunch`, T17).
  private static func isSilent(_ event: EnrollmentFailed, in before: AppProtectionState) -> Bool {
    guard let enrollment = before.accounts[event.account]?.enrollment else { return false }
    return enrollment.enrollmentRequest != 0 && enrollment.trigger == .automatic
  }
}

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
