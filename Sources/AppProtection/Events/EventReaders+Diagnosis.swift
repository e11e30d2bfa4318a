extension EventReaders {
  // The trails that several rules of diagnosis share, and the rules.
  /// Every account's contact with the service (`ContactTrail.swift`).
  package static let contacts = EventReaders(rawValue: 1 << 6)
  /// How every account leaves (`DepartureTrail.swift`).
  package static let departures = EventReaders(rawValue: 1 << 7)
  /// Which account begins to leave (`AppProtectionEvent+Leaving.swift`).
  package static let leaving = EventReaders(rawValue: 1 << 8)
  /// Requests that fail one after another (`FailureRuns.swift`).
  package static let failureRuns = EventReaders(rawValue: 1 << 9)
  /// Where an account stands with a launch condition (`LaunchConditionTrail.swift`).
  package static let launchConditions = EventReaders(rawValue: 1 << 10)
  /// `AccountMismatchRule.swift`.
  package static let accountMismatch = EventReaders(rawValue: 1 << 11)
  /// `AccountNotAllowedRule.swift`.
  package static let accountNotAllowed = EventReaders(rawValue: 1 << 12)
  /// `AppConfigurationRule.swift`.
  package static let appConfiguration = EventReaders(rawValue: 1 << 13)
  /// `AuthRequiredRule.swift`.
  package static let authRequired = EventReaders(rawValue: 1 << 14)
  /// `CheckInOverdueRule.swift`.
  package static let checkInOverdue = EventReaders(rawValue: 1 << 15)
  /// `IdentityLeakRule.swift`.
  package static let identityLeak = EventReaders(rawValue: 1 << 16)
  /// `LostCallbackRule.swift`.
  package static let lostCallback = EventReaders(rawValue: 1 << 17)
  /// `MissingCapabilityRule.swift`.
  package static let missingCapability = EventReaders(rawValue: 1 << 18)
  /// `NilAccountRule.swift`.
  package static let nilAccount = EventReaders(rawValue: 1 << 19)
  /// `OfflineBlockRule.swift`.
  package static let offlineBlock = EventReaders(rawValue: 1 << 20)
  /// `PolicyContradictionRule.swift`.
  package static let policyContradiction = EventReaders(rawValue: 1 << 21)
  /// `PolicyDriftRule.swift`.
  package static let policyDrift = EventReaders(rawValue: 1 << 22)
  /// `PolicyNotAppliedRule.swift`.
  package static let policyNotApplied = EventReaders(rawValue: 1 << 23)
  /// `RemediationLoopRule.swift`.
  package static let remediationLoop = EventReaders(rawValue: 1 << 24)
  /// `RestartPendingRule.swift`.
  package static let restartPending = EventReaders(rawValue: 1 << 25)
  /// `RetryStormRule.swift`.
  package static let retryStorm = EventReaders(rawValue: 1 << 26)
  /// `SecondManagedAccountRule.swift`.
  package static let secondManagedAccount = EventReaders(rawValue: 1 << 27)
  /// `StaleAccountRule.swift`.
  package static let staleAccount = EventReaders(rawValue: 1 << 28)
  /// `UnexpectedWipeRule.swift`.
  package static let unexpectedWipe = EventReaders(rawValue: 1 << 29)
  /// `WipeUnfinishedRule.swift`.
  package static let wipeUnfinished = EventReaders(rawValue: 1 << 30)
  /// `WrongEnumerationRule.swift`.
  package static let wrongEnumeration = EventReaders(rawValue: 1 << 31)
  /// The processes of the app (`ProcessTrail.swift`).
  package static let processes = EventReaders(rawValue: 1 << 32)
  /// What device management does with the device (`ManagementTrail.swift`).
  package static let management = EventReaders(rawValue: 1 << 33)
}

extension AppProtectionEvent.Kind {
  /// The rules of diagnosis, and the trails that they share, that look at an event of this type.
  package var diagnosing: EventReaders {
    switch self {
    case .processStarted:
      [
        .contacts, .failureRuns, .launchConditions, .checkInOverdue, .identityLeak, .lostCallback, .missingCapability,
        .policyNotApplied, .processes, .restartPending, .wipeUnfinished,
      ]
    case .processEnded: [.checkInOverdue, .identityLeak, .processes]
    case .restartRequired: [.lostCallback, .restartPending, .staleAccount]
    case .restartAnswered: [.restartPending]
    case .commandRefused: [.accountNotAllowed, .appConfiguration, .nilAccount, .policyNotApplied]
    case .allowedAccountsChanged: [.accountNotAllowed, .unexpectedWipe]
    case .managedDeviceAccountChanged: [.management, .accountNotAllowed, .appConfiguration, .unexpectedWipe]
    case .deviceConfigurationChanged: [.management, .appConfiguration, .policyNotApplied]
    case .accountIdentified: [.accountMismatch]
    case .accountRegistered: [.accountNotAllowed, .lostCallback, .nilAccount, .policyNotApplied, .retryStorm]
    case .accountDeregistered: [.departures, .leaving, .secondManagedAccount, .staleAccount]
    case .tokenAcquired: [.departures, .authRequired, .missingCapability, .remediationLoop]
    case .tokenRemoved: [.departures, .authRequired]
    case .accountAdditionRequested: [.lostCallback]
    case .accountAdditionAnswered: [.departures, .accountNotAllowed, .lostCallback]
    case .signInsReported: [.departures, .accountNotAllowed, .policyNotApplied]
    case .enrollmentRequested: [.contacts, .policyNotApplied, .retryStorm]
    case .enrollmentSucceeded:
      [
        .contacts, .departures, .failureRuns, .accountMismatch, .accountNotAllowed, .appConfiguration,
        .checkInOverdue, .offlineBlock, .policyNotApplied, .staleAccount,
      ]
    case .enrollmentFailed:
      [
        .contacts, .failureRuns, .accountMismatch, .accountNotAllowed, .policyNotApplied, .retryStorm,
        .secondManagedAccount, .staleAccount,
      ]
    case .accountSwitchAsked: [.failureRuns, .secondManagedAccount, .staleAccount]
    case .accountSwitchAnswered: [.policyNotApplied, .secondManagedAccount, .unexpectedWipe]
    case .loginRequested: [.lostCallback]
    case .loginAnswered: [.lostCallback, .policyNotApplied]
    case .enrollmentConflictDetected: [.accountMismatch, .staleAccount]
    case .enrollmentRecordGone: [.accountMismatch, .policyNotApplied, .staleAccount]
    case .checkInRequested: [.contacts, .retryStorm]
    case .checkInUnchanged:
      [
        .contacts, .failureRuns, .accountMismatch, .checkInOverdue, .offlineBlock, .policyNotApplied,
        .remediationLoop, .staleAccount, .unexpectedWipe,
      ]
    case .checkInFailed:
      [
        .contacts, .failureRuns, .accountNotAllowed, .checkInOverdue, .offlineBlock, .policyNotApplied, .retryStorm,
      ]
    case .unenrollmentRequested:
      [
        .departures, .leaving, .launchConditions, .secondManagedAccount, .unexpectedWipe, .wipeUnfinished,
      ]
    case .unenrollmentSucceeded: [.departures, .launchConditions, .staleAccount]
    case .unenrollmentFailed: [.departures, .wipeUnfinished]
    case .policyReceived:
      [
        .contacts, .failureRuns, .launchConditions, .accountMismatch, .appConfiguration, .checkInOverdue,
        .lostCallback, .offlineBlock, .policyContradiction, .policyDrift, .policyNotApplied, .remediationLoop,
        .secondManagedAccount, .staleAccount,
      ]
    case .policyWithdrawn:
      [
        .contacts, .failureRuns, .launchConditions, .checkInOverdue, .offlineBlock, .policyDrift, .policyNotApplied,
      ]
    case .configurationReceived: [.appConfiguration]
    case .configurationWithdrawn: [.appConfiguration]
    case .identitySwitched: [.identityLeak, .policyNotApplied]
    case .identitySwitchRefused: [.identityLeak, .policyNotApplied, .secondManagedAccount, .wrongEnumeration]
    case .identitySwitchRequested: [.lostCallback]
    case .identitySwitchAnswered: [.lostCallback, .wrongEnumeration]
    case .identityScopeClosed: [.identityLeak]
    case .wipeRequested:
      [
        .leaving, .failureRuns, .launchConditions, .checkInOverdue, .offlineBlock, .secondManagedAccount,
        .unexpectedWipe, .wipeUnfinished,
      ]
    case .wipeDelegateAnswered: [.wipeUnfinished]
    case .wipeFilesRemoved: [.wipeUnfinished]
    case .wipeCompleted: [.departures, .policyDrift, .secondManagedAccount, .staleAccount, .wipeUnfinished]
    case .wipeFailed: [.wipeUnfinished]
    case .tokenDenied: [.missingCapability, .remediationLoop, .retryStorm]
    case .remediationRequested: [.lostCallback, .retryStorm]
    case .remediationStarted: [.lostCallback]
    case .remediationFinished: [.lostCallback, .remediationLoop]
    case .remediationTold: [.lostCallback]
    case .deviceReported: [.management, .launchConditions]
    case .userStatusReceived: [.launchConditions]
    case .launchEvaluated: [.launchConditions, .offlineBlock, .unexpectedWipe, .wrongEnumeration]
    case .launchCanceled: [.unexpectedWipe]
    case .pinSet: [.launchConditions]
    case .pinVerified: [.launchConditions]
    case .pinFailed: [.launchConditions]
    case .pinReset: [.launchConditions]
    case .accountRemovalRequired: [.unexpectedWipe]
    case .launchWarned, .clockOffsetChanged, .settingsChanged, .settingsOverridden, .accountIntroduced,
      .accountExclusivityChanged, .enrollmentLapsed, .remediationQueued,
      .launchSignedIn, .biometricsChanged:
      []
    }
  }
}
