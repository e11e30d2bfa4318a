/// The rules of items and files that come in (`canReceiveSharedItemProvider`, `canReceiveSharedFile`).
enum ReceiveRule: CaseIterable, OutcomeRule {
  /// S004 data sharing.
  case unmanaged
  /// S004 data sharing.
  case unknownDataForNobody
  /// S002 note: the owner's policy lets its data go anywhere.
  case freeData
  /// S004 data sharing.
  case ownedDataForNobody
  /// R; when it is said is DERIVED.
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

  var id: String {
    switch self {
    case .unmanaged: "receive.1"
    case .unknownDataForNobody: "receive.2"
    case .freeData: "receive.3"
    case .ownedDataForNobody: "receive.4"
    case .managedInstallation: "receive.5"
    case .nothing, .nothingUnmanaged: "receive.6"
    case .ownData: "receive.7"
    case .unknownData, .unknownDataTaken: "receive.8"
    case .foreignData, .foreignDataTaken: "receive.9"
    case .protected: "receive.10"
    case .taken: "receive.11"
    case .switchNeeded, .switched, .switchFailed: "receive.12"
    case .onlyOrganizationData: "receive.13"
    }
  }

  var outcome: ReceiveOutcome {
    switch self {
    case .unmanaged, .freeData, .ownData, .unknownDataTaken, .foreignDataTaken, .taken, .switched: .allowed
    case .protected: .allowedAsOrganizationData
    case .switchNeeded: .needsUnmanagedIdentity
    case .unknownDataForNobody, .unknownData: .refused(.senderNotManaged)
    case .ownedDataForNobody, .foreignData: .refused(.otherAccount)
    case .managedInstallation: .refused(.managedInstallationNeeded)
    case .nothing, .nothingUnmanaged: .refused(.nothingComesIn)
    case .switchFailed: .refused(.identitySwitchFailed)
    case .onlyOrganizationData: .refused(.onlyOrganizationData)
    }
  }

  var assumption: String? {
    switch self {
    case .managedInstallation: "osSharingNeedsManagedInstallation"
    case .unknownData, .unknownDataTaken: "unknownSendersAreRefused"
    default: nil
    }
  }

  var reason: String {
    switch self {
    case .unmanaged: "neither the receiver nor the data is managed"
    case .unknownDataForNobody: "the data is an organization's that is not managed here"
    case .freeData: "the data's account may send data to all apps"
    case .ownedDataForNobody: "the data's account may not send data to an unmanaged account"
    case .managedInstallation:
      "the data was shared through the operating system, and the app was not installed by the device's management"
    case .nothing, .nothingUnmanaged: "the receiver may receive data from no app"
    case .ownData: "the data is the receiver's own"
    case .unknownData: "the data is an organization's that is not managed here, and nobody here can read it"
    case .unknownDataTaken:
      "the receiver may receive data from all apps, which is taken to cover an organization that is not managed here"
    case .foreignData: "the data belongs to another managed account"
    case .foreignDataTaken: "the data's account may send to all apps, and the receiver may receive from all apps"
    case .protected: "data without an identity becomes that of the account for which the device is managed"
    case .taken: "the receiver may receive data from all apps"
    case .switchNeeded: "unmanaged data may not come in, and the app can go on for an unmanaged account"
    case .switched: "the app went on for an unmanaged account"
    case .switchFailed: "the app did not go on for an unmanaged account"
    case .onlyOrganizationData: "the receiver may receive data from managed apps, and the data is nobody's"
    }
  }

  var ground: DecisionGround { .receive(self) }
}
