import EventSourcing

extension AppProtectionMachine: Decider {
  /// What the app, the user, the service or the clock wants to happen.
  public typealias Command = AppProtectionCommand
  /// Why a command was refused.
  public typealias Rejection = AppProtectionRejection

  /// Checks a command against the rules and returns the events it causes: none if its goal is already reached. Each
  /// part of the domain has a folder in `Rules`.
  ///
  /// - Throws: an ``AppProtectionRejection`` when a rule refuses the command, which then changes nothing.
  public static func decide(
    _ command: AppProtectionCommand, in state: AppProtectionState, at next: EventContext,
    explanation: inout Explanation
  ) throws(AppProtectionRejection) -> DecidedEvents<AppProtectionMachine> {
    var deliberation = Deliberation(state, at: next, explanation: explanation)
    defer { explanation = deliberation.explanation }
    if case .startProcess(let start, let settings) = command {
      deliberation.startProcess(start, settings: settings)
    } else {
      let process = state.process
      try deliberation.require(
        process.startedBy != 0 && process.isRunning, or: .notStarted, "a process is running",
        reads: { _ in [.init("/process/isRunning", .bool(process.isRunning))] })
      try deliberation.decide(command)
    }
    return deliberation.decided
  }
}

extension Deliberation {
  fileprivate mutating func decide(_ command: AppProtectionCommand) throws(AppProtectionRejection) {
    switch command {
    case .startProcess(let start, let settings): startProcess(start, settings: settings)
    case .endProcess: emit(.processEnded(ProcessEnded()))
    case .changeSettings(let settings): changeSettings(settings)
    case .overrideSettings(let overrides): try overrideSettings(overrides)
    case .answerRestart(let answer, let minutes, let intent):
      try answerRestart(answer, postponedMinutes: minutes, intent)
    case .acknowledgeMissingPolicy: acknowledgeMissingPolicy()
    case .setAllowedAccounts(let accounts): try setAllowedAccounts(accounts)
    case .setDeviceAccount(let account, let source): try setDeviceAccount(account, source)
    case .setDeviceConfiguration(let values, let source): try setDeviceConfiguration(values, source)
    case .startDueWork: startDueWork()
    case .noteRefusal(let refusal): emit(.commandRefused(refusal))
    case .registerAndEnroll(let account): try registerAndEnroll(account)
    case .loginAndEnroll(let account): try loginAndEnroll(account)
    case .answerLogin(let account, let intent): try answerLogin(account, intent)
    case .deregisterAndUnenroll(let account, let wipe): try deregisterAndUnenroll(account, wipe: wipe)
    case .identifyAccount(let account): try identifyAccount(account)
    case .answerAccountSwitch(let account, let choice, let intent): try answerAccountSwitch(account, choice, intent)
    case .answerEnrollment(let account, let answer, let intent): try answerEnrollment(account, answer, intent)
    case .requestCheckIn(let account, let trigger): try requestCheckIn(account, trigger)
    case .answerCheckIn(let account, let answer, let intent): try answerCheckIn(account, answer, intent)
    case .answerUnenrollment(let account, let failure, let intent):
      try answerUnenrollment(account, failure: failure, intent)
    case .reportSignIns(let accounts, let work): try reportSignIns(accounts, workOrSchool: work)
    case .setExclusivity(let account, let isExclusive): try setExclusivity(account, isExclusive)
    case .answerAddition(let account, let result, let intent): try answerAddition(account, result, intent)
    case .deliverConfiguration(let account, let entries): try deliverConfiguration(account, entries)
    case .acquireToken(let account): try acquireToken(account)
    case .removeToken(let account): try removeToken(account)
    case .denyToken(let account, let error): try denyToken(account, error: error)
    case .setIdentity(let scope, let target, let outcome): try setIdentity(scope, target, outcome: outcome)
    case .requestIdentitySwitch(let scope, let target, let reason):
      try requestIdentitySwitch(scope, target, reason)
    case .answerIdentitySwitch(let scope, let result, let isAddIdentityResult, let intent):
      try answerIdentitySwitch(scope, result, isAddIdentityResult: isAddIdentityResult, intent)
    case .closeScope(let scope): try closeScope(scope)
    case .requestWipe(let account, let reason, let origin): try requestWipe(account, reason, origin)
    case .answerWipe(let account, let removedEverything, let intent):
      try answerWipe(account, removedEverything: removedEverything, intent)
    case .reportFilesRemoved(let account, let count, let intent):
      try reportFilesRemoved(account, count: count, intent)
    case .reportFilesLeft(let account, let count, let error, let intent):
      try reportFilesLeft(account, count: count, error: error, intent)
    case .remediateCompliance(let account, let isSilent): try remediateCompliance(account, isSilent: isSilent)
    case .answerRemediation(let account, let status, let message, let title, let intent):
      try answerRemediation(account, status, message: message, title: title, intent)
    case .confirmRemediation(let account, let intent): try confirmRemediation(account, intent)
    case .reportDevice(let facts): reportDevice(facts)
    case .noteUTCOffset(let offset): noteUTCOffset(offset)
    case .reportUserStatus(let account, let clockStatus, let isDisabled):
      try reportUserStatus(account, clockStatus, isDisabled: isDisabled)
    case .evaluateLaunch(let account, let trigger): try evaluateLaunch(account, trigger)
    case .signInForLaunch(let account, let other): try signInForLaunch(account, as: other)
    case .cancelLaunch(let account): try cancelLaunch(account)
    case .setPIN(let account, let facts, let earlier): try setPIN(account, facts, equalTo: earlier)
    case .reportPINAttempt(let account, let isRight, let byBiometrics):
      try reportPINAttempt(account, isRight: isRight, byBiometrics: byBiometrics)
    case .reportBiometricsChange: reportBiometricsChange()
    }
  }
}
