extension AppProtectionMachine {
  /// An event that brings an account a policy, with another one; `nil` for every other event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - account: The account.
  ///   - change: Returns the other policy.
  public static func rewriting(
    _ event: AppProtectionEvent, policyOf account: AccountNumber, _ change: (PolicyDocument) -> PolicyDocument
  ) -> AppProtectionEvent? {
    guard case .policyReceived(var received) = event, received.account == account else { return nil }
    received.document = change(received.document)
    return .policyReceived(received)
  }

  /// An event that changes the app's settings, with others; `nil` for every other event.
  public static func rewriting(
    _ event: AppProtectionEvent, settings change: (inout AppSettings) -> Void
  ) -> AppProtectionEvent? {
    guard case .settingsChanged(var changed) = event else { return nil }
    change(&changed.settings)
    return .settingsChanged(changed)
  }

  /// Gives an account another policy than it has in a state, as if it had been delivered instead; nothing else changes. An
  /// account without a policy stays so.
  public static func replacePolicy(
    of account: AccountNumber, in state: inout AppProtectionState, _ change: (PolicyDocument) -> PolicyDocument
  ) {
    guard let record = state.policies[account] else { return }
    state.policies.set(
      PolicyRecord(
        account: account, document: change(record.document), version: record.version, receivedBy: record.receivedBy,
        isEnforced: record.isEnforced))
  }

  /// The event that changes the app's settings in a state; `nil` if nothing changes.
  public static func changingSettings(
    in state: AppProtectionState, _ change: (inout AppSettings) -> Void
  ) -> AppProtectionEvent? {
    var settings = state.settings.app
    change(&settings)
    return settings == state.settings.app ? nil : .settingsChanged(SettingsChanged(settings: settings))
  }
}
