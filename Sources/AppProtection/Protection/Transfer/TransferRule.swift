/// The rules of transfers between apps, and between the accounts of one: those of the owner's policy (`transfer.send`)
/// and those of the receiver's (`transfer.receive`).
package enum TransferRule: UInt8, DecisionRule {
  /// S004 Identity overview.
  case unmanaged
  /// S004 Identity overview.
  case withinAccount
  /// D: Send org data to other apps, All apps.
  case sendsToAllApps
  /// D: Send org data to other apps, None.
  case sendsToNoApp
  /// D: the same; Open-In data is encrypted.
  case sendsToNoAppEncrypted
  /// D: Policy managed apps; S004 data sharing.
  case sendsToManagedApp
  /// D: Policy managed apps with OS sharing.
  case sharesThroughOS
  /// D: Policy managed apps with Open-In/Share filtering.
  case filtered
  /// D: Policy managed apps; S004 data sharing.
  case sendsElsewhere
  /// D: the same; data that cannot be blocked is encrypted.
  case sendsElsewhereEncrypted
  /// D: Receive data from other apps, All apps.
  case receivesFromAllApps
  /// D: Receive data from other apps, None.
  case receivesFromNoApp
  /// D: Receive data from other apps, Policy managed apps.
  case receivesFromManagedApp
  /// S004 data sharing: unmanaged data stays out.
  case receivesFromElsewhere

  @inline(__always)
  package var row: RuleRow<TransferOutcome> {
    switch self {
    case .unmanaged:
      RuleRow("transfer.1", .allowed, "neither side is managed", when: "neither side is managed")
    case .withinAccount:
      RuleRow("transfer.2", .allowed, "the data stays in its account", when: "the data stays with {account}")
    case .sendsToAllApps:
      RuleRow(
        "transfer.send.1", .allowed, "the owner may send data to all apps", when: "{account} may send data to {other}",
        reads: .sending)
    case .sendsToNoApp:
      RuleRow(
        "transfer.send.2", .denied, "the owner may send data to no app", unless: "{account} may send data to {other}",
        reads: .deviceAccount, .sending)
    case .sendsToNoAppEncrypted:
      RuleRow(
        "transfer.send.2", .allowedEncrypted,
        "the owner may send data to no app, and what cannot be blocked leaves encrypted",
        when: "{account} may send data to {other}", reads: .deviceAccount, .sending)
    case .sendsToManagedApp:
      RuleRow(
        "transfer.send.3", .allowed,
        "the owner may send data to managed apps, and the other app acts for the same account",
        when: "{account} may send data to {other}", reads: .sending)
    case .sharesThroughOS:
      RuleRow(
        "transfer.send.4", .allowed,
        "the device is managed for the owner, whose policy leaves sharing to its management",
        when: "{account} may send data to {other}", reads: .setting { .disableProtectionOfManagedOutboundOpenInData },
        .deviceAccount, .sending)
    case .filtered:
      RuleRow(
        "transfer.send.5", .denied,
        "the owner's policy lists only managed apps for sharing, and the other app is none of them",
        unless: "{account} may send data to {other}", reads: .setting { .filterOpenInToOnlyManagedApps }, .sdkVersion,
        .sending)
    case .sendsElsewhere:
      RuleRow(
        "transfer.send.6", .denied,
        "the owner may send data to managed apps, and the other side does not act for the account",
        unless: "{account} may send data to {other}", reads: .deviceAccount, .sending)
    case .sendsElsewhereEncrypted:
      RuleRow(
        "transfer.send.6", .allowedEncrypted,
        "the owner may send data to managed apps, and what cannot be blocked leaves encrypted",
        when: "{account} may send data to {other}", reads: .deviceAccount, .sending)
    case .receivesFromAllApps:
      RuleRow(
        "transfer.receive.1", .allowed, "the receiver may receive data from all apps",
        when: "{account} may receive data from {other}", reads: .receiving)
    case .receivesFromNoApp:
      RuleRow(
        "transfer.receive.2", .denied, "the receiver may receive data from no app",
        unless: "{account} may receive data from {other}", reads: .receiving)
    case .receivesFromManagedApp:
      RuleRow(
        "transfer.receive.3", .allowed,
        "the receiver may receive data from managed apps, and the data is its account's",
        when: "{account} may receive data from {other}", reads: .receiving)
    case .receivesFromElsewhere:
      RuleRow(
        "transfer.receive.4", .denied,
        "the receiver may receive data from managed apps, and the data is not its account's",
        unless: "{account} may receive data from {other}", reads: .receiving)
    }
  }
}

/// How data moves from one app to another.
public enum TransferSurface: String, CaseIterable, Sendable {
  /// By a means that the app offers itself, and can omit.
  case app
  /// By Open-In, which the app cannot forbid.
  case openIn
  /// By a share extension, which the app cannot forbid on a device without management.
  case shareExtension
}
