import EventSourcing
import WireFormat

/// Everything that can happen to app protection: the one enumeration of events, each with its payload.
///
/// Payloads of more than 31 bytes are behind a reference, so that an event fits into four registers: a larger one is passed
/// on in memory and looks up in tables how to be destroyed, and the frequent ones are small.
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
  /// `command.refused`
  indirect case commandRefused(CommandRefused)
  /// `settings.changed` (10).
  indirect case settingsChanged(SettingsChanged)
  /// `allowedAccounts.changed` (11).
  case allowedAccountsChanged(AllowedAccountsChanged)
  /// `deviceAccount.changed` (12).
  case managedDeviceAccountChanged(ManagedDeviceAccountChanged)
  /// `deviceConfiguration.changed` (13).
  indirect case deviceConfigurationChanged(DeviceConfigurationChanged)
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
  /// `remediation.told`
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
