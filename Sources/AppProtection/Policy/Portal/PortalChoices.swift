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

/// What an administrator chooses in the portal under "Restrict web content transfer with other apps": three settings of
/// Graph together.
///
/// Ordered from the least to the most restrictive.
public enum WebContentChoice: String, CaseIterable, Hashable, Sendable {
  /// Web links open in any app.
  case anyApp = "Any app"
  /// Web links open in the browser whose URL scheme the document names.
  case unmanagedBrowser = "Unmanaged browser"
  /// Web links open in a protected browser, and the document does not name it. Documents from before Edge was the only
  /// one have this form.
  case managedBrowser = "Policy managed browsers"
  /// Web links open in Microsoft Edge.
  case microsoftEdge = "Microsoft Edge"
}

extension PolicyDocument.Redirection {
  /// The portal's choice of where web links open. `nil` if the document does not set it, and for combinations that the
  /// portal lacks: a browser that is named but not required, or two browsers.
  public var webContentChoice: WebContentChoice? {
    let namesEdge = managedBrowser?.isEmpty == false
    let namesScheme = customBrowserProtocol?.isEmpty == false
    switch (managedBrowserToOpenLinksRequired, namesEdge, namesScheme) {
    case (nil, false, false): return nil
    case (false?, false, false): return .anyApp
    case (true?, false, false): return .managedBrowser
    case (true?, true, false): return .microsoftEdge
    case (true?, false, true): return .unmanagedBrowser
    case (nil, _, _), (false?, _, _), (true?, true, true): return nil
    }
  }
}
