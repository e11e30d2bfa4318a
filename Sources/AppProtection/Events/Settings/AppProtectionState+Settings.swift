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
      settings.deviceAccountSource = .mdm
      return
    }
    guard accounts[account] != nil else { return }
    settings.deviceAccount = account
    settings.deviceAccountSource = event.source
  }
}
