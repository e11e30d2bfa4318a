extension Assumptions {
  /// The reason for a choice's default, and the gap that it fills.
  public struct Reason: Sendable {
    /// The choice's name in `Assumptions.descriptor`.
    public let choice: String
    /// The reason for its default, in one sentence.
    public let text: String
    /// The scenario, transition or section of the sources that leaves it open.
    public let source: String

    init(_ choice: String, _ text: String, _ source: String) {
      self.choice = choice
      self.text = text
      self.source = source
    }
  }

  /// The reason of every choice, in the order of `descriptor`.
  public static let reasons = [
    Reason(
      "restartAfterWipe", "Reports show wipes with and without a restart; the engine's own had one.", "S-20, S-21"),
    Reason("organizationRule", "An app knows names, and no tenants.", "S-43"),
    Reason(
      "unreachableUnenrollment", "The app has forgotten the account already; the record at the service is marked.",
      "T28"),
    Reason("refusedAccountCode", "Its text asks to remove one of the two accounts.", "T11, T12"),
    Reason(
      "saveAllowCoversForeignLocations",
      "The setting enables saving copies in general; only the same account is described.",
      "save-to, row 6"),
    Reason(
      "listedLocationNeedsOwnerAccount", "The exception is described for the same managed account.", "save-to, row 8"),
    Reason(
      "listedLocalDriveNeedsOwnerAccount", "From SDK 15.1.0 on, local storage without an account is unmanaged.",
      "save-to, row 11"),
    Reason("accountDocumentStaysInAccount", "The data stays in the account of the organization.", "save-to, row 12"),
    Reason(
      "openAllowCoversForeignLocations",
      "A maintainer of the SDK says so of local storage, in an answer that is cut off.",
      "open-from, row 6"),
    Reason("firstPolicyScope", "A restart is described as needed on the first policy for the process.", "T5"),
    Reason("reenrollmentRefusal", "That the network failed in between says nothing about the record.", "T23"),
    Reason("backoffSequence", "A rising pause up to an hour is published, its steps are not.", "timers"),
    Reason("unlistedAccountCode", "Its text asks to remove the account, which the app must sign out.", "T35"),
    Reason("unknownCodeRule", "The service said something that a later version understands.", "S-30"),
    Reason("serviceCodeCallback", "Every request has its callback.", "codes 220 and 226"),
    Reason(
      "namesakeRule", "The SDK has texts that lead to a reset of the account, and none that offers a choice.", "T13"),
    Reason(
      "unpublishedWipeReason", "Two numbers are public, and a notice should still tell causes apart.", "wipe reasons"),
    Reason("queuedRemediationIsInProgress", "Another call for such an account is dropped too.", "compliance"),
    Reason("queuedRemediationSurvivesRestart", "An app that waits for a callback must get it.", "compliance"),
    Reason("remediationWithoutToken", "A sign-in gives a token.", "compliance"),
    Reason("remediationOfUnknownOutcome", "The app tries again later, and asks nobody anything.", "compliance"),
    Reason(
      "childTasksInheritIdentity", "The identity is a task-local value, and child tasks inherit those.", "propagation"),
    Reason("detachedTasksInheritIdentity", "Detached tasks inherit no task-local values.", "propagation"),
    Reason(
      "copiedFilesKeepOwner", "The owner is stored with the file, and copying creates nothing new.", "file owners"),
    Reason(
      "protectionConflictRefuses", "The header calls protect where the file is not the identity's.",
      "file owners"),
    Reason("configurationTextConverts", "The service delivers nothing but text.", "app configuration"),
    Reason("policySourceRule", "Device management is named as the source where it manages the app.", "T37"),
    Reason("launchOrder", "What ends the account's stay comes first, whatever the versions.", "conditional launch"),
    Reason("wipeVersionInclusive", "The portal says below, as for every other action.", "S-74"),
    Reason(
      "unreportedFactsPass", "A device at which nobody looked is not known to be jailbroken.", "conditional launch"),
    Reason(
      "uncertainClockStatusCountsAsOut", "The SDK has dialogs for both, which nobody would see otherwise.", "S-80"),
    Reason(
      "encryptionNeedsDevicePasscode",
      "File protection rests on the passcode, and the SDK has a dialog that asks for it.",
      "conditional launch"),
    Reason(
      "policyChangeNeedsNewPIN", "Otherwise a stricter policy would never reach those who have a PIN.",
      "conditional launch"),
    Reason("recheckRunsFromLastOpening", "The setting speaks of minutes of inactivity.", "conditional launch"),
    Reason("failedCheckInEndsOfflineStay", "The table says refused or failed.", "T32, S-20"),
    Reason(
      "absentExemptionsMeanDefaults",
      "Documents of the older schema have no such member, and the service had its list all the same.", "url, rule 4"),
    Reason(
      "exemptSchemesNeedManagedSending", "The portal offers the exemptions for no other level.", "url, rule 4"),
    Reason(
      "webLinksFollowBrowserRule", "The portal has a setting of its own for web content.", "url, rule 7"),
    Reason(
      "universalLinksFollowBrowserRule", "Both lists are described as exceptions from the required browser.",
      "universal links"),
    Reason(
      "nearestWebViewPolicyCounts", "A parent's policy is said to cover its children, not which of two parents counts.",
      "S-67"),
    Reason(
      "encryptionTypeRequiresFileEncryption", "Graph has no setting of its own for it, unlike the device.", "encryption"
    ),
    Reason(
      "fileProviderEncryptsForManagedApps",
      "Whoever asks a file provider is an app that the policy knows nothing about.", "encryption"),
    Reason(
      "screenCaptureSettingCountsFirst",
      "The configuration is described as the way out of a block that follows from sending.", "S-69"),
    Reason(
      "osSharingNeedsManagedInstallation", "The SDK has the refusal, and when it is said is not published.", "receiving"
    ),
    Reason(
      "unknownSendersAreRefused", "Nobody here can read what another organization encrypted.", "receiving"),
    Reason(
      "dictationBlockIsPerAccount", "Only keyboards of other makers are described as blocked for all accounts.",
      "dictation"),
    Reason(
      "clipboardExceptionNeedsBothSides", "Each side's limit lifts that side's refusal.", "clipboard"),
    Reason(
      "protectionNeedsManagedApp", "The name of code 100 speaks of the app, and not of the account.", "S-41"),
    Reason(
      "otherAppsHaveSamePolicy", "One policy usually targets all apps; what another app has is known to it alone.",
      "transfers"),
    Reason(
      "oldSDKCountsAnyAnswer", "Only the change to the last completed check-in is published, not what was before it.",
      "offline access"),
    Reason(
      "singleIdentityMayChange",
      "The app is said to be responsible for its identities, and no source says that setting one fails.", "identities"),
    Reason(
      "launchEnrollmentNeedsNoRestart",
      "The guide says that such an app has no restart to handle; it was blocked before, so nothing was unprotected.",
      "T5, T17"),
    Reason(
      "unmetConditionsLeaveScreen",
      "The data is on the screen as after a return to the app, for which alone the header names the question.", "S-42"),
    Reason(
      "protectionLevelChangesAreAnnounced",
      "The header speaks of the level, the guide of required encryption; the wider duty counts.", "encryption"),
  ]
}
