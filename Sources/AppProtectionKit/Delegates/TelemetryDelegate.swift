import AppProtection

/// Receives what the SDK sends as telemetry: launches, enrollments, and what app protection does. Nothing here sends it.
///
/// An app without this delegate collects nothing, and none is called while `MAMTelemetryDisabled` is set. Awaited by the run
/// of the engine, in the order of the events. An event that waits when the process dies is lost.
public protocol TelemetryDelegate: Sendable {
  /// Something happened of which the SDK would send word.
  func record(_ event: TelemetryEvent) async
}

/// What telemetry says of one event. Nothing in it tells who the user is.
public struct TelemetryEvent: Equatable, Sendable {
  /// What happened.
  public enum Kind: Equatable, Sendable {
    /// The app was launched, with this number of managed accounts.
    case launch(managedAccounts: Int)
    /// A call of the service about an enrollment ended: the name of its event, and the code if it has one.
    case enrollment(String, EnrollmentStatusCode?)
    /// App protection did something: the name of the event, such as `wipe.completed`.
    case action(String)
  }

  /// What happened.
  public let kind: Kind
  /// When, in nanoseconds since 1970.
  public let wallNanoseconds: Int64
  /// The app's version.
  public let appVersion: String
  /// The version of the SDK whose rules apply.
  public let sdkVersion: String
  /// The version of the operating system.
  public let osVersion: String
  /// The device's model.
  public let deviceModel: String
  /// Where the app's policy comes from.
  public let policySource: PolicySource
  /// Whether it belongs to a test and must not mix with that of customers (`MAMTelemetryUsePPE`).
  public let isTest: Bool

  init(_ kind: Kind, at wallNanoseconds: Int64, in state: borrowing AppProtectionState, isTest: Bool) {
    self.kind = kind
    self.wallNanoseconds = wallNanoseconds
    self.isTest = isTest
    appVersion = state.process.appVersion
    sdkVersion = state.process.sdkVersion
    osVersion = state.process.osVersion
    deviceModel = state.process.deviceModel
    policySource = state.policySource
  }
}

extension TelemetryEvent.Kind {
  /// What telemetry says of an event; `nil` if nothing.
  init?(_ event: AppProtectionEvent, in state: borrowing AppProtectionState) {
    switch event {
    case .processStarted: self = .launch(managedAccounts: state.policies.records.count)
    case .enrollmentRequested, .unenrollmentRequested: self = .enrollment(event.name, nil)
    case .enrollmentSucceeded(let event): self = .enrollment("enrollment.succeeded", event.code)
    case .enrollmentFailed(let event): self = .enrollment("enrollment.failed", event.code)
    case .enrollmentRecordGone(let event): self = .enrollment("enrollment.recordGone", event.code)
    case .unenrollmentSucceeded: self = .enrollment(event.name, .unenrollmentSuccess)
    case .unenrollmentFailed(let event): self = .enrollment("unenrollment.failed", event.code)
    case .restartRequired, .launchWarned, .accountRemovalRequired, .accountSwitchAsked, .enrollmentConflictDetected,
      .checkInUnchanged, .checkInFailed, .policyReceived, .policyWithdrawn, .configurationReceived,
      .configurationWithdrawn, .identitySwitchRefused, .wipeRequested, .wipeFilesRemoved, .wipeCompleted, .wipeFailed,
      .tokenDenied, .remediationStarted, .remediationFinished, .launchEvaluated, .launchCanceled, .pinReset:
      self = .action(event.name)
    // What the app, the user or the device did.
    case .processEnded, .restartAnswered, .commandRefused, .clockOffsetChanged, .settingsChanged, .settingsOverridden,
      .allowedAccountsChanged, .managedDeviceAccountChanged, .deviceConfigurationChanged, .accountIntroduced,
      .accountIdentified, .accountRegistered, .accountDeregistered, .tokenAcquired, .tokenRemoved,
      .accountAdditionRequested, .accountAdditionAnswered, .signInsReported, .accountExclusivityChanged,
      .accountSwitchAnswered, .enrollmentLapsed, .loginRequested, .loginAnswered, .checkInRequested, .identitySwitched,
      .identitySwitchRequested, .identitySwitchAnswered, .identityScopeClosed, .wipeDelegateAnswered,
      .remediationRequested, .remediationQueued, .remediationTold, .deviceReported, .userStatusReceived,
      .launchSignedIn, .pinSet, .pinVerified, .pinFailed, .biometricsChanged:
      return nil
    }
  }
}
