import EventSourcing
import WireFormat

extension Assumptions {
  /// An assumption that is answered by yes or no. The default is yes, and is not written.
  public struct Choice: Sendable {
    /// The field's number on the wire. Never reused.
    public let number: Int
    /// The name of the member of ``Assumptions``.
    public let name: String
    /// Where the answer is.
    public let path: WritableKeyPath<Assumptions, Bool> & Sendable
    let meaning: String

    init(
      _ number: Int, _ name: String, _ path: WritableKeyPath<Assumptions, Bool> & Sendable, _ meaning: String
    ) {
      self.number = number
      self.name = name
      self.path = path
      self.meaning = meaning
    }

    var field: FieldDescriptor {
      FieldDescriptor(number, name, .bool, .optional, "\(meaning); absent: yes")
    }
  }

  /// The assumptions that are answered by yes or no, in the order of their numbers.
  public static let choices: [Choice] = [
    Choice(
      5, "saveAllowCoversForeignLocations", \.saveAllowCoversForeignLocations,
      "whether leave to save copies covers locations that are not the owner's own"),
    Choice(
      6, "listedLocationNeedsOwnerAccount", \.listedLocationNeedsOwnerAccount,
      "whether an allowed storage location counts only as the owner's own"),
    Choice(
      7, "listedLocalDriveNeedsOwnerAccount", \.listedLocalDriveNeedsOwnerAccount,
      "whether allowed local storage counts only when the owner is named with it"),
    Choice(
      8, "accountDocumentStaysInAccount", \.accountDocumentStaysInAccount,
      "whether a document of the owner's account may be saved although saving is blocked"),
    Choice(
      9, "openAllowCoversForeignLocations", \.openAllowCoversForeignLocations,
      "whether leave to open data covers sources that are not the receiver's own"),
    Choice(
      18, "queuedRemediationIsInProgress", \.queuedRemediationIsInProgress,
      "whether a remediation that waits counts as being in progress"),
    Choice(
      19, "queuedRemediationSurvivesRestart", \.queuedRemediationSurvivesRestart,
      "whether remediations that wait survive a restart"),
    Choice(
      22, "childTasksInheritIdentity", \.childTasksInheritIdentity,
      "whether a child task inherits the identity of its scope"),
    Choice(
      24, "copiedFilesKeepOwner", \.copiedFilesKeepOwner,
      "whether a file that is copied or moved keeps its owner"),
    Choice(
      25, "protectionConflictRefuses", \.protectionConflictRefuses,
      "whether verifying and protecting refuses another owner's file"),
    Choice(
      26, "configurationTextConverts", \.configurationTextConverts,
      "whether configured text counts as yes or no, or as a number"),
    Choice(
      30, "unreportedFactsPass", \.unreportedFactsPass,
      "whether a device fact that nobody reported meets its launch condition"),
    Choice(
      31, "uncertainClockStatusCountsAsOut", \.uncertainClockStatusCountsAsOut,
      "whether a clock status that is unknown or stale counts as not at work"),
    Choice(
      32, "encryptionNeedsDevicePasscode", \.encryptionNeedsDevicePasscode,
      "whether encryption blocks a device without a passcode"),
    Choice(
      33, "policyChangeNeedsNewPIN", \.policyChangeNeedsNewPIN,
      "whether a PIN that a later policy would refuse must be replaced"),
    Choice(
      34, "recheckRunsFromLastOpening", \.recheckRunsFromLastOpening,
      "whether the recheck period begins anew whenever the app is opened"),
    Choice(
      35, "failedCheckInEndsOfflineStay", \.failedCheckInEndsOfflineStay,
      "whether a check-in that fails counts as a refused one when an offline wipe is due"),
    Choice(
      36, "absentExemptionsMeanDefaults", \.absentExemptionsMeanDefaults,
      "whether a policy without a list of exempt schemes exempts the default ones"),
    Choice(
      37, "exemptSchemesNeedManagedSending", \.exemptSchemesNeedManagedSending,
      "whether exempt schemes count only while data may be sent to managed apps"),
    Choice(
      38, "webLinksFollowBrowserRule", \.webLinksFollowBrowserRule,
      "whether web links follow the rule of the browser alone"),
    Choice(
      39, "universalLinksFollowBrowserRule", \.universalLinksFollowBrowserRule,
      "whether a universal link in neither list may open in its app where no browser is required"),
    Choice(
      40, "nearestWebViewPolicyCounts", \.nearestWebViewPolicyCounts,
      "whether the policy of the nearest parent of a web view counts"),
    Choice(
      41, "encryptionTypeRequiresFileEncryption", \.encryptionTypeRequiresFileEncryption,
      "whether an encryption type other than the device's asks for encrypted files"),
    Choice(
      42, "fileProviderEncryptsForManagedApps", \.fileProviderEncryptsForManagedApps,
      "whether a file provider encrypts unless data may be sent to all apps"),
    Choice(
      43, "screenCaptureSettingCountsFirst", \.screenCaptureSettingCountsFirst,
      "whether a policy's setting for screen capture counts before the app configuration"),
    Choice(
      44, "osSharingNeedsManagedInstallation", \.osSharingNeedsManagedInstallation,
      "whether data shared through the operating system needs an app installed by device management"),
    Choice(
      45, "unknownSendersAreRefused", \.unknownSendersAreRefused,
      "whether organization data of an account that is not known is refused also where all apps may send"),
    Choice(
      46, "dictationBlockIsPerAccount", \.dictationBlockIsPerAccount,
      "whether a blocked dictation concerns only the account whose policy blocks it"),
    Choice(
      47, "clipboardExceptionNeedsBothSides", \.clipboardExceptionNeedsBothSides,
      "whether a short text must be short enough for both sides where both refuse it"),
    Choice(
      48, "protectionNeedsManagedApp", \.protectionNeedsManagedApp,
      "whether data cannot be protected while no account of the app is managed"),
    Choice(
      49, "otherAppsHaveSamePolicy", \.otherAppsHaveSamePolicy,
      "whether another app that acts for an account has the policy that the account has here"),
    Choice(
      50, "oldSDKCountsAnyAnswer", \.oldSDKCountsAnyAnswer,
      "whether an SDK before 16.1.1 counts offline access from any answer of the service"),
    Choice(
      51, "singleIdentityMayChange", \.singleIdentityMayChange,
      "whether an app of one identity may set another identity than its managed account's"),
    Choice(
      55, "launchEnrollmentNeedsNoRestart", \.launchEnrollmentNeedsNoRestart,
      "whether an app that enrolls at launch and requires a policy applies the first one without a restart"),
  ]

  /// Writes what is answered otherwise than by default, so that the defaults stay the empty message.
  func write(_ numbers: ClosedRange<Int>, into writer: inout WireWriter) {
    for choice in Self.choices where numbers.contains(choice.number) && !self[keyPath: choice.path] {
      writer.write(choice.number, optional: false)
    }
  }

  func treeMembers(_ numbers: ClosedRange<Int>) -> [StateTree.Member] {
    Self.choices.filter { numbers.contains($0.number) }.map { .init($0.name, .bool(self[keyPath: $0.path])) }
  }
}
