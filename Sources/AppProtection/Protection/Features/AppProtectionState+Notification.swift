import EventSourcing

extension AppProtectionState {
  /// How much of a notification may be shown (`notificationPolicy`).
  ///
  /// - Parameters:
  ///   - account: the account that the notification is about; `nil` for none.
  ///   - isSupported: whether the app supports the setting.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func notification(for account: AccountNumber?, isSupported: Bool = true) -> Decision<NotificationOutcome> {
    var explanation = Explanation()
    return notification(for: account, isSupported: isSupported, explanation: &explanation)
  }

  package func notification(
    for account: AccountNumber?, isSupported: Bool = true, explanation: inout Explanation
  ) -> Decision<NotificationOutcome> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else { return decide(NotificationRule.unmanaged, of: account, in: &explanation) }
    let rule: NotificationRule =
      switch policy.notifications {
      case .allow: .allowed
      case .blockOrganizationalData: isSupported ? .organizationDataBlocked : .unsupported
      case .block, .unrecognized: isSupported ? .blocked : .unsupported
      }
    return decide(rule, of: account, in: &explanation)
  }
}
