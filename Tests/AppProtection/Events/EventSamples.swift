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

  static let all: [AppProtectionEvent] = [
    .processStarted(
      ProcessStarted(
        launch: 300, bootSession: guid, appVersion: "text", sdkVersion: "text", osVersion: "text", deviceModel: "text",
        isExtension: true, reducerRevision: 7, utcOffset: 7)),
    .processEnded(ProcessEnded()),
    .restartRequired(RestartRequired(reason: .conditionalLaunchWipe, account: .a3)),
    .restartAnswered(RestartAnswered(answer: .postponed, postponedMinutes: 7)),
    .launchWarned(LaunchWarned()),
    .commandRefused(CommandRefused(command: "text", rule: "text", code: .nilAccount, account: .a2)),
    .clockOffsetChanged(ClockOffsetChanged(utcOffset: -18_000_000_000_000)),
    .settingsChanged(SettingsChanged(settings: settings)),
    .allowedAccountsChanged(AllowedAccountsChanged(isRestricted: true, accounts: [.a1, .a3])),
    .managedDeviceAccountChanged(ManagedDeviceAccountChanged(account: .a3, source: .emm)),
    .deviceConfigurationChanged(
      DeviceConfigurationChanged(
        isDelivered: true, deviceID: guid, restrictsAccounts: true, values: [ConfigurationValue("key", true)])),
    .settingsOverridden(
      SettingsOverridden(
        overrides: TokenLibraryOverrides(authority: "text", clientID: "text", redirectURI: "text"))),
    .accountIntroduced(AccountIntroduced(account: .a2, objectID: guid, userPrincipalName: "a@contoso.com")),
    .accountIdentified(AccountIdentified(account: .a2, objectID: guid, userPrincipalName: "a@contoso.com")),
    .accountRegistered(AccountRegistered(account: .a2)),
    .accountDeregistered(AccountDeregistered(account: .a2, lingersAtService: true)),
    .accountRemovalRequired(AccountRemovalRequired(account: .a2, code: .accountNotLicensed)),
    .tokenAcquired(TokenAcquired(account: .a2)),
    .tokenRemoved(TokenRemoved(account: .a2)),
    .accountAdditionRequested(AccountAdditionRequested(account: .a2)),
    .accountAdditionAnswered(AccountAdditionAnswered(account: .a2, result: .failed)),
    .signInsReported(SignInsReported(accounts: [.a2, .a3], workOrSchool: [.a2])),
    .accountExclusivityChanged(AccountExclusivityChanged(account: .a2, isExclusive: true)),
    .enrollmentRequested(EnrollmentRequested(account: .a2, trigger: .remediation)),
    .enrollmentSucceeded(
      EnrollmentSucceeded(
        account: .a2, code: .accountNotLicensed, nextCheckIn: 1_600_000_000_000_000_000)),
    .enrollmentFailed(
      EnrollmentFailed(
        account: .a2, code: .accountNotLicensed, error: "personal", nextRetry: 1_600_000_000_000_000_000, backoffStep: 7
      )),
    .accountSwitchAsked(AccountSwitchAsked(account: .a2, existing: .a2)),
    .accountSwitchAnswered(AccountSwitchAnswered(account: .a2, existing: .a2, choice: .canceled)),
    .enrollmentConflictDetected(EnrollmentConflictDetected(account: .a2, existing: .a2)),
    .enrollmentRecordGone(EnrollmentRecordGone(account: .a2, code: .reEnrollForUnenrolledUser)),
    .enrollmentLapsed(EnrollmentLapsed(account: .a2)),
    .loginRequested(LoginRequested()),
    .loginAnswered(LoginAnswered(account: .a3)),
    .checkInRequested(CheckInRequested(account: .a2, trigger: .retry)),
    .checkInUnchanged(
      CheckInUnchanged(
        account: .a2, code: .accountNotLicensed, nextCheckIn: 1_600_000_000_000_000_000)),
    .checkInFailed(
      CheckInFailed(
        account: .a2, code: .accountNotLicensed, error: "personal", nextRetry: 1_600_000_000_000_000_000, backoffStep: 7
      )),
    .unenrollmentRequested(UnenrollmentRequested(account: .a2, wipe: true, origin: .accountSwitch)),
    .unenrollmentSucceeded(UnenrollmentSucceeded(account: .a2)),
    .unenrollmentFailed(
      UnenrollmentFailed(
        account: .a2, code: .accountNotLicensed, error: "personal", nextRetry: 1_600_000_000_000_000_000,
        backoffStep: 7, lingersAtService: true)),
    .policyReceived(
      PolicyReceived(
        account: .a2, document: PolicySamples.full, waitsForRestart: true, nextCheckIn: 1_600_000_000_000_000_000)),
    .policyWithdrawn(PolicyWithdrawn(account: .a2, reason: .recordGone, nextCheckIn: 1_600_000_000_000_000_000)),
    .configurationReceived(
      ConfigurationReceived(
        account: .a2, entries: [ConfigurationEntry([secret], isDefault: true)])),
    .configurationWithdrawn(ConfigurationWithdrawn(account: .a2)),
    .identitySwitched(IdentitySwitched(scope: .thread("worker"), identity: .account(.a2), origin: .engine)),
    .identitySwitchRefused(
      IdentitySwitchRefused(
        scope: .thread("worker"), identity: .account(.a2), result: .failed, reason: .accountLeaving)),
    .identitySwitchRequested(
      IdentitySwitchRequested(
        scope: .thread("worker"), identity: .account(.a2), reason: .documentImport)),
    .identitySwitchAnswered(
      IdentitySwitchAnswered(
        scope: .thread("worker"), identity: .account(.a2), result: .failed, isAddIdentityResult: true)),
    .identityScopeClosed(IdentityScopeClosed(scope: .thread("worker"))),
    .wipeRequested(
      WipeRequested(account: .a2, reason: .offlineInterval, origin: .engine, precedesUnenrollment: true)),
    .wipeDelegateAnswered(WipeDelegateAnswered(account: .a2, removedEverything: true)),
    .wipeFilesRemoved(WipeFilesRemoved(account: .a2, count: 300)),
    .wipeCompleted(WipeCompleted(account: .a2)),
    .wipeFailed(WipeFailed(account: .a2, count: 300, error: "personal", nextRetry: 1_600_000_000_000_000_000)),
    .tokenDenied(TokenDenied(account: .a2, error: -50004, isLoop: true, isPremature: true)),
    .remediationRequested(RemediationRequested(account: .a2, isSilent: true)),
    .remediationQueued(RemediationQueued(account: .a2)),
    .remediationStarted(RemediationStarted(account: .a2)),
    .remediationFinished(
      RemediationFinished(
        account: .a2, status: .userCancelled, message: "personal", title: "personal", isLoop: true,
        awaitsNotice: true)),
    .remediationTold(RemediationTold(account: .a2)),
    .deviceReported(DeviceReported(facts: device)),
    .userStatusReceived(UserStatusReceived(account: .a2, clockStatus: .clockedOutStale, isDisabled: true)),
    .launchEvaluated(
      LaunchEvaluated(
        account: .a2, trigger: .identitySwitch, outcome: .wipe, rule: .jailbreak,
        findings: [
          LaunchFinding(.jailbreak, .wipe, comparison: comparison),
          LaunchFinding(.osMinimum, .warn, comparison: comparison),
        ], awaitsCheckIn: true, followsCheckIn: true, scope: .thread("worker"), isAnswered: true,
        claimed: [LaunchFinding(.pin, .promptPIN, comparison: comparison)])),
    .launchCanceled(LaunchCanceled(account: .a2)),
    .launchSignedIn(LaunchSignedIn(account: .a2)),
    .pinSet(PINSet(facts: pin)),
    .pinVerified(PINVerified(account: .a2, byBiometrics: true)),
    .pinFailed(PINFailed(account: .a2)),
    .pinReset(PINReset(account: .a2)),
    .biometricsChanged(BiometricsChanged()),
  ]
}
