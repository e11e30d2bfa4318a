/// What an administrator chooses in the portal under "Receive data from other apps": two settings of Graph together.
///
/// Ordered from the least to the most restrictive.
public enum ReceiveChoice: String, CaseIterable, Hashable, Sendable {
  /// Data may come from every app.
  case allApps = "All apps"
  /// As ``allApps``; on a device under management, data without an identity becomes organization data.
  case allAppsWithIncomingOrganizationData = "All apps with incoming Org data"
  /// Data may come from apps that have a policy for the account.
  case managedApps = "Policy managed apps"
  /// Data may come from nowhere.
  case noApps = "None"

  /// `allowedInboundDataTransferSources`.
  public var level: DataTransferLevel {
    switch self {
    case .allApps, .allAppsWithIncomingOrganizationData: .allApps
    case .managedApps: .managedApps
    case .noApps: .noApps
    }
  }

  /// `protectInboundDataFromUnknownSources`.
  public var protectsUnknownSources: Bool { self == .allAppsWithIncomingOrganizationData }

  /// The choice that two settings form; `nil` if they form none: the level is not set or unknown, or protection is set
  /// together with a level that does not allow it.
  public init?(level: DataTransferLevel?, protectsUnknownSources: Bool?) {
    let choice = Self.allCases.first {
      $0.level == level && $0.protectsUnknownSources == (protectsUnknownSources ?? false)
    }
    guard let choice else { return nil }
    self = choice
  }
}

extension PolicyDocument.DataTransfer {
  /// The portal's choice of where data may come from; `nil` when none is made, or none that the portal has.
  public var receiveChoice: ReceiveChoice? {
    ReceiveChoice(
      level: allowedInboundDataTransferSources, protectsUnknownSources: protectInboundDataFromUnknownSources)
  }

  /// Sets the two settings of a choice.
  public mutating func set(_ choice: ReceiveChoice) {
    allowedInboundDataTransferSources = choice.level
    protectInboundDataFromUnknownSources = choice.protectsUnknownSources
  }
}
