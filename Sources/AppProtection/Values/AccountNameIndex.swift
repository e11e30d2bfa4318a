import EventSourcing

/// Finds the records of a table by what their accounts are known by. Derived from the records.
public protocol AccountIndex: Sendable {
  /// An index of records.
  init(of records: StateTable<some AccountRecord>)

  /// Whether it has entries to keep up to date.
  var isUsed: Bool { get }

  /// Follows the change of an account's record, which said `before` until then.
  mutating func follow(
    _ before: AccountReference?, _ account: AccountNumber, in records: StateTable<some AccountRecord>)
}

/// No index: records are found by their accounts alone.
public struct NoAccountIndex: AccountIndex {
  /// Does nothing.
  public init(of records: StateTable<some AccountRecord>) {}

  /// `false`.
  public var isUsed: Bool { false }

  /// Does nothing.
  public mutating func follow(
    _ before: AccountReference?, _ account: AccountNumber, in records: StateTable<some AccountRecord>
  ) {}
}

/// Finds accounts by object id and by user principal name in a table that is too large to look through.
public struct AccountNameIndex: AccountIndex {
  /// Looking through this many accounts is faster than an index.
  private static let leastCount = 16

  /// The accounts whose object id or name has one hash.
  private struct Accounts: TableRow, FieldList {
    var key: UInt64
    /// In the order of their numbers.
    var accounts: [AccountNumber]

    static var blank: Self { Self(key: 0, accounts: []) }

    static func visit<V: FieldVisitor>(_ row: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "key", &row.key, required: true)
      try field(2, "accounts", &row.accounts)
    }
  }

  /// `nil` for a small table.
  private var rows: StateTable<Accounts>?

  /// An index of a large table.
  public init(of records: StateTable<some AccountRecord>) {
    guard records.count > Self.leastCount else { return }
    rows = StateTable()
    for record in records { if let reference = record.reference { add(record.account, reference) } }
  }

  /// Whether the table is large.
  public var isUsed: Bool { rows != nil }

  /// Follows the change of a record, and of the size of the table.
  public mutating func follow(
    _ before: AccountReference?, _ account: AccountNumber, in records: StateTable<some AccountRecord>
  ) {
    defer { checkInvariants(account, in: records) }
    guard isUsed, records.count > Self.leastCount else {
      if isUsed != (records.count > Self.leastCount) { self = AccountNameIndex(of: records) }
      return
    }
    let after = records.withRow(key: account.key) { $0.reference } ?? nil
    guard before != after else { return }
    if let before { remove(account, before) }
    if let after { add(account, after) }
  }

  /// The accounts that may have an object id, in order; `nil` if any may.
  subscript(objectID: GUID) -> [AccountNumber]? {
    rows.map { $0[key: Self.hash(of: objectID)]?.accounts ?? [] }
  }

  /// The accounts that may have a name, in order; `nil` if any may.
  subscript(name: String) -> [AccountNumber]? { rows.map { $0[key: Self.hash(of: name)]?.accounts ?? [] } }

  private mutating func add(_ account: AccountNumber, _ reference: AccountReference) {
    for key in Self.keys(of: reference) {
      var accounts = rows?[key: key]?.accounts ?? []
      let place = accounts.firstIndex { $0 >= account } ?? accounts.endIndex
      guard place == accounts.endIndex || accounts[place] != account else { continue }
      accounts.insert(account, at: place)
      rows?.set(Accounts(key: key, accounts: accounts))
    }
  }

  private mutating func remove(_ account: AccountNumber, _ reference: AccountReference) {
    for key in Self.keys(of: reference) {
      guard var accounts = rows?[key: key]?.accounts else { continue }
      accounts.removeAll { $0 == account }
      if accounts.isEmpty { rows?.remove(key) } else { rows?.set(Accounts(key: key, accounts: accounts)) }
    }
  }

  /// What holds after the change of an account's record.
  private func checkInvariants(_ account: AccountNumber, in records: StateTable<some AccountRecord>) {
    assert(isUsed == (records.count > Self.leastCount), "an index of \(records.count) records")
    assert(finds(account, records.withRow(key: account.key) { $0.reference } ?? nil), "\(account) is not found")
  }

  /// Whether an account is found by everything that it is known by, among others in the order of their numbers.
  private func finds(_ account: AccountNumber, _ reference: AccountReference?) -> Bool {
    guard let rows, let reference else { return true }
    return Self.keys(of: reference).allSatisfy { key in
      let accounts = rows[key: key]?.accounts ?? []
      return accounts.contains(account) && accounts.isAscending(by: <)
    }
  }

  private static func keys(of reference: AccountReference) -> [UInt64] {
    [reference.objectID.map(hash), reference.userPrincipalName.map(hash)].compactMap { $0 }
  }

  private static func hash(of objectID: GUID) -> UInt64 { objectID.high ^ objectID.low }

  /// The same for names that differ only in case. Differs between processes, which no answer shows.
  private static func hash(of name: String) -> UInt64 { UInt64(bitPattern: Int64(name.lowercased().hashValue)) }
}
