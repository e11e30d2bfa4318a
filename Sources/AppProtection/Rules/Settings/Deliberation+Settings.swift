import EventSourcing

extension Deliberation {
  mutating func changeSettings(_ settings: AppSettings) {
    guard settings != state.settings.app else { return }
    emit(.settingsChanged(SettingsChanged(settings: settings)))
  }

  /// The overrides hold until an account is unenrolled (S000 Configure MSAL settings).
  mutating func overrideSettings(_ overrides: TokenLibraryOverrides) throws(AppProtectionRejection) {
    let invalid = overrides.firstInvalid
    try require(
      invalid == nil, or: .invalidOverride(invalid ?? .authority), "every override is a value that can be used")
    guard overrides != state.settings.overrides else { return }
    emit(.settingsOverridden(SettingsOverridden(overrides: overrides)))
  }

  /// T35, T36: a list restricts which accounts may sign in; without a list, all may.
  mutating func setAllowedAccounts(_ references: [AccountReference]?) throws(AppProtectionRejection) {
    var allowed: [AccountNumber]?
    if let references {
      var numbers: Set<AccountNumber> = []
      for reference in references { numbers.insert(try resolve(reference)) }
      allowed = numbers.sorted()
    }
    guard allowed != state.settings.allowedAccounts else { return }
    emitForSignIns(
      .allowedAccountsChanged(AllowedAccountsChanged(isRestricted: allowed != nil, accounts: allowed ?? [])))
  }

  /// T37: the device is managed for an account, or for none.
  mutating func setDeviceAccount(
    _ reference: AccountReference?, _ source: DeviceAccountSource
  ) throws(AppProtectionRejection) {
    guard let reference else {
      guard state.settings.deviceAccount != nil else { return }
      emit(.managedDeviceAccountChanged(ManagedDeviceAccountChanged()))
      return
    }
    let account = try resolve(reference)
    guard account != state.settings.deviceAccount || source != state.settings.deviceAccountSource else { return }
    emit(.managedDeviceAccountChanged(ManagedDeviceAccountChanged(account: account, source: source)))
  }
}
