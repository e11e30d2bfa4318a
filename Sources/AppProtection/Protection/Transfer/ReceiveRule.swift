/// The result for an incoming item or file.
public enum ReceiveOutcome: DecisionOutcome {
  /// The receiver gets it.
  case allowed
  /// The receiver gets it, and it belongs from then on to the account for which the device is managed.
  case allowedAsOrganizationData
  /// The app must be asked to continue without an account or with an unmanaged one; the question is then asked again
  /// with the app's answer.
  case needsUnmanagedIdentity
  /// The receiver does not get it.
  case refused(ReceiveRefusal)

  /// The name of the case, or of the refusal.
  public var name: String {
    if case .refused(let refusal) = self { refusal.rawValue } else { "\(self)" }
  }
}

/// Why something may not come in: one case for each of the SDK's six messages.
public enum ReceiveRefusal: String, CaseIterable, Sendable {
  /// Nothing at all may come in.
  case nothingComesIn
  /// Only organization data may come in.
  case onlyOrganizationData
  /// The data belongs to an account other than the one the app acts for.
  case otherAccount
  /// The account that the data belongs to is not managed here.
  case senderNotManaged
  /// The app did not continue for an unmanaged account.
  case identitySwitchFailed
  /// The app must be installed by the device's management first.
  case managedInstallationNeeded
}

/// The rules of incoming items and files (`canReceiveSharedItemProvider`, `canReceiveSharedFile`).
package enum ReceiveRule: UInt8, DecisionRule {
  /// S004 data sharing.
  case unmanaged
  /// S004 data sharing.
  case unknownDataForNobody
  /// S002 note: the owner's policy lets its data go anywhere.
  case freeData
  /// S004 data sharing.
  case ownedDataForNobody
  /// R; the condition is DERIVED.
  case managedInstallation
  /// D: Receive data from other apps, None.
  case nothing
  /// D; S004 data sharing.
  case ownData
  /// R: the sender's account is not managed here.
  case unknownData
  /// DERIVED: the same, where all apps may send.
  case unknownDataTaken
  /// R: the data belongs to another account.
  case foreignData
  /// S002 note: both policies let data pass.
  case foreignDataTaken
  /// D: All apps with incoming org data.
  case protected
  /// D: All apps.
  case taken
  /// D: a multi-identity app is asked to switch.
  case switchNeeded
  /// D: the app switched.
  case switched
  /// R: the identity switch failed.
  case switchFailed
  /// D: Receive data from other apps, None.
  case nothingUnmanaged
  /// D: Receive data from other apps, Policy managed apps.
  case onlyOrganizationData

  @inline(__always)
  package var row: RuleRow<ReceiveOutcome> {
    switch self {
    case .unmanaged:
      RuleRow("receive.1", .allowed, "neither the receiver nor the data is managed", when: "neither side is managed")
    case .unknownDataForNobody:
      RuleRow(
        "receive.2", .refused(.senderNotManaged), "the data is an organization's that is not managed here",
        unless: "the data of {other} is managed here")
    case .freeData:
      RuleRow(
        "receive.3", .allowed, "the data's account may send data to all apps",
        when: "{account} may send data to all apps", reads: .sending)
    case .ownedDataForNobody:
      RuleRow(
        "receive.4", .refused(.otherAccount), "the data's account may not send data to an unmanaged account",
        unless: "{account} may send data to all apps", reads: .sending)
    case .managedInstallation:
      RuleRow(
        "receive.5", .refused(.managedInstallationNeeded),
        "the data was shared through the operating system, and the app was not installed by the device's management",
        unless: "the device's management installed the app",
        reads: .setting { .disableProtectionOfManagedOutboundOpenInData }, .deviceAccount, .assumption,
        assumes: "osSharingNeedsManagedInstallation")
    case .nothing:
      RuleRow(
        "receive.6", .refused(.nothingComesIn), "the receiver may receive data from no app",
        unless: "{account} may receive data from managed apps", reads: .receiving)
    case .ownData:
      RuleRow("receive.7", .allowed, "the data is the receiver's own", when: "the data is {account}'s")
    case .unknownData:
      RuleRow(
        "receive.8", .refused(.senderNotManaged),
        "the data is an organization's that is not managed here, and no account here can read it",
        unless: "data of an organization that is not managed here may come in", reads: .receiving, .assumption,
        assumes: "unknownSendersAreRefused")
    case .unknownDataTaken:
      RuleRow(
        "receive.8", .allowed,
        "the receiver may receive data from all apps, which is taken to cover an organization that is not managed here",
        when: "data of an organization that is not managed here may come in", reads: .receiving, .assumption,
        assumes: "unknownSendersAreRefused")
    case .foreignData:
      RuleRow(
        "receive.9", .refused(.otherAccount), "the data belongs to another managed account",
        unless: "data may pass from {account} to {other}", reads: .sending,
        .otherSetting { .allowedInboundDataTransferSources })
    case .foreignDataTaken:
      RuleRow(
        "receive.9", .allowed, "the data's account may send to all apps, and the receiver may receive from all apps",
        when: "data may pass from {account} to {other}", reads: .sending,
        .otherSetting { .allowedInboundDataTransferSources })
    case .protected:
      RuleRow(
        "receive.10", .allowedAsOrganizationData,
        "data without an identity becomes that of the account for which the device is managed",
        when: "data without an identity becomes organization data",
        reads: .setting { .protectInboundDataFromUnknownSources }, .deviceAccount, .receiving)
    case .taken:
      RuleRow(
        "receive.11", .allowed, "the receiver may receive data from all apps",
        unless: "data without an identity becomes organization data",
        reads: .setting { .protectInboundDataFromUnknownSources }, .deviceAccount, .receiving)
    case .switchNeeded:
      RuleRow(
        "receive.12", .needsUnmanagedIdentity,
        "unmanaged data may not come in, and the app can go on for an unmanaged account",
        unless: "the app went on for an unmanaged account", reads: .multiIdentity)
    case .switched:
      RuleRow(
        "receive.12", .allowed, "the app went on for an unmanaged account",
        when: "the app went on for an unmanaged account", reads: .multiIdentity)
    case .switchFailed:
      RuleRow(
        "receive.12", .refused(.identitySwitchFailed), "the app did not go on for an unmanaged account",
        unless: "the app went on for an unmanaged account", reads: .multiIdentity)
    case .nothingUnmanaged:
      RuleRow(
        "receive.6", .refused(.nothingComesIn), "the receiver may receive data from no app",
        unless: "{account} may receive data from {other}", reads: .receiving)
    case .onlyOrganizationData:
      RuleRow(
        "receive.13", .refused(.onlyOrganizationData),
        "the receiver may receive data from managed apps, and the data has no owner",
        unless: "{account} may receive data from {other}", reads: .receiving)
    }
  }
}
