import EventSourcing

/// Every event of app protection, with its payload.
///
/// Payloads of more than 31 bytes are stored behind a reference, so that an event fits in four registers. A larger
/// event would be passed in memory and destroyed through table lookups, although the frequent events are small.
public enum AppProtectionEvent: PayloadList {
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
  /// What the events change.
  public typealias State = AppProtectionState

  /// Every type of the domain. Numbers never change; each theme has a range of its own.
  public static let types = EventTypes<AppProtectionEvent>(
    "app-protection",
    .processStarted(.blank), .processEnded(.blank), .restartRequired(.blank), .restartAnswered(.blank),
    .launchWarned(.blank), .commandRefused(.blank), .clockOffsetChanged(.blank),
    .settingsChanged(.blank), .allowedAccountsChanged(.blank), .managedDeviceAccountChanged(.blank),
    .deviceConfigurationChanged(.blank), .settingsOverridden(.blank),
    .accountIntroduced(.blank), .accountIdentified(.blank), .accountRegistered(.blank), .accountDeregistered(.blank),
    .accountRemovalRequired(.blank), .tokenAcquired(.blank), .tokenRemoved(.blank), .accountAdditionRequested(.blank),
    .accountAdditionAnswered(.blank), .signInsReported(.blank),
    .accountExclusivityChanged(.blank),
    .enrollmentRequested(.blank), .enrollmentSucceeded(.blank), .enrollmentFailed(.blank),
    .accountSwitchAsked(.blank), .accountSwitchAnswered(.blank), .enrollmentConflictDetected(.blank),
    .enrollmentRecordGone(.blank), .enrollmentLapsed(.blank), .loginRequested(.blank), .loginAnswered(.blank),
    .checkInRequested(.blank), .checkInUnchanged(.blank), .checkInFailed(.blank),
    .unenrollmentRequested(.blank), .unenrollmentSucceeded(.blank), .unenrollmentFailed(.blank),
    .policyReceived(.blank), .policyWithdrawn(.blank), .configurationReceived(.blank),
    .configurationWithdrawn(.blank),
    .identitySwitched(.blank), .identitySwitchRefused(.blank), .identitySwitchRequested(.blank),
    .identitySwitchAnswered(.blank), .identityScopeClosed(.blank),
    .wipeRequested(.blank), .wipeDelegateAnswered(.blank), .wipeFilesRemoved(.blank), .wipeCompleted(.blank),
    .wipeFailed(.blank),
    .tokenDenied(.blank), .remediationRequested(.blank), .remediationQueued(.blank), .remediationStarted(.blank),
    .remediationFinished(.blank), .remediationTold(.blank),
    .deviceReported(.blank), .userStatusReceived(.blank), .launchEvaluated(.blank), .launchCanceled(.blank),
    .launchSignedIn(.blank), .pinSet(.blank), .pinVerified(.blank), .pinFailed(.blank), .pinReset(.blank),
    .biometricsChanged(.blank))

  /// Shows the payload to a visitor. Inlinable, so that each module specializes what it asks of an event.
  @inlinable
  public func visit<Visitor: PayloadVisitor>(
    _ list: Visitor, _ subject: inout Visitor.Subject
  ) throws(Visitor.Failure) -> Visitor.Result where Visitor.Event == AppProtectionEvent {
    switch self {
    case .processStarted(let payload): try list.event(payload, Self.processStarted, &subject)
    case .processEnded(let payload): try list.event(payload, Self.processEnded, &subject)
    case .restartRequired(let payload): try list.event(payload, Self.restartRequired, &subject)
    case .restartAnswered(let payload): try list.event(payload, Self.restartAnswered, &subject)
    case .launchWarned(let payload): try list.event(payload, Self.launchWarned, &subject)
    case .commandRefused(let payload): try list.event(payload, Self.commandRefused, &subject)
    case .clockOffsetChanged(let payload): try list.event(payload, Self.clockOffsetChanged, &subject)
    case .settingsChanged(let payload): try list.event(payload, Self.settingsChanged, &subject)
    case .allowedAccountsChanged(let payload): try list.event(payload, Self.allowedAccountsChanged, &subject)
    case .managedDeviceAccountChanged(let payload): try list.event(payload, Self.managedDeviceAccountChanged, &subject)
    case .deviceConfigurationChanged(let payload): try list.event(payload, Self.deviceConfigurationChanged, &subject)
    case .settingsOverridden(let payload): try list.event(payload, Self.settingsOverridden, &subject)
    case .accountIntroduced(let payload): try list.event(payload, Self.accountIntroduced, &subject)
    case .accountIdentified(let payload): try list.event(payload, Self.accountIdentified, &subject)
    case .accountRegistered(let payload): try list.event(payload, Self.accountRegistered, &subject)
    case .accountDeregistered(let payload): try list.event(payload, Self.accountDeregistered, &subject)
    case .accountRemovalRequired(let payload): try list.event(payload, Self.accountRemovalRequired, &subject)
    case .tokenAcquired(let payload): try list.event(payload, Self.tokenAcquired, &subject)
    case .tokenRemoved(let payload): try list.event(payload, Self.tokenRemoved, &subject)
    case .accountAdditionRequested(let payload): try list.event(payload, Self.accountAdditionRequested, &subject)
    case .accountAdditionAnswered(let payload): try list.event(payload, Self.accountAdditionAnswered, &subject)
    case .signInsReported(let payload): try list.event(payload, Self.signInsReported, &subject)
    case .accountExclusivityChanged(let payload): try list.event(payload, Self.accountExclusivityChanged, &subject)
    case .enrollmentRequested(let payload): try list.event(payload, Self.enrollmentRequested, &subject)
    case .enrollmentSucceeded(let payload): try list.event(payload, Self.enrollmentSucceeded, &subject)
    case .enrollmentFailed(let payload): try list.event(payload, Self.enrollmentFailed, &subject)
    case .accountSwitchAsked(let payload): try list.event(payload, Self.accountSwitchAsked, &subject)
    case .accountSwitchAnswered(let payload): try list.event(payload, Self.accountSwitchAnswered, &subject)
    case .enrollmentConflictDetected(let payload): try list.event(payload, Self.enrollmentConflictDetected, &subject)
    case .enrollmentRecordGone(let payload): try list.event(payload, Self.enrollmentRecordGone, &subject)
    case .enrollmentLapsed(let payload): try list.event(payload, Self.enrollmentLapsed, &subject)
    case .loginRequested(let payload): try list.event(payload, Self.loginRequested, &subject)
    case .loginAnswered(let payload): try list.event(payload, Self.loginAnswered, &subject)
    case .checkInRequested(let payload): try list.event(payload, Self.checkInRequested, &subject)
    case .checkInUnchanged(let payload): try list.event(payload, Self.checkInUnchanged, &subject)
    case .checkInFailed(let payload): try list.event(payload, Self.checkInFailed, &subject)
    case .unenrollmentRequested(let payload): try list.event(payload, Self.unenrollmentRequested, &subject)
    case .unenrollmentSucceeded(let payload): try list.event(payload, Self.unenrollmentSucceeded, &subject)
    case .unenrollmentFailed(let payload): try list.event(payload, Self.unenrollmentFailed, &subject)
    case .policyReceived(let payload): try list.event(payload, Self.policyReceived, &subject)
    case .policyWithdrawn(let payload): try list.event(payload, Self.policyWithdrawn, &subject)
    case .configurationReceived(let payload): try list.event(payload, Self.configurationReceived, &subject)
    case .configurationWithdrawn(let payload): try list.event(payload, Self.configurationWithdrawn, &subject)
    case .identitySwitched(let payload): try list.event(payload, Self.identitySwitched, &subject)
    case .identitySwitchRefused(let payload): try list.event(payload, Self.identitySwitchRefused, &subject)
    case .identitySwitchRequested(let payload): try list.event(payload, Self.identitySwitchRequested, &subject)
    case .identitySwitchAnswered(let payload): try list.event(payload, Self.identitySwitchAnswered, &subject)
    case .identityScopeClosed(let payload): try list.event(payload, Self.identityScopeClosed, &subject)
    case .wipeRequested(let payload): try list.event(payload, Self.wipeRequested, &subject)
    case .wipeDelegateAnswered(let payload): try list.event(payload, Self.wipeDelegateAnswered, &subject)
    case .wipeFilesRemoved(let payload): try list.event(payload, Self.wipeFilesRemoved, &subject)
    case .wipeCompleted(let payload): try list.event(payload, Self.wipeCompleted, &subject)
    case .wipeFailed(let payload): try list.event(payload, Self.wipeFailed, &subject)
    case .tokenDenied(let payload): try list.event(payload, Self.tokenDenied, &subject)
    case .remediationRequested(let payload): try list.event(payload, Self.remediationRequested, &subject)
    case .remediationQueued(let payload): try list.event(payload, Self.remediationQueued, &subject)
    case .remediationStarted(let payload): try list.event(payload, Self.remediationStarted, &subject)
    case .remediationFinished(let payload): try list.event(payload, Self.remediationFinished, &subject)
    case .remediationTold(let payload): try list.event(payload, Self.remediationTold, &subject)
    case .deviceReported(let payload): try list.event(payload, Self.deviceReported, &subject)
    case .userStatusReceived(let payload): try list.event(payload, Self.userStatusReceived, &subject)
    case .launchEvaluated(let payload): try list.event(payload, Self.launchEvaluated, &subject)
    case .launchCanceled(let payload): try list.event(payload, Self.launchCanceled, &subject)
    case .launchSignedIn(let payload): try list.event(payload, Self.launchSignedIn, &subject)
    case .pinSet(let payload): try list.event(payload, Self.pinSet, &subject)
    case .pinVerified(let payload): try list.event(payload, Self.pinVerified, &subject)
    case .pinFailed(let payload): try list.event(payload, Self.pinFailed, &subject)
    case .pinReset(let payload): try list.event(payload, Self.pinReset, &subject)
    case .biometricsChanged(let payload): try list.event(payload, Self.biometricsChanged, &subject)
    }
  }

  /// The account that the event is about; `nil` if it is about none, or about several.
  public var account: AccountNumber? {
    var nothing: Void = ()
    return visit(AccountOfPayload(), &nothing)
  }
}

private struct AccountOfPayload: PayloadVisitor {
  func event<Payload: EventPayload>(
    _ payload: Payload, _ event: (Payload) -> AppProtectionEvent, _ nothing: inout Void
  ) -> AccountNumber? {
    guard case .value(.name(let name))? = payload.tree()[path: "/account"] else { return nil }
    return AccountNumber(name)
  }
}
