import AppProtection

/// What notifications may show: `NotificationRestriction`. Numbered as in Graph.
public enum DeviceNotificationRestriction: Int64, DeviceChoice {
  /// Everything.
  case allow = 0
  /// No organization data.
  case blockOrganizationData = 1
  /// No notifications.
  case block = 2

  /// The corresponding member in Graph.
  public var graph: NotificationRestriction {
    switch self {
    case .allow: .allow
    case .blockOrganizationData: .blockOrganizationalData
    case .block: .block
    }
  }
}
