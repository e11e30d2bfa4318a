import EventSourcing
import WireFormat

extension AppProtectionEvent {
  /// Every type of event of this domain. The numbers are for ever; each folder of the domain has a range of its own.
  public static let catalog = EventCatalog([
    ProcessStarted.descriptor,
    ProcessEnded.descriptor,
    RestartRequired.descriptor,
    RestartAnswered.descriptor,
    LaunchWarned.descriptor,
    CommandRefused.descriptor,
    SettingsChanged.descriptor,
    AllowedAccountsChanged.descriptor,
    ManagedDeviceAccountChanged.descriptor,
    DeviceConfigurationChanged.descriptor,
    AccountIntroduced.descriptor,
    AccountIdentified.descriptor,
    AccountRegistered.descriptor,
    AccountDeregistered.descriptor,
    AccountRemovalRequired.descriptor,
    TokenAcquired.descriptor,
    TokenRemoved.descriptor,
    AccountAdditionRequested.descriptor,
    AccountAdditionAnswered.descriptor,
    SignInsReported.descriptor,
    AccountExclusivityChanged.descriptor,
    EnrollmentRequested.descriptor,
    EnrollmentSucceeded.descriptor,
    EnrollmentFailed.descriptor,
    AccountSwitchAsked.descriptor,
    AccountSwitchAnswered.descriptor,
    EnrollmentConflictDetected.descriptor,
    EnrollmentRecordGone.descriptor,
    EnrollmentLapsed.descriptor,
    LoginRequested.descriptor,
    LoginAnswered.descriptor,
    CheckInRequested.descriptor,
    CheckInUnchanged.descriptor,
    CheckInFailed.descriptor,
    UnenrollmentRequested.descriptor,
    UnenrollmentSucceeded.descriptor,
    UnenrollmentFailed.descriptor,
    PolicyReceived.descriptor,
    PolicyWithdrawn.descriptor,
    ConfigurationReceived.descriptor,
    ConfigurationWithdrawn.descriptor,
    IdentitySwitched.descriptor,
    IdentitySwitchRefused.descriptor,
    IdentitySwitchRequested.descriptor,
    IdentitySwitchAnswered.descriptor,
    IdentityScopeClosed.descriptor,
    WipeRequested.descriptor,
    WipeDelegateAnswered.descriptor,
    WipeFilesRemoved.descriptor,
    WipeCompleted.descriptor,
    WipeFailed.descriptor,
    TokenDenied.descriptor,
    RemediationRequested.descriptor,
    RemediationQueued.descriptor,
    RemediationStarted.descriptor,
    RemediationFinished.descriptor,
    RemediationTold.descriptor,
    DeviceReported.descriptor,
    UserStatusReceived.descriptor,
    LaunchEvaluated.descriptor,
    LaunchCanceled.descriptor,
    LaunchSignedIn.descriptor,
    PINSet.descriptor,
    PINVerified.descriptor,
    PINFailed.descriptor,
    PINReset.descriptor,
    BiometricsChanged.descriptor,
  ])

  /// The payload, whatever its type.
  public var payload: any EventPayload {
    switch self {
    case .processStarted(let payload): payload
    case .processEnded(let payload): payload
    case .restartRequired(let payload): payload
    case .restartAnswered(let payload): payload
    case .launchWarned(let payload): payload
    case .commandRefused(let payload): payload
    case .settingsChanged(let payload): payload
    case .allowedAccountsChanged(let payload): payload
    case .managedDeviceAccountChanged(let payload): payload
    case .deviceConfigurationChanged(let payload): payload
    case .accountIntroduced(let payload): payload
    case .accountIdentified(let payload): payload
    case .accountRegistered(let payload): payload
    case .accountDeregistered(let payload): payload
    case .accountRemovalRequired(let payload): payload
    case .tokenAcquired(let payload): payload
    case .tokenRemoved(let payload): payload
    case .accountAdditionRequested(let payload): payload
    case .accountAdditionAnswered(let payload): payload
    case .signInsReported(let payload): payload
    case .accountExclusivityChanged(let payload): payload
    case .enrollmentRequested(let payload): payload
    case .enrollmentSucceeded(let payload): payload
    case .enrollmentFailed(let payload): payload
    case .accountSwitchAsked(let payload): payload
    case .accountSwitchAnswered(let payload): payload
    case .enrollmentConflictDetected(let payload): payload
    case .enrollmentRecordGone(let payload): payload
    case .enrollmentLapsed(let payload): payload
    case .loginRequested(let payload): payload
    case .loginAnswered(let payload): payload
    case .checkInRequested(let payload): payload
    case .checkInUnchanged(let payload): payload
    case .checkInFailed(let payload): payload
    case .unenrollmentRequested(let payload): payload
    case .unenrollmentSucceeded(let payload): payload
    case .unenrollmentFailed(let payload): payload
    case .policyReceived(let payload): payload
    case .policyWithdrawn(let payload): payload
    case .configurationReceived(let payload): payload
    case .configurationWithdrawn(let payload): payload
    case .identitySwitched(let payload): payload
    case .identitySwitchRefused(let payload): payload
    case .identitySwitchRequested(let payload): payload
    case .identitySwitchAnswered(let payload): payload
    case .identityScopeClosed(let payload): payload
    case .wipeRequested(let payload): payload
    case .wipeDelegateAnswered(let payload): payload
    case .wipeFilesRemoved(let payload): payload
    case .wipeCompleted(let payload): payload
    case .wipeFailed(let payload): payload
    case .tokenDenied(let payload): payload
    case .remediationRequested(let payload): payload
    case .remediationQueued(let payload): payload
    case .remediationStarted(let payload): payload
    case .remediationFinished(let payload): payload
    case .remediationTold(let payload): payload
    case .deviceReported(let payload): payload
    case .userStatusReceived(let payload): payload
    case .launchEvaluated(let payload): payload
    case .launchCanceled(let payload): payload
    case .launchSignedIn(let payload): payload
    case .pinSet(let payload): payload
    case .pinVerified(let payload): payload
    case .pinFailed(let payload): payload
    case .pinReset(let payload): payload
    case .biometricsChanged(let payload): payload
    }
  }

  /// The number of the event's type.
  public var type: UInt32 {
    switch self {
    case .processStarted: 1
    case .processEnded: 2
    case .restartRequired: 3
    case .restartAnswered: 4
    case .launchWarned: 5
    case .commandRefused: 6
    case .settingsChanged: 10
    case .allowedAccountsChanged: 11
    case .managedDeviceAccountChanged: 12
    case .deviceConfigurationChanged: 13
    case .accountIntroduced: 20
    case .accountIdentified: 21
    case .accountRegistered: 22
    case .accountDeregistered: 23
    case .accountRemovalRequired: 24
    case .tokenAcquired: 25
    case .tokenRemoved: 26
    case .accountAdditionRequested: 27
    case .accountAdditionAnswered: 28
    case .signInsReported: 29
    case .accountExclusivityChanged: 30
    case .enrollmentRequested: 40
    case .enrollmentSucceeded: 41
    case .enrollmentFailed: 42
    case .accountSwitchAsked: 43
    case .accountSwitchAnswered: 44
    case .enrollmentConflictDetected: 45
    case .enrollmentRecordGone: 46
    case .enrollmentLapsed: 47
    case .loginRequested: 48
    case .loginAnswered: 49
    case .checkInRequested: 50
    case .checkInUnchanged: 51
    case .checkInFailed: 52
    case .unenrollmentRequested: 60
    case .unenrollmentSucceeded: 61
    case .unenrollmentFailed: 62
    case .policyReceived: 80
    case .policyWithdrawn: 81
    case .configurationReceived: 82
    case .configurationWithdrawn: 83
    case .identitySwitched: 100
    case .identitySwitchRefused: 101
    case .identitySwitchRequested: 102
    case .identitySwitchAnswered: 103
    case .identityScopeClosed: 104
    case .wipeRequested: 120
    case .wipeDelegateAnswered: 121
    case .wipeFilesRemoved: 122
    case .wipeCompleted: 123
    case .wipeFailed: 124
    case .tokenDenied: 140
    case .remediationRequested: 141
    case .remediationQueued: 142
    case .remediationStarted: 143
    case .remediationFinished: 144
    case .remediationTold: 145
    case .deviceReported: 160
    case .userStatusReceived: 161
    case .launchEvaluated: 162
    case .launchCanceled: 163
    case .launchSignedIn: 164
    case .pinSet: 165
    case .pinVerified: 166
    case .pinFailed: 167
    case .pinReset: 168
    case .biometricsChanged: 169
    }
  }

  /// The name of the event's type, such as `policy.received`.
  public var name: String {
    switch self {
    case .processStarted: "process.started"
    case .processEnded: "process.ended"
    case .restartRequired: "restart.required"
    case .restartAnswered: "restart.answered"
    case .launchWarned: "launch.warned"
    case .commandRefused: "command.refused"
    case .settingsChanged: "settings.changed"
    case .allowedAccountsChanged: "allowedAccounts.changed"
    case .managedDeviceAccountChanged: "deviceAccount.changed"
    case .deviceConfigurationChanged: "deviceConfiguration.changed"
    case .accountIntroduced: "account.introduced"
    case .accountIdentified: "account.identified"
    case .accountRegistered: "account.registered"
    case .accountDeregistered: "account.deregistered"
    case .accountRemovalRequired: "account.removalRequired"
    case .tokenAcquired: "token.acquired"
    case .tokenRemoved: "token.removed"
    case .accountAdditionRequested: "account.additionRequested"
    case .accountAdditionAnswered: "account.additionAnswered"
    case .signInsReported: "signIns.reported"
    case .accountExclusivityChanged: "account.exclusivityChanged"
    case .enrollmentRequested: "enrollment.requested"
    case .enrollmentSucceeded: "enrollment.succeeded"
    case .enrollmentFailed: "enrollment.failed"
    case .accountSwitchAsked: "enrollment.switchAsked"
    case .accountSwitchAnswered: "enrollment.switchAnswered"
    case .enrollmentConflictDetected: "enrollment.conflictDetected"
    case .enrollmentRecordGone: "enrollment.recordGone"
    case .enrollmentLapsed: "enrollment.lapsed"
    case .loginRequested: "login.requested"
    case .loginAnswered: "login.answered"
    case .checkInRequested: "checkIn.requested"
    case .checkInUnchanged: "checkIn.unchanged"
    case .checkInFailed: "checkIn.failed"
    case .unenrollmentRequested: "unenrollment.requested"
    case .unenrollmentSucceeded: "unenrollment.succeeded"
    case .unenrollmentFailed: "unenrollment.failed"
    case .policyReceived: "policy.received"
    case .policyWithdrawn: "policy.withdrawn"
    case .configurationReceived: "configuration.received"
    case .configurationWithdrawn: "configuration.withdrawn"
    case .identitySwitched: "identity.switched"
    case .identitySwitchRefused: "identity.switchRefused"
    case .identitySwitchRequested: "identity.switchRequested"
    case .identitySwitchAnswered: "identity.switchAnswered"
    case .identityScopeClosed: "identity.scopeClosed"
    case .wipeRequested: "wipe.requested"
    case .wipeDelegateAnswered: "wipe.delegateAnswered"
    case .wipeFilesRemoved: "wipe.filesRemoved"
    case .wipeCompleted: "wipe.completed"
    case .wipeFailed: "wipe.failed"
    case .tokenDenied: "token.denied"
    case .remediationRequested: "remediation.requested"
    case .remediationQueued: "remediation.queued"
    case .remediationStarted: "remediation.started"
    case .remediationFinished: "remediation.finished"
    case .remediationTold: "remediation.told"
    case .deviceReported: "device.reported"
    case .userStatusReceived: "userStatus.received"
    case .launchEvaluated: "launch.evaluated"
    case .launchCanceled: "launch.canceled"
    case .launchSignedIn: "launch.signedIn"
    case .pinSet: "pin.set"
    case .pinVerified: "pin.verified"
    case .pinFailed: "pin.failed"
    case .pinReset: "pin.reset"
    case .biometricsChanged: "biometrics.changed"
    }
  }
}
