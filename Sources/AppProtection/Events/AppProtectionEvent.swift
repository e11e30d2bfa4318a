import EventSourcing

/// Every event of app protection, with its payload.
///
/// Payloads of more than 31 bytes are stored behind a reference, so that an event fits in four registers. A larger
/// event would be passed in memory and destroyed through table lookups, although the frequent events are small.
public enum AppProtectionEvent: JournaledEvent {
  /// `process.started` (1).
  indirect case processStarted(ProcessStarted)
  /// `process.ended` (2).
  case processEnded(ProcessEnded)
  /// `restart.required` (3).
  case restartRequired(RestartRequired)
  /// `restart.answered` (4).
  case restartAnswered(RestartAnswered)
  /// `launch.warned` (5).
  case launchWarned(LaunchWarned)
  /// `command.refused` (6).
  indirect case commandRefused(CommandRefused)
  /// `clock.offsetChanged` (7).
  case clockOffsetChanged(ClockOffsetChanged)
  /// `settings.changed` (10).
  indirect case settingsChanged(SettingsChanged)
  /// `allowedAccounts.changed` (11).
  case allowedAccountsChanged(AllowedAccountsChanged)
  /// `deviceAccount.changed` (12).
  case managedDeviceAccountChanged(ManagedDeviceAccountChanged)
  /// `deviceConfiguration.changed` (13).
  indirect case deviceConfigurationChanged(DeviceConfigurationChanged)
  /// `settings.overridden` (14).
  indirect case settingsOverridden(SettingsOverridden)
  /// `account.introduced` (20).
  indirect case accountIntroduced(AccountIntroduced)
  /// `account.identified` (21).
  indirect case accountIdentified(AccountIdentified)
  /// `account.registered` (22).
  case accountRegistered(AccountRegistered)
  /// `account.deregistered` (23).
  case accountDeregistered(AccountDeregistered)
  /// `account.removalRequired` (24).
  case accountRemovalRequired(AccountRemovalRequired)
  /// `token.acquired` (25).
  case tokenAcquired(TokenAcquired)
  /// `token.removed` (26).
  case tokenRemoved(TokenRemoved)
  /// `account.additionRequested` (27).
  case accountAdditionRequested(AccountAdditionRequested)
  /// `account.additionAnswered` (28).
  case accountAdditionAnswered(AccountAdditionAnswered)
  /// `signIns.reported` (29).
  case signInsReported(SignInsReported)
  /// `account.exclusivityChanged` (30).
  case accountExclusivityChanged(AccountExclusivityChanged)
  /// `enrollment.requested` (40).
  case enrollmentRequested(EnrollmentRequested)
  /// `enrollment.succeeded` (41).
  case enrollmentSucceeded(EnrollmentSucceeded)
  /// `enrollment.failed` (42).
  indirect case enrollmentFailed(EnrollmentFailed)
  /// `enrollment.switchAsked` (43).
  case accountSwitchAsked(AccountSwitchAsked)
  /// `enrollment.switchAnswered` (44).
  case accountSwitchAnswered(AccountSwitchAnswered)
  /// `enrollment.conflictDetected` (45).
  case enrollmentConflictDetected(EnrollmentConflictDetected)
  /// `enrollment.recordGone` (46).
  case enrollmentRecordGone(EnrollmentRecordGone)
  /// `enrollment.lapsed` (47).
  case enrollmentLapsed(EnrollmentLapsed)
  /// `login.requested` (48).
  case loginRequested(LoginRequested)
  /// `login.answered` (49).
  case loginAnswered(LoginAnswered)
  /// `checkIn.requested` (50).
  case checkInRequested(CheckInRequested)
  /// `checkIn.unchanged` (51).
  case checkInUnchanged(CheckInUnchanged)
  /// `checkIn.failed` (52).
  indirect case checkInFailed(CheckInFailed)
  /// `unenrollment.requested` (60).
  case unenrollmentRequested(UnenrollmentRequested)
  /// `unenrollment.succeeded` (61).
  case unenrollmentSucceeded(UnenrollmentSucceeded)
  /// `unenrollment.failed` (62).
  indirect case unenrollmentFailed(UnenrollmentFailed)
  /// `policy.received` (80).
  indirect case policyReceived(PolicyReceived)
  /// `policy.withdrawn` (81).
  case policyWithdrawn(PolicyWithdrawn)
  /// `configuration.received` (82).
  case configurationReceived(ConfigurationReceived)
  /// `configuration.withdrawn` (83).
  case configurationWithdrawn(ConfigurationWithdrawn)
  /// `identity.switched` (100).
  case identitySwitched(IdentitySwitched)
  /// `identity.switchRefused` (101).
  case identitySwitchRefused(IdentitySwitchRefused)
  /// `identity.switchRequested` (102).
  case identitySwitchRequested(IdentitySwitchRequested)
  /// `identity.switchAnswered` (103).
  case identitySwitchAnswered(IdentitySwitchAnswered)
  /// `identity.scopeClosed` (104).
  case identityScopeClosed(IdentityScopeClosed)
  /// `wipe.requested` (120).
  case wipeRequested(WipeRequested)
  /// `wipe.delegateAnswered` (121).
  case wipeDelegateAnswered(WipeDelegateAnswered)
  /// `wipe.filesRemoved` (122).
  case wipeFilesRemoved(WipeFilesRemoved)
  /// `wipe.completed` (123).
  case wipeCompleted(WipeCompleted)
  /// `wipe.failed` (124).
  indirect case wipeFailed(WipeFailed)
  /// `token.denied` (140).
  case tokenDenied(TokenDenied)
  /// `remediation.requested` (141).
  case remediationRequested(RemediationRequested)
  /// `remediation.queued` (142).
  case remediationQueued(RemediationQueued)
  /// `remediation.started` (143).
  case remediationStarted(RemediationStarted)
  /// `remediation.finished` (144).
  indirect case remediationFinished(RemediationFinished)
  /// `remediation.told` (145).
  case remediationTold(RemediationTold)
  /// `device.reported` (160).
  case deviceReported(DeviceReported)
  /// `userStatus.received` (161).
  case userStatusReceived(UserStatusReceived)
  /// `launch.evaluated` (162).
  case launchEvaluated(LaunchEvaluated)
  /// `launch.canceled` (163).
  case launchCanceled(LaunchCanceled)
  /// `launch.signedIn` (164).
  case launchSignedIn(LaunchSignedIn)
  /// `pin.set` (165).
  case pinSet(PINSet)
  /// `pin.verified` (166).
  case pinVerified(PINVerified)
  /// `pin.failed` (167).
  case pinFailed(PINFailed)
  /// `pin.reset` (168).
  case pinReset(PINReset)
  /// `biometrics.changed` (169).
  case biometricsChanged(BiometricsChanged)
}

extension AppProtectionEvent {
  /// The numbers of the types. They never change; each folder of the domain has its own range.
  public enum Kind: UInt32, CaseIterable, Sendable {
    case processStarted = 1, processEnded = 2, restartRequired = 3, restartAnswered = 4, launchWarned = 5,
      commandRefused = 6, clockOffsetChanged = 7
    case settingsChanged = 10, allowedAccountsChanged = 11, managedDeviceAccountChanged = 12,
      deviceConfigurationChanged = 13, settingsOverridden = 14
    case accountIntroduced = 20, accountIdentified = 21, accountRegistered = 22, accountDeregistered = 23,
      accountRemovalRequired = 24, tokenAcquired = 25, tokenRemoved = 26, accountAdditionRequested = 27,
      accountAdditionAnswered = 28, signInsReported = 29, accountExclusivityChanged = 30
    case enrollmentRequested = 40, enrollmentSucceeded = 41, enrollmentFailed = 42, accountSwitchAsked = 43,
      accountSwitchAnswered = 44, enrollmentConflictDetected = 45, enrollmentRecordGone = 46, enrollmentLapsed = 47,
      loginRequested = 48, loginAnswered = 49, checkInRequested = 50, checkInUnchanged = 51, checkInFailed = 52
    case unenrollmentRequested = 60, unenrollmentSucceeded = 61, unenrollmentFailed = 62
    case policyReceived = 80, policyWithdrawn = 81, configurationReceived = 82, configurationWithdrawn = 83
    case identitySwitched = 100, identitySwitchRefused = 101, identitySwitchRequested = 102,
      identitySwitchAnswered = 103, identityScopeClosed = 104
    case wipeRequested = 120, wipeDelegateAnswered = 121, wipeFilesRemoved = 122, wipeCompleted = 123,
      wipeFailed = 124
    case tokenDenied = 140, remediationRequested = 141, remediationQueued = 142, remediationStarted = 143,
      remediationFinished = 144, remediationTold = 145
    case deviceReported = 160, userStatusReceived = 161, launchEvaluated = 162, launchCanceled = 163,
      launchSignedIn = 164, pinSet = 165, pinVerified = 166, pinFailed = 167, pinReset = 168,
      biometricsChanged = 169

    /// Passes a visitor the case that holds the payload, and what looks at such an event besides the state. The test of
    /// the page "How to add…" fails if a projection does not match that.
    @inline(__always)
    func accept<V: PayloadTypeVisitor>(_ visitor: inout V) throws(V.Failure) -> V.Result {
      typealias Event = AppProtectionEvent
      return switch self {
      case .processStarted: try visitor.visit(Event.processStarted, [.findings, .launch])
      case .processEnded: try visitor.visit(Event.processEnded, [.findings, .launch])
      case .restartRequired: try visitor.visit(Event.restartRequired, [.callbacks, .findings])
      case .restartAnswered: try visitor.visit(Event.restartAnswered, [])
      case .launchWarned: try visitor.visit(Event.launchWarned, [])
      case .commandRefused: try visitor.visit(Event.commandRefused, [])
      case .clockOffsetChanged: try visitor.visit(Event.clockOffsetChanged, [])
      case .settingsChanged: try visitor.visit(Event.settingsChanged, [.dataProtection])
      case .allowedAccountsChanged: try visitor.visit(Event.allowedAccountsChanged, [.callbacks, .findings])
      case .managedDeviceAccountChanged: try visitor.visit(Event.managedDeviceAccountChanged, [])
      case .deviceConfigurationChanged: try visitor.visit(Event.deviceConfigurationChanged, [.callbacks, .findings])
      case .settingsOverridden: try visitor.visit(Event.settingsOverridden, [])
      case .accountIntroduced: try visitor.visit(Event.accountIntroduced, [])
      case .accountIdentified: try visitor.visit(Event.accountIdentified, [.findings])
      case .accountRegistered: try visitor.visit(Event.accountRegistered, [])
      case .accountDeregistered: try visitor.visit(Event.accountDeregistered, [])
      case .accountRemovalRequired: try visitor.visit(Event.accountRemovalRequired, [])
      case .tokenAcquired: try visitor.visit(Event.tokenAcquired, [])
      case .tokenRemoved: try visitor.visit(Event.tokenRemoved, [])
      case .accountAdditionRequested: try visitor.visit(Event.accountAdditionRequested, [.callbacks])
      case .accountAdditionAnswered: try visitor.visit(Event.accountAdditionAnswered, [.findings])
      case .signInsReported: try visitor.visit(Event.signInsReported, [.findings])
      case .accountExclusivityChanged: try visitor.visit(Event.accountExclusivityChanged, [])
      case .enrollmentRequested: try visitor.visit(Event.enrollmentRequested, [.launch])
      case .enrollmentSucceeded: try visitor.visit(Event.enrollmentSucceeded, [.callbacks, .launch])
      case .enrollmentFailed: try visitor.visit(Event.enrollmentFailed, [.callbacks, .findings, .causes, .launch])
      case .accountSwitchAsked: try visitor.visit(Event.accountSwitchAsked, [])
      case .accountSwitchAnswered: try visitor.visit(Event.accountSwitchAnswered, [.callbacks, .causes])
      case .enrollmentConflictDetected: try visitor.visit(Event.enrollmentConflictDetected, [.callbacks, .findings])
      case .enrollmentRecordGone: try visitor.visit(Event.enrollmentRecordGone, [.callbacks, .dataProtection])
      case .enrollmentLapsed: try visitor.visit(Event.enrollmentLapsed, [])
      case .loginRequested: try visitor.visit(Event.loginRequested, [])
      case .loginAnswered: try visitor.visit(Event.loginAnswered, [.callbacks])
      case .checkInRequested: try visitor.visit(Event.checkInRequested, [.orders, .launch])
      case .checkInUnchanged: try visitor.visit(Event.checkInUnchanged, [.callbacks, .launch])
      case .checkInFailed: try visitor.visit(Event.checkInFailed, [.callbacks, .findings, .causes, .launch])
      case .unenrollmentRequested: try visitor.visit(Event.unenrollmentRequested, [.findings, .causes])
      case .unenrollmentSucceeded: try visitor.visit(Event.unenrollmentSucceeded, [.callbacks, .dataProtection])
      case .unenrollmentFailed: try visitor.visit(Event.unenrollmentFailed, [.callbacks, .findings])
      case .policyReceived: try visitor.visit(Event.policyReceived, [.callbacks, .dataProtection, .launch])
      case .policyWithdrawn: try visitor.visit(Event.policyWithdrawn, [.callbacks, .dataProtection, .launch])
      case .configurationReceived: try visitor.visit(Event.configurationReceived, [])
      case .configurationWithdrawn: try visitor.visit(Event.configurationWithdrawn, [])
      case .identitySwitched: try visitor.visit(Event.identitySwitched, [.findings, .launch])
      case .identitySwitchRefused: try visitor.visit(Event.identitySwitchRefused, [.launch])
      case .identitySwitchRequested: try visitor.visit(Event.identitySwitchRequested, [.callbacks])
      case .identitySwitchAnswered: try visitor.visit(Event.identitySwitchAnswered, [.findings])
      case .identityScopeClosed: try visitor.visit(Event.identityScopeClosed, [.launch])
      case .wipeRequested: try visitor.visit(Event.wipeRequested, [.callbacks, .orders, .launch])
      case .wipeDelegateAnswered: try visitor.visit(Event.wipeDelegateAnswered, [])
      case .wipeFilesRemoved: try visitor.visit(Event.wipeFilesRemoved, [])
      case .wipeCompleted: try visitor.visit(Event.wipeCompleted, [.callbacks, .launch])
      case .wipeFailed: try visitor.visit(Event.wipeFailed, [.callbacks])
      case .tokenDenied: try visitor.visit(Event.tokenDenied, [.findings])
      case .remediationRequested: try visitor.visit(Event.remediationRequested, [])
      case .remediationQueued: try visitor.visit(Event.remediationQueued, [])
      case .remediationStarted: try visitor.visit(Event.remediationStarted, [])
      case .remediationFinished: try visitor.visit(Event.remediationFinished, [.callbacks, .findings])
      case .remediationTold: try visitor.visit(Event.remediationTold, [])
      case .deviceReported: try visitor.visit(Event.deviceReported, [])
      case .userStatusReceived: try visitor.visit(Event.userStatusReceived, [.callbacks])
      case .launchEvaluated: try visitor.visit(Event.launchEvaluated, [.callbacks, .causes, .findings])
      case .launchCanceled: try visitor.visit(Event.launchCanceled, [.causes])
      case .launchSignedIn: try visitor.visit(Event.launchSignedIn, [.causes])
      case .pinSet: try visitor.visit(Event.pinSet, [])
      case .pinVerified: try visitor.visit(Event.pinVerified, [])
      case .pinFailed: try visitor.visit(Event.pinFailed, [])
      case .pinReset: try visitor.visit(Event.pinReset, [])
      case .biometricsChanged: try visitor.visit(Event.biometricsChanged, [])
      }
    }
  }

  /// Passes the payload to a visitor.
  func accept<V: PayloadVisitor>(_ visitor: inout V) throws(V.Failure) -> V.Result {
    switch self {
    case .processStarted(let payload): try visitor.visit(payload)
    case .processEnded(let payload): try visitor.visit(payload)
    case .restartRequired(let payload): try visitor.visit(payload)
    case .restartAnswered(let payload): try visitor.visit(payload)
    case .launchWarned(let payload): try visitor.visit(payload)
    case .commandRefused(let payload): try visitor.visit(payload)
    case .clockOffsetChanged(let payload): try visitor.visit(payload)
    case .settingsChanged(let payload): try visitor.visit(payload)
    case .allowedAccountsChanged(let payload): try visitor.visit(payload)
    case .managedDeviceAccountChanged(let payload): try visitor.visit(payload)
    case .deviceConfigurationChanged(let payload): try visitor.visit(payload)
    case .settingsOverridden(let payload): try visitor.visit(payload)
    case .accountIntroduced(let payload): try visitor.visit(payload)
    case .accountIdentified(let payload): try visitor.visit(payload)
    case .accountRegistered(let payload): try visitor.visit(payload)
    case .accountDeregistered(let payload): try visitor.visit(payload)
    case .accountRemovalRequired(let payload): try visitor.visit(payload)
    case .tokenAcquired(let payload): try visitor.visit(payload)
    case .tokenRemoved(let payload): try visitor.visit(payload)
    case .accountAdditionRequested(let payload): try visitor.visit(payload)
    case .accountAdditionAnswered(let payload): try visitor.visit(payload)
    case .signInsReported(let payload): try visitor.visit(payload)
    case .accountExclusivityChanged(let payload): try visitor.visit(payload)
    case .enrollmentRequested(let payload): try visitor.visit(payload)
    case .enrollmentSucceeded(let payload): try visitor.visit(payload)
    case .enrollmentFailed(let payload): try visitor.visit(payload)
    case .accountSwitchAsked(let payload): try visitor.visit(payload)
    case .accountSwitchAnswered(let payload): try visitor.visit(payload)
    case .enrollmentConflictDetected(let payload): try visitor.visit(payload)
    case .enrollmentRecordGone(let payload): try visitor.visit(payload)
    case .enrollmentLapsed(let payload): try visitor.visit(payload)
    case .loginRequested(let payload): try visitor.visit(payload)
    case .loginAnswered(let payload): try visitor.visit(payload)
    case .checkInRequested(let payload): try visitor.visit(payload)
    case .checkInUnchanged(let payload): try visitor.visit(payload)
    case .checkInFailed(let payload): try visitor.visit(payload)
    case .unenrollmentRequested(let payload): try visitor.visit(payload)
    case .unenrollmentSucceeded(let payload): try visitor.visit(payload)
    case .unenrollmentFailed(let payload): try visitor.visit(payload)
    case .policyReceived(let payload): try visitor.visit(payload)
    case .policyWithdrawn(let payload): try visitor.visit(payload)
    case .configurationReceived(let payload): try visitor.visit(payload)
    case .configurationWithdrawn(let payload): try visitor.visit(payload)
    case .identitySwitched(let payload): try visitor.visit(payload)
    case .identitySwitchRefused(let payload): try visitor.visit(payload)
    case .identitySwitchRequested(let payload): try visitor.visit(payload)
    case .identitySwitchAnswered(let payload): try visitor.visit(payload)
    case .identityScopeClosed(let payload): try visitor.visit(payload)
    case .wipeRequested(let payload): try visitor.visit(payload)
    case .wipeDelegateAnswered(let payload): try visitor.visit(payload)
    case .wipeFilesRemoved(let payload): try visitor.visit(payload)
    case .wipeCompleted(let payload): try visitor.visit(payload)
    case .wipeFailed(let payload): try visitor.visit(payload)
    case .tokenDenied(let payload): try visitor.visit(payload)
    case .remediationRequested(let payload): try visitor.visit(payload)
    case .remediationQueued(let payload): try visitor.visit(payload)
    case .remediationStarted(let payload): try visitor.visit(payload)
    case .remediationFinished(let payload): try visitor.visit(payload)
    case .remediationTold(let payload): try visitor.visit(payload)
    case .deviceReported(let payload): try visitor.visit(payload)
    case .userStatusReceived(let payload): try visitor.visit(payload)
    case .launchEvaluated(let payload): try visitor.visit(payload)
    case .launchCanceled(let payload): try visitor.visit(payload)
    case .launchSignedIn(let payload): try visitor.visit(payload)
    case .pinSet(let payload): try visitor.visit(payload)
    case .pinVerified(let payload): try visitor.visit(payload)
    case .pinFailed(let payload): try visitor.visit(payload)
    case .pinReset(let payload): try visitor.visit(payload)
    case .biometricsChanged(let payload): try visitor.visit(payload)
    }
  }

  /// Folds the payload into the state. Each folder of events defines the changes of its own events.
  @inline(__always)
  func fold(into state: inout AppProtectionState, _ context: EventContext) {
    switch self {
    case .processStarted(let event): state.fold(event, context)
    case .processEnded(let event): state.fold(event, context)
    case .restartRequired(let event): state.fold(event, context)
    case .restartAnswered(let event): state.fold(event, context)
    case .launchWarned(let event): state.fold(event, context)
    case .clockOffsetChanged(let event): state.fold(event, context)
    case .settingsChanged(let event): state.fold(event, context)
    case .allowedAccountsChanged(let event): state.fold(event, context)
    case .managedDeviceAccountChanged(let event): state.fold(event, context)
    case .deviceConfigurationChanged(let event): state.fold(event, context)
    case .settingsOverridden(let event): state.fold(event, context)
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
    case .commandRefused, .enrollmentConflictDetected, .identitySwitchRefused:
      // Only for the reader of the journal; launch conditions alone evaluate a refused switch.
      break
    }
  }
}
