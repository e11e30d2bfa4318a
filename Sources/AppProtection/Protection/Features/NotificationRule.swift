/// How much of a notification may be shown. The SDK numbers the choices 0 to 2 (`notificationPolicy`).
public enum NotificationOutcome: DecisionOutcome {
  /// All of it.
  case shown
  /// A generic notice without organization data.
  case genericTextOnly
  /// Nothing.
  case hidden

  /// The name of the case.
  public var name: String { "\(self)" }
}

/// The rules of notifications.
package enum NotificationRule: UInt8, DecisionRule {
  /// S004 Identity overview.
  case unmanaged
  /// D: Org data notifications, Allow.
  case allowed
  /// D: an app that does not support the setting shows its notifications.
  case unsupported
  /// D: Org data notifications, Block org data; H:IntuneMAMPolicy.
  case organizationDataBlocked
  /// D: Org data notifications, Block.
  case blocked

  @inline(__always)
  package var row: RuleRow<NotificationOutcome> {
    switch self {
    case .unmanaged:
      RuleRow("notification.1", .shown, "no policy is in force for the account", when: "{account} is unmanaged")
    case .allowed:
      RuleRow(
        "notification.2", .shown, "the account's policy does not restrict notifications",
        when: "{account}'s notifications may be shown", reads: .setting { .notificationRestriction })
    case .unsupported:
      RuleRow(
        "notification.3", .shown, "the account's policy restricts notifications, and the app does not support that",
        when: "{account}'s notifications may be shown", reads: .setting { .notificationRestriction })
    case .organizationDataBlocked:
      RuleRow(
        "notification.4", .genericTextOnly, "notifications may show nothing of the organization",
        unless: "{account}'s notifications may be shown", reads: .setting { .notificationRestriction })
    case .blocked:
      RuleRow(
        "notification.5", .hidden, "the account's policy blocks notifications",
        unless: "{account}'s notifications may be shown", reads: .setting { .notificationRestriction })
    }
  }
}
