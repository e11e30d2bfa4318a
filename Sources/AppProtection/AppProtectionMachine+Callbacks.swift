import EventSourcing

extension AppProtectionMachine {
  /// The delegate calls and notifications that an event leads to, in their order: a pure projection, so that a replay
  /// can show what the app was told.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - before: the state into which it was folded.
  ///   - after: the state after it.
  public static func callbacks(
    for event: AppProtectionEvent, before: AppProtectionState, after: AppProtectionState
  ) -> [Callback] {
    calls(for: event, before) + dataProtectionChanges(by: event, before, after) + configurationChanges(before, after)
  }

  /// The accounts whose configuration, as the app reads it, is another one than before: delivered, withdrawn, or gone with the
  /// enrollment (220, unenrollment, a wipe).
  private static func configurationChanges(
    _ before: AppProtectionState, _ after: AppProtectionState
  ) -> [Callback] {
    let delivered = before.configuration.accounts.records + after.configuration.accounts.records
    // Almost always there are none, or nothing about them has changed.
    guard !delivered.isEmpty, before.accounts != after.accounts || before.configuration != after.configuration else {
      return []
    }
    return Set(delivered.map(\.account)).sorted().filter { account in
      before.appConfiguration(for: account).fullData != after.appConfiguration(for: account).fullData
    }.map { .configurationDidChange($0) }
  }

  /// What the event itself leads to.
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
      // Which callback carries 220 and 226 is not published.
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
      // The request that found no record is the one that is answered.
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
      // What a check-in settles that is tried in silence is told when it has ended.
      // That nothing stands in the way any more is told where the app did not ask.
      event.awaitsCheckIn
        || (event.outcome == .allowed && !event.followsCheckIn && event.trigger != .policyChange)
        ? [] : [.conditionalLaunch(event.account, event.outcome, event.rule)]
    case .userStatusReceived(let event): [.userStatusDidChange(event.account)]
    default: []
    }
  }

  /// The accounts that keep a policy, gain or lose one, and whose files must be encrypted after the event and not before it, or
  /// the other way round. A process that starts asks by itself.
  private static func dataProtectionChanges(
    by event: AppProtectionEvent, _ before: AppProtectionState, _ after: AppProtectionState
  ) -> [Callback] {
    switch event {
    case .policyReceived(let event): return dataProtectionChange(of: event.account, before, after)
    case .policyWithdrawn(let event): return dataProtectionChange(of: event.account, before, after)
    case .enrollmentRecordGone(let event): return dataProtectionChange(of: event.account, before, after)
    case .unenrollmentSucceeded(let event): return dataProtectionChange(of: event.account, before, after)
    case .settingsChanged:
      return after.policies.records.flatMap { dataProtectionChange(of: $0.account, before, after) }
    // A wipe leaves no file behind that could be encrypted or not.
    default: return []
    }
  }

  private static func dataProtectionChange(
    of account: AccountNumber, _ before: AppProtectionState, _ after: AppProtectionState
  ) -> [Callback] {
    let demand = after.fileEncryption(for: account).outcome
    return before.fileEncryption(for: account).outcome == demand ? [] : [.dataProtectionDidChange(account)]
  }

  /// Whether a check-in of the account was under way, so that the event is its outcome.
  private static func answersCheckIn(of account: AccountNumber, in before: AppProtectionState) -> Bool {
    before.accounts[account]?.enrollment.checkInRequest != 0
  }

  /// Whether codes that end an enrollment are told as an enrollment's, whatever they answer.
  private static func serviceCodesEnroll(_ state: AppProtectionState) -> Bool {
    state.settings.app.assumptions.serviceCodeCallback == .enrollment
  }

  /// An enrollment that nobody asked for fails in silence (`AutoEnrollOnLaunch`, T17).
  private static func isSilent(_ event: EnrollmentFailed, in before: AppProtectionState) -> Bool {
    guard let enrollment = before.accounts[event.account]?.enrollment else { return false }
    return enrollment.enrollmentRequest != 0 && enrollment.trigger == .automatic
  }
}
