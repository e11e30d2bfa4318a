import EventSourcing

/// Finds accounts by object id and by user principal name in a table that is too large to look through.
struct AccountNameIndex: Sendable {
  /// Looking through this many accounts is faster than an index.
  static let leastCount = 16

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

  private var rows = StateTable<Accounts>()

  /// The accounts that may have an object id.
  subscript(objectID: GUID) -> [AccountNumber] { rows[key: Self.hash(of: objectID)]?.accounts ?? [] }

  /// The accounts that may have a name.
  subscript(name: String) -> [AccountNumber] { rows[key: Self.hash(of: name)]?.accounts ?? [] }

  mutating func add(_ account: AccountNumber, _ reference: AccountReference) {
    for key in Self.keys(of: reference) {
      var accounts = rows[key: key]?.accounts ?? []
      let place = accounts.firstIndex { $0 >= account } ?? accounts.endIndex
      guard place == accounts.endIndex || accounts[place] != account else { continue }
      accounts.insert(account, at: place)
      rows.set(Accounts(key: key, accounts: accounts))
    }
  }

  mutating func remove(_ account: AccountNumber, _ reference: AccountReference) {
    for key in Self.keys(of: reference) {
      guard var accounts = rows[key: key]?.accounts else { continue }
      accounts.removeAll { $0 == account }
      if accounts.isEmpty { rows.remove(key) } else { rows.set(Accounts(key: key, accounts: accounts)) }
    }
  }

  private static func keys(of reference: AccountReference) -> [UInt64] {
    [reference.objectID.map(hash), reference.userPrincipalName.map(hash)].compactMap { $0 }
  }

  private static func hash(of objectID: GUID) -> UInt64 { objectID.high ^ objectID.low }

  /// The same for names that differ only in case. Differs between processes, which no answer shows.
  private static func hash(of name: String) -> UInt64 { UInt64(bitPattern: Int64(name.lowercased().hashValue)) }
}
