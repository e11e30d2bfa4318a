import EventSourcing

extension AppProtectionMachine {
  /// Folds one event into the state. An event that fits nothing in the state, such as one about an account that was
  /// never introduced, changes nothing. What each event changes stands in the folder of its part of the domain.
  public static func reduce(
    into state: inout AppProtectionState, _ event: AppProtectionEvent, _ context: EventContext
  ) {
    let bootSession = state.process.bootSession
    defer { state.noteForLaunch(event, context, bootSessionBefore: bootSession) }
    switch event {
    case .processStarted(let event): state.fold(event, context)
    case .processEnded(let event): state.fold(event, context)
    case .restartRequired(let event): state.fold(event, context)
    case .restartAnswered(let event): state.fold(event, context)
    case .launchWarned(let event): state.fold(event, context)
    case .settingsChanged(let event): state.fold(event, context)
    case .allowedAccountsChanged(let event): state.fold(event, context)
    case .managedDeviceAccountChanged(let event): state.fold(event, context)
    case .deviceConfigurationChanged(let event): state.fold(event, context)
    case .accountIntroduced(let event): state.fold(event, context)
    case .accountIdentified(let event): state.fold(event, context)
    case .accountRegistered(let event): state.fold(event, context)
    case .accountDeregistered(let event): state.fold(event, context)
    case .accountRemovalRequired(let event): state.fold(event, context)
    case .tokenAcquired(let event): state.fold(event, context)
    case .tokenRemoved(let event): state.fold(event, context)
    case .accountAdditionRequested(let event): state.fold(event, context)
    case .accountAdditionAnswered(let event): state.fold(event, context)
    case .signInsReported(let event): state.fold(event, context)
    case .accountExclusivityChanged(let event): state.fold(event, context)
    case .enrollmentRequested(let event): state.fold(event, context)
    case .enrollmentSucceeded(let event): state.fold(event, context)
    case .enrollmentFailed(let event): state.fold(event, context)
    case .accountSwitchAsked(let event): state.fold(event, context)
    case .accountSwitchAnswered(let event): state.fold(event, context)
    case .enrollmentRecordGone(let event): state.fold(event, context)
    case .enrollmentLapsed(let event): state.fold(event, context)
    case .loginRequested(let event): state.fold(event, context)
    case .loginAnswered(let event): state.fold(event, context)
    case .checkInRequested(let event): state.fold(event, context)
    case .checkInUnchanged(let event): state.fold(event, context)
    case .checkInFailed(let event): state.fold(event, context)
    case .unenrollmentRequested(let event): state.fold(event, context)
    case .unenrollmentSucceeded(let event): state.fold(event, context)
    case .unenrollmentFailed(let event): state.fold(event, context)
    case .policyReceived(let event): state.fold(event, context)
    case .policyWithdrawn(let event): state.fold(event, context)
    case .configurationReceived(let event): state.fold(event, context)
    case .configurationWithdrawn(let event): state.fold(event, context)
    case .identitySwitched(let event): state.fold(event, context)
    case .identitySwitchRequested(let event): state.fold(event, context)
    case .identitySwitchAnswered(let event): state.fold(event, context)
    case .identityScopeClosed(let event): state.fold(event, context)
    case .wipeRequested(let event): state.fold(event, context)
    case .wipeDelegateAnswered(let event): state.fold(event, context)
    case .wipeFilesRemoved(let event): state.fold(event, context)
    case .wipeCompleted(let event): state.fold(event, context)
    case .wipeFailed(let event): state.fold(event, context)
    case .tokenDenied(let event): state.fold(event, context)
    case .remediationRequested(let event): state.fold(event, context)
    case .remediationQueued(let event): state.fold(event, context)
    case .remediationStarted(let event): state.fold(event, context)
    case .remediationFinished(let event): state.fold(event, context)
    case .remediationTold(let event): state.fold(event, context)
    case .deviceReported(let event): state.fold(event, context)
    case .userStatusReceived(let event): state.fold(event, context)
    case .launchEvaluated(let event): state.fold(event, context)
    case .launchCanceled(let event): state.fold(event, context)
    case .launchSignedIn(let event): state.fold(event, context)
    case .pinSet(let event): state.fold(event, context)
    case .pinVerified(let event): state.fold(event, context)
    case .pinFailed(let event): state.fold(event, context)
    case .pinReset(let event): state.fold(event, context)
    case .biometricsChanged(let event): state.fold(event, context)
    case .enrollmentConflictDetected, .identitySwitchRefused, .commandRefused:
      // Told to people; only launch conditions take note of a refused switch.
      break
    }
  }
}
