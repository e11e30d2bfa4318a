import EventSourcing

extension AppProtectionState {
  mutating func fold(_ event: DeviceConfigurationChanged, _ context: EventContext) {
    guard event.isDelivered else {
      configuration.device = nil
      return
    }
    var device = DeviceConfiguration()
    device.deviceID = event.deviceID
    device.restrictsAccounts = event.restrictsAccounts
    device.values = event.values
    configuration.device = device
  }

  mutating func fold(_ event: ConfigurationReceived, _ context: EventContext) {
    guard accounts[event.account]?.enrollment.status.isEnrolled == true else { return }
    configuration.accounts.set(
      ConfigurationRecord(account: event.account, entries: event.entries, receivedBy: context.sequence))
  }

  mutating func fold(_ event: ConfigurationWithdrawn, _ context: EventContext) {
    configuration.accounts.remove(event.account)
  }

  /// The configuration of an account (`appConfig`): empty until it is enrolled, and when the service has delivered none. Each
  /// ``UserPlaceholder`` is replaced by what is known about the account.
  public func appConfiguration(for account: AccountNumber) -> AppConfiguration {
    AppConfiguration(
      configurationEntries(for: account), convertsText: settings.app.assumptions.configurationTextConverts)
  }

  /// The configuration of an account with its placeholders replaced. What cannot be read stays sealed, so that a replay without
  /// keys sees it change.
  func configurationEntries(for account: AccountNumber) -> [ConfigurationEntry] {
    guard let record = accounts[account], record.enrollment.status.isEnrolled else { return [] }
    return configuration.accounts[account]?.entries.map { $0.filled(for: record) } ?? []
  }

  /// Whether the device counts as managed for policies that apply to managed or unmanaged devices only
  /// (`targetedAppManagementLevels`). The account that device management names decides; a device's id without a user
  /// does not (T38).
  public var isManagedDevice: Bool { settings.deviceAccount != nil }

  /// Where the app's policy comes from (`mamPolicySource`). How it follows the device's account is not published.
  public var policySource: PolicySource {
    if settings.app.assumptions.policySourceRule == .followsDevice && isManagedDevice { return .mdm }
    return policies.isEmpty ? .other : .mam
  }
}
