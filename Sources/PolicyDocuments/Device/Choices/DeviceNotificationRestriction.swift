import AppProtection

/// What notifications may show: `NotificationRestriction`. Numbered as in Graph.
public enum DeviceNotificationRestriction: Int64, DeviceChoice {
  /// Everything.
  case allow = 0
  /// Nothing of the organization.
  case blockOrganizationData = 1
  /// No notifications.
  case block = 2

  /// The member in Graph that means the same.
  public var graph: NotificationRestriction {
    switch self {
    case .allow: .allow
    case .blockOrganizationData: .blockOrganizationalData
    case .block: .block
    }
  }
}
