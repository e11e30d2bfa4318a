import EventSourcing

@testable import AppProtection

/// One event of each type with every field filled, none with its default.
enum EventSamples {
  static let guid = GUID(high: 0x0123_4567_89ab_cdef, low: 0x0123_4567_89ab_cdef)

  static var settings: AppSettings {
    var settings = AppSettings()
    settings.multiIdentity = true
    settings.autoEnrollOnLaunch = true
    settings.policyRequired = true
    settings.warnsWhenPolicyAbsent = true
    settings.maximumManagedAccounts = 3
    settings.firstPolicyNeedsNoRestart = true
    settings.retryProfile = .guide2023
    settings.assumptions = .denying(Assumptions.choices)
    settings.assumptions.restartAfterWipe = .never
    settings.assumptions.organizationRule = .never
    settings.assumptions.unreachableUnenrollment = .waitForToken
    settings.assumptions.refusedAccountCode = .alreadyEnrolled
    settings.assumptions.firstPolicyScope = .account
    settings.assumptions.reenrollmentRefusal = .firstAttempt
    settings.assumptions.backoffSequence = .capAtOnce
    settings.assumptions.unlistedAccountCode = .notDeviceAccount
    settings.assumptions.unknownCodeRule = .never
    settings.assumptions.serviceCodeCallback = .enrollment
    settings.assumptions.namesakeRule = .askWhichToKeep
    settings.assumptions.unpublishedWipeReason = .unspecified
    settings.assumptions.remediationWithoutToken = .networkFailure
    settings.assumptions.remediationOfUnknownOutcome = .networkFailure
    settings.assumptions.detachedTasksInheritIdentity = true
    settings.assumptions.policySourceRule = .service
    settings.assumptions.launchOrder = .versionsFirst
    settings.assumptions.wipeVersionInclusive = true
    return settings
  }

  static var device: DeviceFacts {
    var facts = DeviceFacts()
    (facts.isJailbroken, facts.hasPasscode, facts.isManaged) = (true, false, true)
    (facts.biometry, facts.threatDefense, facts.threatLevel) = (.face, .active, .high)
    (facts.isKeychainUnreadable, facts.isPolicyVersionUnknown) = (true, true)
    (facts.defender, facts.defenderThreatLevel) = (.recheckFailed, .low)
    return facts
  }

  static var comparison: LaunchComparison {
    LaunchComparison(setting: .minimumPinLength, settingValue: "text", fact: .pinLength, factValue: "text", age: 7)
  }

  static var pin: PINFacts { PINFacts(of: "a1234!") }

  /// A value that no output may show.
  static var secret: ConfigurationValue {
    var value = ConfigurationValue("key", Int64(7))
    value.isSecret = true
    return value
  }

  /// Each with what a log says of it, without a state.
  static let table: [(event: AppProtectionEvent, words: String)] = [
    (
      .processStarted(
        ProcessStarted(
          launch: 300, bootSession: guid, appVersion: "text", sdkVersion: "text", osVersion: "text",
          deviceModel: "text",
          isExtension: true, reducerRevision: 7, utcOffset: 7)),
      "extension, launch 300: app text, SDK text, OS text, text"
    ),
    (.processEnded(ProcessEnded()), "ended in an orderly way"),
    (.restartRequired(RestartRequired(reason: .conditionalLaunchWipe, account: .a3)), "conditionalLaunchWipe"),
    (.restartAnswered(RestartAnswered(answer: .postponed, postponedMinutes: 7)), "postponed by 7 minutes"),
    (.launchWarned(LaunchWarned()), "the account has no policy; the user goes on without one"),
    (
      .commandRefused(CommandRefused(command: "text", rule: "text", code: .nilAccount, account: .a2)),
      "text refused by text, 207 nilAccount"
    ),
    (.clockOffsetChanged(ClockOffsetChanged(utcOffset: -18_000_000_000_000)), "UTC-05:00"),
    (.settingsChanged(SettingsChanged(settings: settings)), "the app's settings"),
    (
      .allowedAccountsChanged(AllowedAccountsChanged(isRestricted: true, accounts: [.a1, .a3])),
      "only these may sign in: a1, a3"
    ),
    (
      .managedDeviceAccountChanged(ManagedDeviceAccountChanged(account: .a3, source: .emm)),
      "the device is managed for a3, says emm"
    ),
    (
      .deviceConfigurationChanged(
        DeviceConfigurationChanged(
          isDelivered: true, deviceID: guid, restrictsAccounts: true, values: [ConfigurationValue("key", true)])),
      "1 value, the device is named, only the device's account may sign in"
    ),
    (
      .settingsOverridden(
        SettingsOverridden(
          overrides: TokenLibraryOverrides(authority: "text", clientID: "text", redirectURI: "text"))),
      "what the token library uses"
    ),
    (
      .accountIntroduced(AccountIntroduced(account: .a2, objectID: guid, userPrincipalName: "a@contoso.com")),
      "known by object id and name"
    ),
    (
      .accountIdentified(AccountIdentified(account: .a2, objectID: guid, userPrincipalName: "a@contoso.com")),
      "object id and name are known"
    ),
    (.accountRegistered(AccountRegistered(account: .a2)), "registered"),
    (
      .accountDeregistered(AccountDeregistered(account: .a2, lingersAtService: true)),
      "deregistered, but the service still counts it as enrolled"
    ),
    (
      .accountRemovalRequired(AccountRemovalRequired(account: .a2, code: .accountNotLicensed)),
      "the app must remove it: 200 accountNotLicensed"
    ),
    (.tokenAcquired(TokenAcquired(account: .a2)), "the app has a token"),
    (.tokenRemoved(TokenRemoved(account: .a2)), "the app removed its tokens"),
    (.accountAdditionRequested(AccountAdditionRequested(account: .a2)), "the app is asked to add it"),
    (.accountAdditionAnswered(AccountAdditionAnswered(account: .a2, result: .failed)), "failed"),
    (
      .signInsReported(SignInsReported(accounts: [.a2, .a3], workOrSchool: [.a2])),
      "signed in: a2, a3; for work or school: a2"
    ),
    (
      .accountExclusivityChanged(AccountExclusivityChanged(account: .a2, isExclusive: true)),
      "must be the only managed account"
    ),
    (.enrollmentRequested(EnrollmentRequested(account: .a2, trigger: .remediation)), "remediation"),
    (
      .enrollmentSucceeded(
        EnrollmentSucceeded(
          account: .a2, code: .accountNotLicensed, nextCheckIn: 1_600_000_000_000_000_000)),
      "200 accountNotLicensed, next time 1600000000000000000"
    ),
    (
      .enrollmentFailed(
        EnrollmentFailed(
          account: .a2, code: .accountNotLicensed, error: "personal", nextRetry: 1_600_000_000_000_000_000,
          backoffStep: 7
        )),
      "200 accountNotLicensed: (withheld), again time 1600000000000000000"
    ),
    (
      .accountSwitchAsked(AccountSwitchAsked(account: .a2, existing: .a2)),
      "the user is asked: keep a2 or switch to a2"
    ),
    (.accountSwitchAnswered(AccountSwitchAnswered(account: .a2, existing: .a2, choice: .canceled)), "canceled"),
    (
      .enrollmentConflictDetected(EnrollmentConflictDetected(account: .a2, existing: .a2)),
      "has the name of a2 and another object id"
    ),
    (
      .enrollmentRecordGone(EnrollmentRecordGone(account: .a2, code: .reEnrollForUnenrolledUser)),
      "221 reEnrollForUnenrolledUser"
    ),
    (.enrollmentLapsed(EnrollmentLapsed(account: .a2)), "silent for too long"),
    (.loginRequested(LoginRequested()), "the user is asked who signs in"),
    (.loginAnswered(LoginAnswered(account: .a3)), "a3 signs in"),
    (.checkInRequested(CheckInRequested(account: .a2, trigger: .retry)), "retry"),
    (
      .checkInUnchanged(
        CheckInUnchanged(
          account: .a2, code: .accountNotLicensed, nextCheckIn: 1_600_000_000_000_000_000)),
      "200 accountNotLicensed, next time 1600000000000000000"
    ),
    (
      .checkInFailed(
        CheckInFailed(
          account: .a2, code: .accountNotLicensed, error: "personal", nextRetry: 1_600_000_000_000_000_000,
          backoffStep: 7
        )),
      "200 accountNotLicensed: (withheld), again time 1600000000000000000"
    ),
    (
      .unenrollmentRequested(UnenrollmentRequested(account: .a2, wipe: true, origin: .accountSwitch)),
      "by accountSwitch, with a wipe"
    ),
    (.unenrollmentSucceeded(UnenrollmentSucceeded(account: .a2)), "104 unenrollmentSuccess"),
    (
      .unenrollmentFailed(
        UnenrollmentFailed(
          account: .a2, code: .accountNotLicensed, error: "personal", nextRetry: 1_600_000_000_000_000_000,
          backoffStep: 7, lingersAtService: true)),
      "200 accountNotLicensed: (withheld), again time 1600000000000000000; it leaves, but the service still counts it as enrolled"
    ),
    (
      .policyReceived(
        PolicyReceived(
          account: .a2, document: PolicySamples.full, waitsForRestart: true, nextCheckIn: 1_600_000_000_000_000_000)),
      "a policy, from the next launch on"
    ),
    (
      .policyWithdrawn(PolicyWithdrawn(account: .a2, reason: .recordGone, nextCheckIn: 1_600_000_000_000_000_000)),
      "recordGone"
    ),
    (
      .configurationReceived(
        ConfigurationReceived(
          account: .a2, entries: [ConfigurationEntry([secret], isDefault: true)])),
      "1 value"
    ),
    (.configurationWithdrawn(ConfigurationWithdrawn(account: .a2)), "no configuration any more"),
    (
      .identitySwitched(IdentitySwitched(scope: .thread("worker"), identity: .account(.a2), origin: .engine)),
      "thread worker: a2, by engine"
    ),
    (
      .identitySwitchRefused(
        IdentitySwitchRefused(
          scope: .thread("worker"), identity: .account(.a2), result: .failed, reason: .accountLeaving)),
      "thread worker: not a2, failed (accountLeaving)"
    ),
    (
      .identitySwitchRequested(
        IdentitySwitchRequested(
          scope: .thread("worker"), identity: .account(.a2), reason: .documentImport)),
      "thread worker: to a2, for documentImport"
    ),
    (
      .identitySwitchAnswered(
        IdentitySwitchAnswered(
          scope: .thread("worker"), identity: .account(.a2), result: .failed, isAddIdentityResult: true)),
      "thread worker: to a2, failed, from a constant for added accounts"
    ),
    (.identityScopeClosed(IdentityScopeClosed(scope: .thread("worker"))), "thread worker closed"),
    (
      .wipeRequested(
        WipeRequested(account: .a2, reason: .offlineInterval, origin: .engine, precedesUnenrollment: true)),
      "by engine: 608 offlineInterval"
    ),
    (.wipeDelegateAnswered(WipeDelegateAnswered(account: .a2, removedEverything: true)), "the app removed everything"),
    (.wipeFilesRemoved(WipeFilesRemoved(account: .a2, count: 300)), "300 files removed"),
    (.wipeCompleted(WipeCompleted(account: .a2)), "data, policy and registration are gone"),
    (
      .wipeFailed(WipeFailed(account: .a2, count: 300, error: "personal", nextRetry: 1_600_000_000_000_000_000)),
      "215 failedToClearMamData: (withheld), 300 files removed, again time 1600000000000000000"
    ),
    (
      .tokenDenied(TokenDenied(account: .a2, error: -50004, isLoop: true, isPremature: true)),
      "-50004 protectionRequired, again after compliance, before the remediation ended"
    ),
    (.remediationRequested(RemediationRequested(account: .a2, isSilent: true)), "without asking the user"),
    (.remediationQueued(RemediationQueued(account: .a2)), "waits for another account"),
    (.remediationStarted(RemediationStarted(account: .a2)), "started"),
    (
      .remediationFinished(
        RemediationFinished(
          account: .a2, status: .userCancelled, message: "personal", title: "personal", isLoop: true,
          awaitsNotice: true)),
      "userCancelled, again after interaction: (withheld)"
    ),
    (.remediationTold(RemediationTold(account: .a2)), "the app was notified"),
    (.deviceReported(DeviceReported(facts: device)), "the device's facts"),
    (
      .userStatusReceived(UserStatusReceived(account: .a2, clockStatus: .clockedOutStale, isDisabled: true)),
      "clockedOutStale, disabled"
    ),
    (
      .launchEvaluated(
        LaunchEvaluated(
          account: .a2, trigger: .identitySwitch, outcome: .wipe, rule: .jailbreak,
          findings: [
            LaunchFinding(.jailbreak, .wipe, comparison: comparison),
            LaunchFinding(.osMinimum, .warn, comparison: comparison),
          ], awaitsCheckIn: true, followsCheckIn: true, scope: .thread("worker"), isAnswered: true,
          claimed: [LaunchFinding(.pin, .promptPIN, comparison: comparison)])),
      "wipe by launch.jailbreak: pinLength text duration 7 ago, minimumPinLength text and 1 more, at identitySwitch, after a check-in, by the app's word on launch.pin"
    ),
    (.launchCanceled(LaunchCanceled(account: .a2)), "the user did not answer; the app stays closed"),
    (.launchSignedIn(LaunchSignedIn(account: .a2)), "the user signed in as asked"),
    (.pinSet(PINSet(facts: pin)), "6 characters, digits, letters, symbols, simple"),
    (.pinVerified(PINVerified(account: .a2, byBiometrics: true)), "by biometrics"),
    (.pinFailed(PINFailed(account: .a2)), "wrong PIN"),
    (.pinReset(PINReset(account: .a2)), "another PIN must be chosen"),
    (.biometricsChanged(BiometricsChanged()), "the PIN is asked for next time"),
  ]

  static let all = table.map(\.event)
}
