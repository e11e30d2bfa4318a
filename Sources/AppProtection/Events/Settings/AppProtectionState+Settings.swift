import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: SettingsChanged, _ context: EventContext) {
    settings.app = event.settings
  }

  mutating func fold(_ event: SettingsOverridden, _ context: EventContext) {
    settings.overrides = event.overrides
  }

  /// Ends the overrides: an account was unenrolled (S000 Configure MSAL settings).
  mutating func endOverrides() {
    // An unchanged slice is not touched, so that comparing it stays free.
    if settings.overrides != TokenLibraryOverrides() { settings.overrides = TokenLibraryOverrides() }
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
