/// The apps with which a phone number may be dialed. `managedAppPhoneNumberRedirectLevel` in Graph.
public enum DialerRestrictionLevel: String, PolicyChoice {
  /// Every dialer.
  case allApps
  /// Managed dialers.
  case managedApps
  /// One dialer, named by its URL scheme.
  case customApp
  /// None.
  case blocked
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .allApps: 0
    case .managedApps: 1
    case .customApp: 2
    case .blocked: 3
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "DialerRestrictionLevel"
}

/// The apps with which a message may be started. `messagingRedirectAppType` in Graph.
public enum MessagingRedirectAppType: String, PolicyChoice {
  /// Every messaging app.
  case anyApp
  /// Managed messaging apps.
  case anyManagedApp
  /// One app, named by its URL scheme.
  case specificApps
  /// None.
  case blocked
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .anyApp: 0
    case .anyManagedApp: 1
    case .specificApps: 2
    case .blocked: 3
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "MessagingRedirectAppType"
}
