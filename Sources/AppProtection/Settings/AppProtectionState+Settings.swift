import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: SettingsChanged, _ context: EventContext) {
    settings.app = event.settings
  }

  mutating func fold(_ event: AllowedAccountsChanged, _ context: EventContext) {
    settings.allowedAccounts = event.isRestricted ? event.accounts.filter { accounts.contains($0) } : nil
  }

  mutating func fold(_ event: ManagedDeviceAccountChanged, _ context: EventContext) {
    guard let account = event.account else {
      settings.deviceAccount = nil
      return
    }
    if accounts.contains(account) { settings.deviceAccount = account }
  }
}
