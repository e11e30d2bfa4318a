import AppProtection
import EventSourcing

extension RecordedDecision {
  /// The command that an event about the process and its settings stands for.
  func processCommand(of event: AppProtectionEvent) -> AppProtectionCommand? {
    switch event {
    case .processStarted(let event): launch(event, settings: nil)
    case .processEnded: .endProcess
    case .settingsChanged(let changed):
      starts.map { launch($0, settings: changed.settings) } ?? .changeSettings(changed.settings)
    case .settingsOverridden(let event): .overrideSettings(event.overrides)
    case .restartAnswered(let event): .answerRestart(event.answer, postponedMinutes: event.postponedMinutes)
    case .launchWarned: .acknowledgeMissingPolicy
    case .clockOffsetChanged(let event): .noteUTCOffset(event.utcOffset)
    case .allowedAccountsChanged(let event):
      .setAllowedAccounts(event.isRestricted ? event.accounts.map(reference) : nil)
    case .managedDeviceAccountChanged(let event):
      // A configuration of the device says this and more, in a form that the events do not keep.
      contains { if case .deviceConfigurationChanged = $0 { true } else { false } }
        ? nil : .setDeviceAccount(event.account.map(reference), source: event.source)
    case .deviceConfigurationChanged(let event): event.isDelivered ? nil : .setDeviceConfiguration(nil)
    case _: nil
    }
  }

  private var starts: ProcessStarted? {
    for case .processStarted(let event) in events { return event }
    return nil
  }

  private func launch(_ event: ProcessStarted, settings: AppSettings?) -> AppProtectionCommand {
    var start = ProcessStart()
    start.bootSession = event.bootSession
    start.appVersion = event.appVersion
    start.sdkVersion = event.sdkVersion
    start.osVersion = event.osVersion
    start.deviceModel = event.deviceModel
    start.isExtension = event.isExtension
    start.utcOffset = event.utcOffset
    for case .deviceReported(let event) in events { start.device = event.facts }
    return .startProcess(start, settings: settings)
  }

  /// The command that an event about an account stands for.
  func accountCommand(of event: AppProtectionEvent) -> AppProtectionCommand? {
    switch event {
    case .accountRegistered(let event): registration(of: event.account)
    case .accountDeregistered(let event):
      event.lingersAtService
        ? .answerUnenrollment(reference(event.account)) : .deregisterAndUnenroll(reference(event.account), wipe: false)
    case .tokenAcquired(let event): .acquireToken(reference(event.account))
    case .tokenRemoved(let event): .removeToken(reference(event.account))
    case .tokenDenied(let event): .denyToken(reference(event.account), error: event.error)
    case .accountAdditionAnswered(let event): .answerAddition(reference(event.account), event.result)
    case .signInsReported(let event):
      .reportSignIns(event.accounts.map(reference), workOrSchool: event.workOrSchool.map(reference))
    case .accountExclusivityChanged(let event): .setExclusivity(reference(event.account), event.isExclusive)
    case .remediationRequested(let event): .remediateCompliance(reference(event.account), isSilent: event.isSilent)
    case .remediationFinished(let event):
      contains { if case .accountDeregistered = $0 { true } else { false } }
        ? .deregisterAndUnenroll(reference(event.account), wipe: false)
        : .answerRemediation(reference(event.account), event.status, message: event.message, title: event.title)
    case .remediationTold(let event): .confirmRemediation(reference(event.account))
    case .configurationReceived(let event): .deliverConfiguration(reference(event.account), event.entries)
    case .configurationWithdrawn(let event): .deliverConfiguration(reference(event.account), [])
    case _: nil
    }
  }

  /// Of an account that is registered: why it is, show the events that follow.
  private func registration(of account: AccountNumber) -> AppProtectionCommand {
    for event in events {
      switch event {
      case .remediationRequested(let event):
        return .remediateCompliance(reference(account), isSilent: event.isSilent)
      case .enrollmentRequested(let event) where event.trigger == .login: return .loginAndEnroll(reference(account))
      case _: continue
      }
    }
    return .registerAndEnroll(reference(account))
  }

  /// The command that an event about identities, the PIN and launch conditions stands for.
  func userCommand(of event: AppProtectionEvent) -> AppProtectionCommand? {
    switch event {
    case .identitySwitched(let event): .setIdentity(event.scope, target(event.identity), outcome: claim)
    case .identitySwitchRefused(let event):
      .setIdentity(
        event.scope, target(event.identity), outcome: event.reason == .conditionalLaunch ? event.result : claim)
    case .identitySwitchRequested(let event):
      .requestIdentitySwitch(event.scope, target(event.identity), event.reason)
    case .identitySwitchAnswered(let event):
      .answerIdentitySwitch(event.scope, event.result, isAddIdentityResult: event.isAddIdentityResult)
    case .identityScopeClosed(let event): .closeScope(event.scope)
    case .deviceReported(let event): .reportDevice(event.facts)
    case .userStatusReceived(let event):
      .reportUserStatus(reference(event.account), event.clockStatus, isDisabled: event.isDisabled)
    case .launchEvaluated(let event):
      event.trigger == .identitySwitch ? identitySwitch : .evaluateLaunch(reference(event.account), event.trigger)
    case .launchCanceled(let event): identitySwitch ?? .cancelLaunch(reference(event.account))
    case .launchSignedIn(let event): .signInForLaunch(reference(event.account), as: reference(event.account))
    case .pinSet(let event):
      (policies.records.first { $0.document.access.pinRequired == true } ?? policies.records.first)
        .map { .setPIN(reference($0.account), event.facts) }
    case .pinVerified(let event):
      .reportPINAttempt(reference(event.account), isRight: true, byBiometrics: event.byBiometrics)
    case .pinFailed(let event): .reportPINAttempt(reference(event.account), isRight: false)
    case .biometricsChanged: .reportBiometricsChange
    case _: nil
    }
  }

  /// The switch that launch conditions were evaluated for.
  private var identitySwitch: AppProtectionCommand? {
    for event in events {
      switch event {
      case .identitySwitched(let event):
        return .setIdentity(event.scope, target(event.identity), outcome: claim)
      case .identitySwitchRefused(let event) where event.reason == .conditionalLaunch:
        let isCanceled = contains { if case .launchCanceled = $0 { true } else { false } }
        return .setIdentity(event.scope, target(event.identity), outcome: isCanceled ? event.result : nil)
      case .launchEvaluated(let event):
        if let scope = event.scope {
          return .setIdentity(scope, .account(reference(event.account)), outcome: event.isAnswered ? .success : nil)
        }
      case _: continue
      }
    }
    for case .launchEvaluated(let event) in events {
      return .setIdentity(.ui, .account(reference(event.account)), outcome: event.claimed.isEmpty ? nil : .success)
    }
    return nil
  }

  /// What the app said of the user's answers. Before revision 5, whatever was passed may have rested on its word.
  private var claim: SwitchIdentityResult? {
    for case .launchEvaluated(let event) in events {
      return (hasClaims ? !event.claimed.isEmpty : event.findings.isEmpty) ? .success : nil
    }
    return hasClaims ? nil : .success
  }
}
