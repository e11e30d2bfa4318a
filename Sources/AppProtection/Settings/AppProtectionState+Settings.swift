import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: SettingsChanged, _ context: EventContext) {
    settings.app = event.settings
  }

  mutating func fold(_ event: AllowedAccountsChanged, _ context: EventContext) {
    settings.allowedAccounts = event.isRestricted ? event.accounts.filter { accounts[$0] != nil } : nil
  }

  mutating func fold(_ event: ManagedDeviceAccountChanged, _ context: EventContext) {
    guard let account = event.account else {
      settings.deviceAccount = nil
      return
    }
    if accounts[account] != nil { settings.deviceAccount = account }
  }
}
