/// The rules of transfers between apps, and between the accounts of one: what is asked of the policy of the data's owner
/// (`transfer.send`), and what of the receiver's (`transfer.receive`).
enum TransferRule: CaseIterable, OutcomeRule {
  /// S004 Identity overview.
  case unmanaged
  /// S004 Identity overview.
  case withinAccount
  /// D: Send org data to other apps, All apps.
  case sendsToAllApps
  /// D: Send org data to other apps, None.
  case sendsToNoApp
  /// D: the same; what Open-In hands over is encrypted.
  case sendsToNoAppEncrypted
  /// D: Policy managed apps; S004 data sharing.
  case sendsToManagedApp
  /// D: Policy managed apps with OS sharing.
  case sharesThroughOS
  /// D: Policy managed apps with Open-In/Share filtering.
  case filtered
  /// D: Policy managed apps; S004 data sharing.
  case sendsElsewhere
  /// D: the same; what cannot be blocked is handed over encrypted.
  case sendsElsewhereEncrypted
  /// D: Receive data from other apps, All apps.
  case receivesFromAllApps
  /// D: Receive data from other apps, None.
  case receivesFromNoApp
  /// D: Receive data from other apps, Policy managed apps.
  case receivesFromManagedApp
  /// S004 data sharing: unmanaged data stays out.
  case receivesFromElsewhere

  var id: String {
    switch self {
    case .unmanaged: "transfer.1"
    case .withinAccount: "transfer.2"
    case .sendsToAllApps: "transfer.send.1"
    case .sendsToNoApp, .sendsToNoAppEncrypted: "transfer.send.2"
    case .sendsToManagedApp: "transfer.send.3"
    case .sharesThroughOS: "transfer.send.4"
    case .filtered: "transfer.send.5"
    case .sendsElsewhere, .sendsElsewhereEncrypted: "transfer.send.6"
    case .receivesFromAllApps: "transfer.receive.1"
    case .receivesFromNoApp: "transfer.receive.2"
    case .receivesFromManagedApp: "transfer.receive.3"
    case .receivesFromElsewhere: "transfer.receive.4"
    }
  }

  var outcome: TransferOutcome {
    switch self {
    case .sendsToNoApp, .filtered, .sendsElsewhere, .receivesFromNoApp, .receivesFromElsewhere: .denied
    case .sendsToNoAppEncrypted, .sendsElsewhereEncrypted: .allowedEncrypted
    default: .allowed
    }
  }

  var reason: String {
    switch self {
    case .unmanaged: "neither side is managed"
    case .withinAccount: "the data stays in its account"
    case .sendsToAllApps: "the owner may send data to all apps"
    case .sendsToNoApp: "the owner may send data to no app"
    case .sendsToNoAppEncrypted: "the owner may send data to no app, and what cannot be blocked leaves encrypted"
    case .sendsToManagedApp: "the owner may send data to managed apps, and the other app acts for the same account"
    case .sharesThroughOS: "the device is managed for the owner, whose policy leaves sharing to its management"
    case .filtered: "the owner's policy lists only managed apps for sharing, and the other app is none of them"
    case .sendsElsewhere: "the owner may send data to managed apps, and the other side does not act for the account"
    case .sendsElsewhereEncrypted:
      "the owner may send data to managed apps, and what cannot be blocked leaves encrypted"
    case .receivesFromAllApps: "the receiver may receive data from all apps"
    case .receivesFromNoApp: "the receiver may receive data from no app"
    case .receivesFromManagedApp: "the receiver may receive data from managed apps, and the data is its account's"
    case .receivesFromElsewhere: "the receiver may receive data from managed apps, and the data is not its account's"
    }
  }

  var ground: DecisionGround { .transfer(self) }
}
