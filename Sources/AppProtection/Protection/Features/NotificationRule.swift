/// What may be shown of a notification. The SDK numbers the choices 0 to 2 (`notificationPolicy`).
public enum NotificationOutcome: DecisionOutcome {
  /// All of it.
  case shown
  /// That there is something, and nothing of the organization.
  case genericTextOnly
  /// Nothing.
  case hidden

  /// The name of the case.
  public var name: String { "\(self)" }
}

/// The rules of notifications.
enum NotificationRule: CaseIterable, OutcomeRule {
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

  var id: String {
    switch self {
    case .unmanaged: "notification.1"
    case .allowed: "notification.2"
    case .unsupported: "notification.3"
    case .organizationDataBlocked: "notification.4"
    case .blocked: "notification.5"
    }
  }

  var outcome: NotificationOutcome {
    switch self {
    case .unmanaged, .allowed, .unsupported: .shown
    case .organizationDataBlocked: .genericTextOnly
    case .blocked: .hidden
    }
  }

  var reason: String {
    switch self {
    case .unmanaged: "no policy is in force for the account"
    case .allowed: "the account's policy does not restrict notifications"
    case .unsupported: "the account's policy restricts notifications, and the app does not support that"
    case .organizationDataBlocked: "notifications may show nothing of the organization"
    case .blocked: "the account's policy blocks notifications"
    }
  }

  var ground: DecisionGround { .notification(self) }
}
