import EventSourcing

/// Records of accounts in numeric order, at most one per account.
public struct AccountTable<Record: AccountRecord>: FieldList {
  /// The records in the order of their accounts.
  public private(set) var records = StateTable<Record>()

  /// Finds the records of a large table by the names of their accounts. Derived from the records.
  private var names: AccountNameIndex?

  /// A table for a journal that knows no account yet.
  public init() {}

  /// The record of an account, if any. O(log n).
  public subscript(account: AccountNumber) -> Record? { records[key: account.key] }

  /// The number of records.
  public var count: Int { records.count }

  /// Whether the table is empty.
  public var isEmpty: Bool { records.isEmpty }

  /// Changes an account's record in place, if it has one. The change must not modify the account.
  mutating func update(_ account: AccountNumber, _ change: (inout Record) -> Void) {
    guard names != nil else { return records.update(account.key, change) }
    let before = records.withRow(key: account.key) { $0.reference } ?? nil
    records.update(account.key, change)
    note(before, account)
  }

  /// Adds a record, or replaces its account's existing one.
  mutating func set(_ record: Record) {
    let before = names == nil ? nil : records.withRow(key: record.key) { $0.reference } ?? nil
    records.set(record)
    note(before, record.account)
  }

  /// Removes an account's record, if it has one.
  mutating func remove(_ account: AccountNumber) {
    let before = names == nil ? nil : records.withRow(key: account.key) { $0.reference } ?? nil
    records.remove(account.key)
    note(before, account)
  }

  /// Corrects the index after a change of an account's record.
  private mutating func note(_ before: AccountReference?, _ account: AccountNumber) {
    guard records.count > AccountNameIndex.leastCount else {
      names = nil
      return
    }
    if names == nil { return indexNames() }
    let after = records.withRow(key: account.key) { $0.reference } ?? nil
    guard before != after else { return }
    if let before { names?.remove(account, before) }
    if let after { names?.add(account, after) }
  }

  private mutating func indexNames() {
    guard records.count > AccountNameIndex.leastCount, records.first?.reference != nil else { return }
    var index = AccountNameIndex()
    for record in records { if let reference = record.reference { index.add(record.account, reference) } }
    names = index
  }

  /// The accounts that may have an object id, in order; `nil` if any may.
  func candidates(for objectID: GUID) -> [AccountNumber]? { names?[objectID] }

  /// The accounts that may have a user principal name, in order; `nil` if any may.
  func candidates(named name: String) -> [AccountNumber]? { names?[name] }

  /// Changes every record in place, in the order of the accounts.
  mutating func updateAll(_ change: (inout Record) -> Void) {
    records.updateAll(change)
    if names != nil { indexNames() }
  }

  /// The accounts of the marked records. O(log n) for each.
  var marked: [AccountNumber] {
    var accounts: [AccountNumber] = []
    while let next = records.firstMarked(after: accounts.last?.key) { accounts.append(next.account) }
    return accounts
  }

  /// The index of an account's record in ``records``, for reading part of a record without copying it.
  func index(of account: AccountNumber) -> Int? { records.index(ofKey: account.key) }

  /// Removes records that two tables share, so that comparing what is left costs what differs.
  static func leaveOutCommonRecords(_ one: inout Self, _ other: inout Self) {
    StateTable.leaveOutCommonRows(&one.records, &other.records)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  /// A table that is a slice of its own has its records in field 1.
  public static func visit<V: FieldVisitor>(_ table: inout Self, _ field: inout V) throws(V.Failure) {
    try table.visit(1, "accounts", &field)
  }

  /// Visits the records as elements of one field; the order of the accounts must rise.
  mutating func visit<V: FieldVisitor>(
    _ number: Int, _ name: StaticString, _ field: inout V
  ) throws(V.Failure) {
    let before = records.count
    try field(number, name, &records, shown: false)
    if records.count != before { indexNames() }
    field.shown(name, tree())
  }

  /// Whether two tables have equal records.
  public static func == (one: Self, other: Self) -> Bool { one.records == other.records }

  /// The records as members named after the accounts.
  public func tree() -> StateTree {
    .members(records.map { StateTree.Member($0.account.description, $0.tree()) })
  }
}

/// A slice's record of one account.
public protocol AccountRecord: TableRow {
  /// The account.
  var account: AccountNumber { get }
  /// What the account is found by, if this record says so.
  var reference: AccountReference? { get }
}

extension AccountRecord {
  /// The account's number.
  public var key: UInt64 { account.key }
  /// `nil`: the record does not name its account.
  public var reference: AccountReference? { nil }
}

extension AccountNumber {
  /// The number, as tables find it.
  var key: UInt64 { UInt64(rawValue) }
}
