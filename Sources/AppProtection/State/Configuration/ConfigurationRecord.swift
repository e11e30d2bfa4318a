import EventSourcing

/// The configuration that the service delivered for one account.
public struct ConfigurationRecord: AccountRecord, FieldList {
  /// The account.
  public internal(set) var account: AccountNumber
  /// The delivered entries, in order.
  public internal(set) var entries: [ConfigurationEntry]
  /// The event that delivered it.
  public internal(set) var receivedBy: UInt64

  init(account: AccountNumber, entries: [ConfigurationEntry], receivedBy: UInt64) {
    self.account = account
    self.entries = entries
    self.receivedBy = receivedBy
  }

  /// The record for people.
  public func tree() -> StateTree {
    var members: [StateTree.Member] = [.init("receivedBy", .pending(receivedBy))]
    members += entries.enumerated().map { .init("\($0.offset + 1)", $0.element.tree()) }
    return .members(members)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, entries: [], receivedBy: 0) }

  public static func visit<V: FieldVisitor>(_ record: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &record.account, required: true, shown: false)
    try field(2, "entries", &record.entries, shown: false)
    try field(3, "receivedBy", &record.receivedBy, as: .sequence)
  }
}

/// The app's configuration: by device management for all accounts, and by the service for single accounts.
public struct ConfigurationSlice: FieldList {
  /// The configuration that device management delivers; `nil` if it delivers none.
  public internal(set) var device: DeviceConfiguration?
  /// The configurations that the service delivered, by account.
  public internal(set) var accounts = AccountTable<ConfigurationRecord>()

  init() {}

  /// The device's configuration, and the records under the names of their accounts.
  public func tree() -> StateTree {
    var members: [StateTree.Member] = [.init("device", device?.tree() ?? .value(.unset))]
    if case .members(let records) = accounts.tree() { members += records }
    return .members(members)
  }

  /// Compares the trees, without the records that both have.
  public func compare(with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    var (one, other) = (self, later)
    AccountTable.leaveOutCommonRecords(&one.accounts, &other.accounts)
    differ.compare(one.tree(), other.tree(), at: place)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ configuration: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "device", &configuration.device)
    try configuration.accounts.visit(2, "accounts", &field)
  }
}

/// The kind of a configured value.
public enum ConfigurationKind: Int, WireEnumeration {
  /// Text, which is all that the service's own channel delivers.
  case string = 0
  /// Yes or no: `true` or `false`.
  case boolean = 1
  /// A whole number.
  case integer = 2
  /// Any number.
  case real = 3
}
