/// Choices where no published rule exists. Each has a default and a reason, is stored with the settings, and can be
/// switched; none is presented as a rule of the service.
public struct Assumptions: Equatable, Sendable {
  /// When a completed wipe asks for a restart. Reports show both wipes with and without one.
  ///
  /// Default ``RestartAfterWipe/engineWipes``: a service wipe is shown without a restart, one by a launch condition or a
  /// switch of accounts with one.
  /// Left open by: S-20, S-21.
  public var restartAfterWipe = RestartAfterWipe.engineWipes

  /// How two accounts are recognised as belonging to one organization.
  ///
  /// Default ``OrganizationRule/domain``: an app knows names, not tenants.
  /// Left open by: S-43.
  public var organizationRule = OrganizationRule.domain

  /// What happens to an account that leaves without tokens, so that the service cannot be notified.
  ///
  /// Default ``UnreachableUnenrollment/removeLocally``: the app has forgotten the account already; the record that
  /// lingers at the service is marked.
  /// Left open by: T28.
  public var unreachableUnenrollment = UnreachableUnenrollment.removeLocally

  /// The code that a second managed account is refused with when the user keeps the first one; which callback the SDK
  /// sends is not published.
  ///
  /// Default 227: its text asks to remove one of the accounts.
  /// Left open by: T11, T12.
  public var refusedAccountCode = EnrollmentStatusCode.singleManagedAccountMode

  /// Whether permission to save copies covers locations that are not the owner's own.
  ///
  /// Default yes: the setting enables "Save as" in general. Only saving to the same account is described.
  /// Left open by: save-to, row 6.
  public var saveAllowCoversForeignLocations = true

  /// Whether an allowed storage location counts only as the owner's own.
  ///
  /// Default yes: the exception is described for the same managed account.
  /// Left open by: save-to, row 8.
  public var listedLocationNeedsOwnerAccount = true

  /// Whether allowed local storage counts only when the owner is named with it.
  ///
  /// Default yes: from SDK 15.1.0 on, local storage without an account is unmanaged. Before, it was the current account's,
  /// and this choice does not matter.
  /// Left open by: save-to, row 11.
  public var listedLocalDriveNeedsOwnerAccount = true

  /// Whether a document of the owner's account may be saved although saving is blocked.
  ///
  /// Default yes: the data stays in the account of the organization. No policy can list the location.
  /// Left open by: save-to, row 12.
  public var accountDocumentStaysInAccount = true

  /// Whether permission to open data covers sources that are not the receiver's own.
  ///
  /// Default yes: a maintainer of the SDK says so about local storage, in an answer that is only partly preserved.
  /// Left open by: open-from, row 6.
  public var openAllowCoversForeignLocations = true

  /// Whether the first policy of a process or of an account asks for a restart.
  ///
  /// Default ``FirstPolicyScope/process``: a restart is described as needed on the first policy for the process.
  /// Left open by: T5.
  public var firstPolicyScope = FirstPolicyScope.process

  /// Which attempt to enroll an account again after the service lost its record ends in a refusal.
  ///
  /// Default ``ReenrollmentRefusal/everyAttempt``: a network failure in between proves nothing about the record.
  /// Left open by: T23.
  public var reenrollmentRefusal = ReenrollmentRefusal.everyAttempt

  /// How the pauses after network failures rise to the published cap of an hour.
  ///
  /// Default ``BackoffSequence/doubling``: rising is published, the steps are not.
  /// Left open by: timers.
  public var backoffSequence = BackoffSequence.doubling

  /// The code that refuses an account that device management does not allow.
  ///
  /// Default 209: its text asks to remove the account, which the app must sign out.
  /// Left open by: T35.
  public var unlistedAccountCode = EnrollmentStatusCode.notEmmAccount

  /// Whether a request that ended in an unknown status code is repeated.
  ///
  /// Default ``UnknownCodeRule/scheduled``: the service said something that a later version understands.
  /// Left open by: S-30.
  public var unknownCodeRule = UnknownCodeRule.scheduled

  /// Which callback reports 220 and 226 to the app after a check-in.
  ///
  /// Default ``ServiceCodeCallback/answeredRequest``: every request has its callback.
  /// Left open by: codes 220 and 226.
  public var serviceCodeCallback = ServiceCodeCallback.answeredRequest

  /// What happens to an account with a managed account's name but a different object id.
  ///
  /// Default ``NamesakeRule/leadToReset``: the SDK has texts that lead the user to reset the account, and none that offers a
  /// choice.
  /// Left open by: T13.
  public var namesakeRule = NamesakeRule.leadToReset

  /// The number in a wipe notice whose cause has no published number.
  ///
  /// Default ``UnpublishedWipeReason/ownNumber``: two numbers are public, and a notice should still distinguish causes.
  /// Left open by: wipe reasons.
  public var unpublishedWipeReason = UnpublishedWipeReason.ownNumber

  /// Whether a remediation that waits for another account's counts as being in progress.
  ///
  /// Default yes: another call for such an account is dropped, as for the one under way.
  /// Left open by: compliance.
  public var queuedRemediationIsInProgress = true

  /// Whether waiting remediations survive a restart of the app; that the one under way does is documented.
  ///
  /// Default yes: an app that waits for a callback must get it.
  /// Left open by: compliance.
  public var queuedRemediationSurvivesRestart = true

  /// How a silent remediation without a token ends.
  ///
  /// Default ``ComplianceStatus/interactionRequired``: a sign-in provides one.
  /// Left open by: compliance.
  public var remediationWithoutToken = ComplianceStatus.interactionRequired

  /// How a remediation with an unknown outcome ends: the service refused it with a code that is in no table.
  ///
  /// Default ``ComplianceStatus/serviceFailure``: the app tries again later, without asking the user.
  /// Left open by: compliance.
  public var remediationOfUnknownOutcome = ComplianceStatus.serviceFailure

  /// Whether a child task of Swift concurrency inherits the identity of the scope that it was created in.
  ///
  /// Default yes: the identity is a task-local value, and child tasks inherit those.
  /// Left open by: propagation.
  public var childTasksInheritIdentity = true

  /// Whether a detached task inherits it.
  ///
  /// Default no: detached tasks inherit no task-local values.
  /// Left open by: propagation.
  public var detachedTasksInheritIdentity = false

  /// Whether a file that is copied or moved keeps its owner.
  ///
  /// Default yes: the owner is stored with the file, and copying does not count as creation by the app.
  /// Left open by: file owners.
  public var copiedFilesKeepOwner = true

  /// Whether verifying and protecting a file refuses if another account owns it.
  ///
  /// Default no: the header says that a file which is not protected with the identity is protected then. In a journal
  /// that does not name the choice, it is yes, as it was for the programs that wrote none.
  /// Left open by: file owners.
  public var protectionConflictRefuses = false

  /// Whether configured text counts as a yes or no, or as a number, where it is one.
  ///
  /// Default yes: the service delivers only text.
  /// Left open by: app configuration.
  public var configurationTextConverts = true

  /// How the policy source follows the account of the device.
  ///
  /// Default ``PolicySourceRule/followsDevice``: device management is named as the source where it manages the app.
  /// Left open by: T37.
  public var policySourceRule = PolicySourceRule.followsDevice

  /// The order in which findings of one severity count, beyond the published rules.
  ///
  /// Default ``LaunchOrder/endingFirst``: conditions that end the account's stay come first, regardless of versions.
  /// Left open by: conditional launch.
  public var launchOrder = LaunchOrder.endingFirst

  /// Whether the minimum version itself wipes. Graph's texts say "less than or equal", the portal's say "below".
  ///
  /// Default no: the portal's text agrees with those of the other actions.
  /// Left open by: S-74.
  public var wipeVersionInclusive = false

  /// Whether an unreported fact about the device meets its launch condition.
  ///
  /// Default yes: a device that was not checked is not known to be jailbroken. Threat defense differs: its silence
  /// blocks, as published.
  /// Left open by: conditional launch.
  public var unreportedFactsPass = true

  /// Whether a clock status that is unknown, or was known too long ago, counts as not at work.
  ///
  /// Default yes: an SDK has dialogs for both, which would otherwise never appear.
  /// Left open by: S-80.
  public var uncertainClockStatusCountsAsOut = true

  /// Whether encryption of organization data blocks a device that has no passcode.
  ///
  /// Default yes: the system's file protection depends on the passcode, and an SDK has a dialog that asks for one.
  /// Left open by: conditional launch.
  public var encryptionNeedsDevicePasscode = true

  /// Whether a PIN that a later policy would refuse must be replaced when the app is opened.
  ///
  /// Default yes: otherwise a stricter policy would never affect users who already have a PIN.
  /// Left open by: conditional launch.
  public var policyChangeNeedsNewPIN = true

  /// Whether the period after which access requirements are asked again restarts whenever the app is opened.
  ///
  /// Default yes: the setting's text speaks of minutes of inactivity. Otherwise it runs from the last answer.
  /// Left open by: conditional launch.
  public var recheckRunsFromLastOpening = true

  /// Whether a check-in that fails, for instance without a network, counts as a refused one when an offline wipe is due
  ///.
  ///
  /// Default yes: the table says "refused or failed". Otherwise the user is asked again.
  /// Left open by: T32, S-20.
  public var failedCheckInEndsOfflineStay = true

  /// Whether a policy without a list of exempt schemes exempts the service's defaults.
  ///
  /// Default yes: documents of the older schema have no such member, and the service still applied its list.
  /// Left open by: url, rule 4.
  public var absentExemptionsMeanDefaults = true

  /// Whether exempt schemes count only while data may be sent to managed apps.
  ///
  /// Default yes: the administration portal offers the exemptions for no other level.
  /// Left open by: url, rule 4.
  public var exemptSchemesNeedManagedSending = true

  /// Whether web links follow the browser rule alone, even where nothing may be sent to other apps.
  ///
  /// Default yes: the portal has a separate setting for web content.
  /// Left open by: url, rule 7.
  public var webLinksFollowBrowserRule = true

  /// Whether a universal link that is in neither list may open in its app where no browser is required.
  ///
  /// Default yes: both lists are described as exceptions from the required browser.
  /// Left open by: universal links.
  public var universalLinksFollowBrowserRule = true

  /// Whether the policy of the nearest parent counts where several parents of a web view have one.
  ///
  /// Default yes. The guide says that a parent's policy covers its children, not which of two parents counts.
  /// Left open by: S-67.
  public var nearestWebViewPolicyCounts = true

  /// Whether an encryption type other than that of the device asks the app to encrypt its files with the SDK.
  ///
  /// Default yes: Graph has no separate setting for it, unlike the device.
  /// Left open by: encryption.
  public var encryptionTypeRequiresFileEncryption = true

  /// Whether every change of the level at which an account's data is protected is announced
  /// (`DataProtectionDidChange`).
  ///
  /// Default yes: the header speaks of the level, and asks the app to protect its data again. The guide's narrower text
  /// announces only whether files must be encrypted.
  /// Left open by: encryption.
  public var protectionLevelChangesAreAnnounced = true

  /// Whether a file provider encrypts what it hands out unless data may be sent to all apps.
  ///
  /// Default yes: the policy knows nothing about the app that asks the provider for a file.
  /// Left open by: encryption.
  public var fileProviderEncryptsForManagedApps = true

  /// Whether a policy's own setting for screen capture counts before the app configuration.
  ///
  /// Default yes: the configuration is described as the way out of a block that follows from sending.
  /// Left open by: S-69.
  public var screenCaptureSettingCountsFirst = true

  /// Whether data that was shared through the operating system needs an app that device management installed.
  ///
  /// Default yes. The SDK is known to refuse because a managed installation is missing, but not when.
  /// Left open by: receiving.
  public var osSharingNeedsManagedInstallation = true

  /// Whether organization data of an account that is unknown here is refused even where all apps may send.
  ///
  /// Default yes: this app cannot read what another organization encrypted.
  /// Left open by: receiving.
  public var unknownSendersAreRefused = true

  /// Whether a blocked dictation concerns only the account whose policy blocks it.
  ///
  /// Default yes. Only third-party keyboards are described as blocked for all accounts.
  /// Left open by: dictation.
  public var dictationBlockIsPerAccount = true

  /// Whether a short text must be short enough for both sides where both refuse it.
  ///
  /// Default yes: each side's exception lifts that side's refusal.
  /// Left open by: clipboard.
  public var clipboardExceptionNeedsBothSides = true

  /// Whether data cannot be protected while no account of the app is managed (code 100).
  ///
  /// Default yes: the code's name refers to the app, not to the account.
  /// Left open by: S-41.
  public var protectionNeedsManagedApp = true

  /// Whether another app that acts for an account has the policy that the account has here.
  ///
  /// Default yes: one policy usually targets all apps. Only the other app knows its actual policy.
  /// Left open by: transfers.
  public var otherAppsHaveSamePolicy = true

  /// Whether an SDK before 16.1.1 counts offline access from any answer of the service, even one that completes no
  /// check-in.
  ///
  /// Default yes. It is published that 16.1.1 changed the base to the last completed check-in, but not what it was
  /// before.
  /// Left open by: offline access.
  public var oldSDKCountsAnyAnswer = true

  /// Whether a single-identity app may set an identity other than its managed account's.
  ///
  /// Default yes: the guide makes the app responsible for its identities, and no source says that setting one fails.
  /// Otherwise the switch is refused in every scope.
  /// Left open by: identities.
  public var singleIdentityMayChange = true

  /// Whether the app is asked to go to the unmanaged identity when the user does not meet launch conditions that neither
  /// a return to the foreground nor a switch of identity raised, while the account's data is on the screen.
  ///
  /// Default yes: the data is on the screen as after a return, for which the header names the question. A switch that
  /// the app asks for is canceled, and changes nothing.
  /// Left open by: S-42.
  public var unmetConditionsLeaveScreen = true

  /// Whether an app that enrolls at launch and requires a policy (`AutoEnrollOnLaunch`, `MAMPolicyRequired`) applies the first
  /// policy without a restart.
  ///
  /// Default yes: the guide says that such an app has no restart to handle, not whether the SDK restarts it. Nothing was
  /// unprotected before: the app was blocked.
  /// Left open by: T5, T17.
  public var launchEnrollmentNeedsNoRestart = true

  /// Creates the defaults.
  public init() {}
}
