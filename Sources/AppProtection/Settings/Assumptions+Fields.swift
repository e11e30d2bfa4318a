import EventSourcing
import WireFormat

extension Assumptions: FieldList {
  /// The value that reading begins with: what the absence of each choice means, for ever. A default that has changed
  /// since differs from it.
  public static var blank: Self {
    var choice = Self()
    choice.protectionConflictRefuses = true
    return choice
  }

  /// The choices. What absence means is not written.
  public static func visit<V: FieldVisitor>(_ choice: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "restartAfterWipe", &choice.restartAfterWipe, "when a completed wipe asks for a restart")
    try field(
      2, "organizationRule", &choice.organizationRule, "how two accounts are recognised as being of one organization")
    try field(
      3, "unreachableUnenrollment", &choice.unreachableUnenrollment,
      "what becomes of an account that leaves without tokens")
    try field(
      4, "refusedAccountCode", &choice.refusedAccountCode, unless: .singleManagedAccountMode, cardinality: .single,
      "the code for a refused second managed account; absent: 227")
    try field(
      5, "saveAllowCoversForeignLocations", &choice.saveAllowCoversForeignLocations, unless: true,
      "whether leave to save copies covers locations that are not the owner's own; absent: yes")
    try field(
      6, "listedLocationNeedsOwnerAccount", &choice.listedLocationNeedsOwnerAccount, unless: true,
      "whether an allowed storage location counts only as the owner's own; absent: yes")
    try field(
      7, "listedLocalDriveNeedsOwnerAccount", &choice.listedLocalDriveNeedsOwnerAccount, unless: true,
      "whether allowed local storage counts only when the owner is named with it; absent: yes")
    try field(
      8, "accountDocumentStaysInAccount", &choice.accountDocumentStaysInAccount, unless: true,
      "whether a document of the owner's account may be saved although saving is blocked; absent: yes")
    try field(
      9, "openAllowCoversForeignLocations", &choice.openAllowCoversForeignLocations, unless: true,
      "whether leave to open data covers sources that are not the receiver's own; absent: yes")
    try field(10, "firstPolicyScope", &choice.firstPolicyScope, "for what the first policy asks for a restart")
    try field(
      11, "reenrollmentRefusal", &choice.reenrollmentRefusal,
      "which attempt to enroll again after a lost record ends in a refusal")
    try field(12, "backoffSequence", &choice.backoffSequence, "how the pauses after failures of the network rise")
    try field(
      13, "unlistedAccountCode", &choice.unlistedAccountCode, unless: .notEmmAccount, cardinality: .single,
      "the code for an account that device management does not allow; absent: 209")
    try field(
      14, "unknownCodeRule", &choice.unknownCodeRule, "whether a request that ended in an unknown code is repeated")
    try field(
      15, "serviceCodeCallback", &choice.serviceCodeCallback, "which callback tells of 220 and 226 after a check-in")
    try field(
      16, "namesakeRule", &choice.namesakeRule,
      "what becomes of an account with the name of a managed one and another object id")
    try field(
      17, "unpublishedWipeReason", &choice.unpublishedWipeReason,
      "which number a wipe notice carries whose cause has no published one")
    try field(
      18, "queuedRemediationIsInProgress", &choice.queuedRemediationIsInProgress, unless: true,
      "whether a remediation that waits counts as being in progress; absent: yes")
    try field(
      19, "queuedRemediationSurvivesRestart", &choice.queuedRemediationSurvivesRestart, unless: true,
      "whether remediations that wait survive a restart; absent: yes")
    try field(
      20, "remediationWithoutToken", &choice.remediationWithoutToken, unless: .interactionRequired,
      cardinality: .single,
      "how a remediation ends for which there is no token; absent: interactionRequired")
    try field(
      21, "remediationOfUnknownOutcome", &choice.remediationOfUnknownOutcome, unless: .serviceFailure,
      cardinality: .single,
      "how a remediation ends of whose outcome nothing is known; absent: serviceFailure")
    try field(
      22, "childTasksInheritIdentity", &choice.childTasksInheritIdentity, unless: true,
      "whether a child task inherits the identity of its scope; absent: yes")
    try field(
      23, "detachedTasksInheritIdentity", &choice.detachedTasksInheritIdentity, "whether a detached task inherits it")
    try field(
      24, "copiedFilesKeepOwner", &choice.copiedFilesKeepOwner, unless: true,
      "whether a file that is copied or moved keeps its owner; absent: yes")
    try field(
      25, "protectionConflictRefuses", &choice.protectionConflictRefuses, unless: true,
      "whether verifying and protecting refuses another owner's file; absent: yes")
    try field(
      26, "configurationTextConverts", &choice.configurationTextConverts, unless: true,
      "whether configured text counts as yes or no, or as a number; absent: yes")
    try field(
      27, "policySourceRule", &choice.policySourceRule, "how the policy source follows the account of the device")
    try field(28, "launchOrder", &choice.launchOrder, "in which order findings of one severity count")
    try field(
      29, "wipeVersionInclusive", &choice.wipeVersionInclusive, "whether a version that equals the minimum wipes")
    try field(
      30, "unreportedFactsPass", &choice.unreportedFactsPass, unless: true,
      "whether a device fact that nobody reported meets its launch condition; absent: yes")
    try field(
      31, "uncertainClockStatusCountsAsOut", &choice.uncertainClockStatusCountsAsOut, unless: true,
      "whether a clock status that is unknown or stale counts as not at work; absent: yes")
    try field(
      32, "encryptionNeedsDevicePasscode", &choice.encryptionNeedsDevicePasscode, unless: true,
      "whether encryption blocks a device without a passcode; absent: yes")
    try field(
      33, "policyChangeNeedsNewPIN", &choice.policyChangeNeedsNewPIN, unless: true,
      "whether a PIN that a later policy would refuse must be replaced; absent: yes")
    try field(
      34, "recheckRunsFromLastOpening", &choice.recheckRunsFromLastOpening, unless: true,
      "whether the recheck period begins anew whenever the app is opened; absent: yes")
    try field(
      35, "failedCheckInEndsOfflineStay", &choice.failedCheckInEndsOfflineStay, unless: true,
      "whether a check-in that fails counts as a refused one when an offline wipe is due; absent: yes")
    try field(
      36, "absentExemptionsMeanDefaults", &choice.absentExemptionsMeanDefaults, unless: true,
      "whether a policy without a list of exempt schemes exempts the default ones; absent: yes")
    try field(
      37, "exemptSchemesNeedManagedSending", &choice.exemptSchemesNeedManagedSending, unless: true,
      "whether exempt schemes count only while data may be sent to managed apps; absent: yes")
    try field(
      38, "webLinksFollowBrowserRule", &choice.webLinksFollowBrowserRule, unless: true,
      "whether web links follow the rule of the browser alone; absent: yes")
    try field(
      39, "universalLinksFollowBrowserRule", &choice.universalLinksFollowBrowserRule, unless: true,
      "whether a universal link in neither list may open in its app where no browser is required; absent: yes")
    try field(
      40, "nearestWebViewPolicyCounts", &choice.nearestWebViewPolicyCounts, unless: true,
      "whether the policy of the nearest parent of a web view counts; absent: yes")
    try field(
      41, "encryptionTypeRequiresFileEncryption", &choice.encryptionTypeRequiresFileEncryption, unless: true,
      "whether an encryption type other than the device's asks for encrypted files; absent: yes")
    try field(
      42, "fileProviderEncryptsForManagedApps", &choice.fileProviderEncryptsForManagedApps, unless: true,
      "whether a file provider encrypts unless data may be sent to all apps; absent: yes")
    try field(
      43, "screenCaptureSettingCountsFirst", &choice.screenCaptureSettingCountsFirst, unless: true,
      "whether a policy's setting for screen capture counts before the app configuration; absent: yes")
    try field(
      44, "osSharingNeedsManagedInstallation", &choice.osSharingNeedsManagedInstallation, unless: true,
      "whether data shared through the operating system needs an app installed by device management; absent: yes")
    try field(
      45, "unknownSendersAreRefused", &choice.unknownSendersAreRefused, unless: true,
      "whether organization data of an account that is not known is refused also where all apps may send; absent: yes")
    try field(
      46, "dictationBlockIsPerAccount", &choice.dictationBlockIsPerAccount, unless: true,
      "whether a blocked dictation concerns only the account whose policy blocks it; absent: yes")
    try field(
      47, "clipboardExceptionNeedsBothSides", &choice.clipboardExceptionNeedsBothSides, unless: true,
      "whether a short text must be short enough for both sides where both refuse it; absent: yes")
    try field(
      48, "protectionNeedsManagedApp", &choice.protectionNeedsManagedApp, unless: true,
      "whether data cannot be protected while no account of the app is managed; absent: yes")
    try field(
      49, "otherAppsHaveSamePolicy", &choice.otherAppsHaveSamePolicy, unless: true,
      "whether another app that acts for an account has the policy that the account has here; absent: yes")
    try field(
      50, "oldSDKCountsAnyAnswer", &choice.oldSDKCountsAnyAnswer, unless: true,
      "whether an SDK before 16.1.1 counts offline access from any answer of the service; absent: yes")
    try field(
      51, "singleIdentityMayChange", &choice.singleIdentityMayChange, unless: true,
      "whether an app of one identity may set another identity than its managed account's; absent: yes")
    try field(
      55, "launchEnrollmentNeedsNoRestart", &choice.launchEnrollmentNeedsNoRestart, unless: true,
      """
      whether an app that enrolls at launch and requires a policy applies the first one without a restart; absent: \
      yes
      """)
    try field(
      56, "unmetConditionsLeaveScreen", &choice.unmetConditionsLeaveScreen, unless: true,
      """
      whether data on the screen gives way to the unmanaged identity when conditions are not met that no return and \
      no switch raised; absent: yes
      """)
    try field(
      57, "protectionLevelChangesAreAnnounced", &choice.protectionLevelChangesAreAnnounced, unless: true,
      "whether a change of the protection level is announced, or only whether files must be encrypted; absent: yes")
  }
}

extension Assumptions {
  /// Sets one choice by the number of its field in `descriptor`, for callers that read names: a `bool` by 0 and 1, an
  /// enumeration by its member's number. Returns `false` if the field does not exist or the number is not one of its
  /// members.
  public mutating func set(_ field: Int, to number: UInt64) -> Bool {
    guard let described = Self.descriptor.fields.first(where: { $0.number == field }) else { return false }
    if case .bool = described.type, number > 1 { return false }
    // The last occurrence of a field counts, so an appended one overrides the current value.
    var writer = WireWriter()
    encode(into: &writer)
    writer.writePresent(field, unsigned: number)
    do throws(WireError) {
      self = try WireReader.decode(writer.bytes) { (reader) throws(WireError) in try Assumptions(from: &reader) }
      return true
    } catch {
      return false
    }
  }
}
