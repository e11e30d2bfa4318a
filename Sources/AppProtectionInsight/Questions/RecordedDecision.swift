import AppProtection
import EventSourcing

/// The events of one command, from which the command is inferred.
struct RecordedDecision {
  let events: [AppProtectionEvent]
  /// The accounts and policies with which they were decided: a copy of the whole state would count all its parts.
  let accounts: AccountTable<Account>
  let policies: AccountTable<PolicyRecord>
  let clock: LaunchClock
  /// Whether the journal has what the app claimed of launch conditions: since revision 5.
  let hasClaims: Bool
  let moment: Moment

  init(_ events: [AppProtectionEvent], in state: AppProtectionState, at moment: Moment) {
    (self.events, accounts, policies) = (events, state.accounts, state.policies)
    (clock, self.moment) = (state.launch.clock, moment)
    hasClaims = !state.process.isRevision(before: 5)
  }

  /// The command, as far as the events tell it.
  var command: AppProtectionCommand? {
    for event in events {
      switch event {
      case .accountIntroduced, .accountIdentified: continue
      case _: return command(of: event)
      }
    }
    if case .accountIdentified(let event)? = events.last { return .identifyAccount(reference(event.account)) }
    return nil
  }

  /// An account as the command named it: with the identity that the journal learned from it.
  func reference(_ account: AccountNumber) -> AccountReference {
    var reference = AccountReference(account)
    for event in events {
      switch event {
      case .accountIntroduced(let event) where event.account == account:
        return AccountReference(objectID: event.objectID, userPrincipalName: event.userPrincipalName)
      case .accountIdentified(let event) where event.account == account:
        (reference.objectID, reference.userPrincipalName) = (event.objectID, event.userPrincipalName)
      case _: continue
      }
    }
    return reference
  }

  /// What an identity switch asked for.
  func target(_ identity: Identity) -> TargetIdentity {
    switch identity {
    case .unset: .unset
    case .unmanaged: .unmanaged
    case .account(let account): .account(reference(account))
    }
  }

  func failure(_ code: EnrollmentStatusCode, _ error: String = "") -> ServiceAnswer {
    .failure(ServiceFailure(code, error: error))
  }

  /// The answer to the request that waits: to an enrollment, or to a check-in.
  func answer(_ answer: ServiceAnswer, for account: AccountNumber) -> AppProtectionCommand? {
    guard let enrollment = accounts[account]?.enrollment else { return nil }
    if enrollment.checkInRequest != 0 { return .answerCheckIn(reference(account), answer) }
    return enrollment.enrollmentRequest == 0 ? nil : .answerEnrollment(reference(account), answer)
  }

  /// The policy among the events, with the time until the next check-in.
  var policy: ServiceAnswer? {
    for case .policyReceived(let event) in events {
      return .policy(
        event.document, nextCheckIn: event.nextCheckIn.map { $0.distanceClamping(from: moment.wallNanoseconds) })
    }
    return nil
  }

  /// Whether an event among these passes.
  func contains(_ test: (AppProtectionEvent) -> Bool) -> Bool { events.contains(where: test) }

  private func command(of event: AppProtectionEvent) -> AppProtectionCommand? {
    switch event {
    case .processStarted, .processEnded, .settingsChanged, .settingsOverridden, .restartAnswered, .launchWarned,
      .allowedAccountsChanged, .managedDeviceAccountChanged, .deviceConfigurationChanged, .clockOffsetChanged:
      processCommand(of: event)
    case .accountRegistered, .accountDeregistered, .tokenAcquired, .tokenRemoved, .accountAdditionAnswered,
      .signInsReported, .accountExclusivityChanged, .tokenDenied, .remediationRequested, .remediationFinished,
      .remediationTold, .configurationReceived, .configurationWithdrawn:
      accountCommand(of: event)
    case .enrollmentRequested, .enrollmentSucceeded, .enrollmentFailed, .accountSwitchAsked, .accountSwitchAnswered,
      .enrollmentRecordGone, .loginRequested, .loginAnswered, .checkInRequested, .checkInUnchanged, .checkInFailed,
      .unenrollmentRequested, .unenrollmentSucceeded, .unenrollmentFailed, .policyReceived, .policyWithdrawn,
      .wipeRequested, .wipeDelegateAnswered, .wipeFilesRemoved, .wipeCompleted, .wipeFailed:
      serviceCommand(of: event)
    case .identitySwitched, .identitySwitchRefused, .identitySwitchRequested, .identitySwitchAnswered,
      .identityScopeClosed, .deviceReported, .userStatusReceived, .launchEvaluated, .launchCanceled, .launchSignedIn,
      .pinSet, .pinVerified, .pinFailed, .biometricsChanged:
      userCommand(of: event)
    // What was refused, or only follows from another event of its command.
    case .commandRefused, .restartRequired, .accountIntroduced, .accountIdentified, .accountRemovalRequired,
      .accountAdditionRequested, .enrollmentConflictDetected, .enrollmentLapsed, .remediationQueued,
      .remediationStarted, .pinReset:
      nil
    }
  }
}
