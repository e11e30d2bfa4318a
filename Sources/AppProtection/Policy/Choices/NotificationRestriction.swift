/// What notifications may show. `managedAppNotificationRestriction` in Graph.
public enum NotificationRestriction: String, PolicyChoice {
  /// Everything.
  case allow
  /// Nothing of the organization.
  case blockOrganizationalData
  /// No notifications.
  case block
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .allow: 0
    case .blockOrganizationalData: 1
    case .block: 2
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "NotificationRestriction"
}
