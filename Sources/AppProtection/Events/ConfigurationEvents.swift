import EventSourcing

/// `settings.changed`: the settings of the app changed.
public struct SettingsChanged: EventPayload {
  /// All settings after this event.
  public var settings: AppSettings

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      10, "settings.changed",
      meaning: "The settings of the app are others than those that were last known.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(settings: .blank) }

  public func describe(in headline: Headline) {
    headline.addChanges(below: "/settings/")
    if headline.text.isEmpty { headline.add("the app's settings") }
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "settings", &event.settings, required: true, "all settings from here on")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.settings.app = event.settings
  }
}

/// `allowedAccounts.changed`: device management restricts which accounts may sign in, or lifts the restriction.
public struct AllowedAccountsChanged: EventPayload {
  /// Whether only the listed accounts may sign in; false allows all accounts.
  public var isRestricted = false
  /// The accounts that may sign in.
  public var accounts: [AccountNumber] = []

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      11, "allowedAccounts.changed",
      meaning: "Device management restricts which accounts may sign in, or lifts the restriction.",
      remedy: "Sign out every account that is not in the list.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func describe(in headline: Headline) {
    headline.add(isRestricted ? "only these may sign in: " : "every account may sign in")
    if isRestricted { headline.add(accounts) }
    headline.cover(below: "/settings/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(
      1, "isRestricted", &event.isRestricted, "whether only the listed accounts may sign in; false lets everybody in")
    try field(2, "accounts", &event.accounts, "the accounts that may sign in")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.settings.allowedAccounts = event.isRestricted ? event.accounts.filter { state.accounts[$0] != nil } : nil
  }
}

/// `deviceAccount.changed`: device management names a different user of the device, or no longer names one.
public struct ManagedDeviceAccountChanged: EventPayload {
  /// The user for whom the device is managed; none when it is not managed.
  public var account: AccountNumber?
  /// The source of this information.
  public var source = DeviceAccountSource.mdm

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      12, "deviceAccount.changed",
      meaning: "Device management names another user of the device, or none any more.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func describe(in headline: Headline) {
    if let account {
      headline.add("the device is managed for ")
      headline.add([account])
    } else {
      headline.add("the device is not managed")
    }
    headline.add(", says ")
    headline.add(source)
    headline.cover(below: "/settings/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(
      1, "account", &event.account, cardinality: .single,
      "the user for whom the device is managed; none when it is not managed")
    try field(2, "source", &event.source, "who says so")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard let account = event.account else {
      state.settings.deviceAccount = nil
      state.settings.deviceAccountSource = .mdm
      return
    }
    guard state.accounts[account] != nil else { return }
    state.settings.deviceAccount = account
    state.settings.deviceAccountSource = event.source
  }
}

/// `deviceConfiguration.changed`: the configuration from device management changed.
public struct DeviceConfigurationChanged: EventPayload {
  /// Whether a configuration exists.
  public var isDelivered = false
  /// The device that device management names.
  public var deviceID: GUID?
  /// Whether only the account of the device may sign in.
  public var restrictsAccounts = false
  /// The other values, and those of ``DeviceConfigurationKey`` that cannot be used.
  public var values: [ConfigurationValue] = []

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      13, "deviceConfiguration.changed",
      meaning: "What device management configures the app with is other than before.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  /// Passes nothing: the configuration belongs to the device and to no account, so no key seals it that goes with a person.
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {}

  public func describe(in headline: Headline) {
    if isDelivered {
      headline.add(values.count, "value")
      if deviceID != nil { headline.add(", the device is named") }
      if restrictsAccounts { headline.add(", only the device's account may sign in") }
    } else {
      headline.add("the configuration was taken away")
    }
    headline.cover(below: "/configuration/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "isDelivered", &event.isDelivered, "whether there is a configuration; false takes it away")
    try field(2, "deviceID", &event.deviceID, privacy: .account, "the device that device management names")
    try field(3, "restrictsAccounts", &event.restrictsAccounts, "whether only the account of the device may sign in")
    try field(4, "values", &event.values, "the other values, in the order of their keys")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard event.isDelivered else {
      state.configuration.device = nil
      return
    }
    var device = DeviceConfiguration()
    device.deviceID = event.deviceID
    device.restrictsAccounts = event.restrictsAccounts
    device.values = event.values
    state.configuration.device = device
  }
}

/// `settings.overridden`: the app overrides what its property list says to the token library, or no longer does.
public struct SettingsOverridden: EventPayload {
  /// All overrides after this event.
  public var overrides: TokenLibraryOverrides

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      14, "settings.overridden",
      meaning: "The app overrides what its property list says to the token library, or no longer does.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(overrides: TokenLibraryOverrides()) }

  public func describe(in headline: Headline) {
    headline.addChanges(below: "/settings/overrides/")
    if headline.text.isEmpty { headline.add("what the token library uses") }
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "overrides", &event.overrides, required: true, "all overrides from here on")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.settings.overrides = event.overrides
  }
}

/// `configuration.received`: the service delivered the configuration of an account.
public struct ConfigurationReceived: PersonalEventPayload {
  public var account: AccountNumber
  /// The delivered entries, in order.
  public var entries: [ConfigurationEntry] = []

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      82, "configuration.received",
      meaning: "The service delivered the configuration of an account; it applies at once.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(entries.reduce(0) { $0 + $1.values.count }, "value")
    headline.cover(below: "/configuration/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "entries", &event.entries, "what was delivered, in its order")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts[event.account]?.enrollment.status.isEnrolled == true else { return }
    state.configuration.accounts.set(
      ConfigurationRecord(account: event.account, entries: event.entries, receivedBy: context.sequence))
  }
}

/// `configuration.withdrawn`: no configuration targets an account any longer.
public struct ConfigurationWithdrawn: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      83, "configuration.withdrawn", meaning: "No configuration is meant for an account any more.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("no configuration any more")
    headline.cover(below: "/configuration/")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.configuration.accounts.remove(event.account)
  }
}

extension AppProtectionState {
  /// Ends the overrides: an account was unenrolled (S000 Configure MSAL settings).
  mutating func endOverrides() {
    // An unchanged slice is not touched, so that comparing it stays free.
    if settings.overrides != TokenLibraryOverrides() { settings.overrides = TokenLibraryOverrides() }
  }
}

extension AppProtectionState {
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
