import EventSourcing

/// The app's settings, and what device management prescribes.
public struct SettingsSlice: Equatable, Sendable {
  /// The app's settings.
  public package(set) var app = AppSettings()
  /// The accounts that may sign in; `nil` allows all accounts, an empty list none.
  public internal(set) var allowedAccounts: [AccountNumber]?
  /// The account for which the device is managed; `nil` if it is not managed, or the user is unknown.
  public internal(set) var deviceAccount: AccountNumber?
  /// The source of that account; ``DeviceAccountSource/mdm`` without one.
  public internal(set) var deviceAccountSource = DeviceAccountSource.mdm
  /// What the token library uses in place of the app's property list.
  public internal(set) var overrides = TokenLibraryOverrides()

  init() {}

  /// Whether an account may sign in.
  public func allows(_ account: AccountNumber) -> Bool {
    allowedAccounts?.contains(account) ?? true
  }

  /// The settings, and beside them what device management prescribes.
  public func tree() -> StateTree {
    var members: [StateTree.Member] = []
    if case .members(let settings) = app.tree() { members = settings }
    members.append(
      .init("allowedAccounts", allowedAccounts.map { .list($0.map { .name($0.description) }) } ?? .unset))
    members.append(.init("deviceAccount", deviceAccount.map { .name($0.description) } ?? .unset))
    members.append(.init("deviceAccountSource", .name(deviceAccountSource.name)))
    members.append(.init("overrides", overrides.tree()))
    return .members(members)
  }
}

extension SettingsSlice: FormedMessage {
  /// The slice on the wire, where no restriction differs from an empty list by a flag.
  public struct Form: FieldList {
    var app = AppSettings.blank
    var isRestricted = false
    var allowedAccounts: [AccountNumber] = []
    var deviceAccount: AccountNumber?
    var deviceAccountSource = DeviceAccountSource.mdm
    var overrides = TokenLibraryOverrides()

    /// The value that decoding starts from.
    public static var blank: Self { Self() }

    public static func visit<V: FieldVisitor>(_ form: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "app", &form.app)
      try field(2, "isRestricted", &form.isRestricted)
      try field(3, "allowedAccounts", &form.allowedAccounts)
      try field(4, "deviceAccount", &form.deviceAccount)
      try field(5, "deviceAccountSource", &form.deviceAccountSource)
      try field(6, "overrides", &form.overrides, unless: TokenLibraryOverrides())
    }
  }

  /// The fields of this slice.
  public var form: Form {
    Form(
      app: app, isRestricted: allowedAccounts != nil, allowedAccounts: allowedAccounts ?? [],
      deviceAccount: deviceAccount, deviceAccountSource: deviceAccountSource, overrides: overrides)
  }

  /// The slice that the fields represent.
  public init(_ form: Form) {
    app = form.app
    allowedAccounts = form.isRestricted ? form.allowedAccounts : nil
    deviceAccount = form.deviceAccount
    deviceAccountSource = form.deviceAccountSource
    overrides = form.overrides
  }
}

/// The source of the device's account.
public enum DeviceAccountSource: Int, WireEnumeration {
  /// The device is enrolled with the service's own device management: another account is refused with 210 (T14).
  case mdm = 0
  /// Another management solution provides the account: another one is refused with 209 (T15).
  case emm = 1
}
