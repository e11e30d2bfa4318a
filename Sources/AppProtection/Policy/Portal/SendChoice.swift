/// What an administrator chooses in the portal under "Send Org data to other apps".
///
/// Graph has no such setting: a choice is a combination of three settings, and nothing else in a document records it.
/// Two of the three settings have a meaning only with `managedApps`; a document that has them with another level
/// matches none of the choices, and ``PolicyDocument/DataTransfer/sendChoice`` is `nil`.
///
/// Ordered from the least to the most restrictive.
public enum SendChoice: String, CaseIterable, Hashable, Sendable {
  /// Data may go to every app.
  case allApps = "All apps"
  /// As ``managedApps``; on a device under management data also goes, unencrypted, to apps that are managed there.
  case managedAppsWithOSSharing = "Policy managed apps with OS sharing"
  /// Data may go to apps that have a policy for the account.
  case managedApps = "Policy managed apps"
  /// As ``managedApps``, and the share sheet lists no other apps.
  case managedAppsWithFiltering = "Policy managed apps with Open-In/Share filtering"
  /// Data may go nowhere.
  case noApps = "None"

  /// `allowedOutboundDataTransferDestinations`.
  public var level: DataTransferLevel {
    switch self {
    case .allApps: .allApps
    case .managedAppsWithOSSharing, .managedApps, .managedAppsWithFiltering: .managedApps
    case .noApps: .noApps
    }
  }

  /// `disableProtectionOfManagedOutboundOpenInData`.
  public var disablesProtection: Bool { self == .managedAppsWithOSSharing }

  /// `filterOpenInToOnlyManagedApps`.
  public var filtersOpenIn: Bool { self == .managedAppsWithFiltering }

  /// The choice that three settings form; `nil` if they form none: the level is not set or unknown, or one of the
  /// others is set together with a level that does not allow it.
  public init?(level: DataTransferLevel?, disablesProtection: Bool?, filtersOpenIn: Bool?) {
    let choice = Self.allCases.first {
      $0.level == level && $0.disablesProtection == (disablesProtection ?? false)
        && $0.filtersOpenIn == (filtersOpenIn ?? false)
    }
    guard let choice else { return nil }
    self = choice
  }
}

extension PolicyDocument.DataTransfer {
  /// The portal's choice of where organization data may go; `nil` when none is made, or none that the portal has.
  public var sendChoice: SendChoice? {
    SendChoice(
      level: allowedOutboundDataTransferDestinations,
      disablesProtection: disableProtectionOfManagedOutboundOpenInData, filtersOpenIn: filterOpenInToOnlyManagedApps)
  }

  /// Sets the three settings of a choice.
  public mutating func set(_ choice: SendChoice) {
    allowedOutboundDataTransferDestinations = choice.level
    disableProtectionOfManagedOutboundOpenInData = choice.disablesProtection
    filterOpenInToOnlyManagedApps = choice.filtersOpenIn
  }
}
