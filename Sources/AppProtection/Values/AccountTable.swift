import EventSourcing

/// Records of accounts in numeric order, at most one per account.
public struct AccountTable<Record: AccountRecord>: FieldList {
  /// The records in the order of their accounts.
  public private(set) var records = StateTable<Record>()

  /// Finds the records of a large table by what else their accounts are known by. Derived from the records.
  private(set) var names = Record.Index(of: StateTable<Record>())

  public static var derivedProperties: [String] { ["names"] }

  /// A table for a journal that knows no account yet.
  public init() {}

  /// The record of an account, if any. O(log n).
  public subscript(account: AccountNumber) -> Record? { records[key: account.key] }

  /// A part of an account's record, if it has one, without copying the record. O(log n).
  @inline(__always)
  func read<Part>(_ account: AccountNumber, _ part: (borrowing Record) -> Part) -> Part? {
    records.withRow(key: account.key, part)
  }

  /// The number of records.
  public var count: Int { records.count }

  /// Whether the table is empty.
  public var isEmpty: Bool { records.isEmpty }

  /// Changes an account's record in place, if it has one. The change must not modify the account.
  package mutating func update(_ account: AccountNumber, _ change: (inout Record) -> Void) {
    changing(account) { $0.update(account.key, change) }
  }

  /// Adds a record, or replaces its account's existing one.
  package mutating func set(_ record: Record) {
    changing(record.account) { $0.set(record) }
  }

  /// Removes an account's record, if it has one.
  mutating func remove(_ account: AccountNumber) {
    changing(account) { $0.remove(account.key) }
  }

  /// Changes the record of an account, and the index with it.
  private mutating func changing(_ account: AccountNumber, _ change: (inout StateTable<Record>) -> Void) {
    let before = names.isUsed ? records.withRow(key: account.key) { $0.reference } ?? nil : nil
    change(&records)
    assert(records.withRow(key: account.key) { $0.account } ?? account == account, "a record has another's account")
    names.follow(before, account, in: records)
  }

  /// Changes every record in place, in the order of the accounts.
  mutating func updateAll(_ change: (inout Record) -> Void) {
    records.updateAll(change)
    if names.isUsed { names = Record.Index(of: records) }
  }

  /// The records whose outlines satisfy a condition, in the order of the accounts. O(log n) for each.
  func records(among mayBe: (Record.Outline) -> Bool) -> [Record] {
    var found: [Record] = []
    while let next = records.first(after: found.last?.key, among: mayBe) { found.append(next) }
    assert(found.isAscending { $0.key < $1.key }, "records are not in the order of their accounts")
    return found
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

  /// Seals or opens the personal data of the records, and indexes the accounts by what can be read.
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {
    try Self.visit(&self, &pass)
    names = Record.Index(of: records)
  }

  /// Visits the records as elements of one field; the order of the accounts must rise.
  mutating func visit<V: FieldVisitor>(
    _ number: Int, _ name: StaticString, _ field: inout V
  ) throws(V.Failure) {
    let before = records.count
    try field(number, name, &records, shown: false)
    if records.count != before { names = Record.Index(of: records) }
    field.shown(number, name, part: self)
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
  /// What finds records other than by account.
  associatedtype Index: AccountIndex = NoAccountIndex

  /// The account.
  var account: AccountNumber { get }
  /// What the account is known by, if this record says so.
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

extension AccountTable {
  /// Compares the records of tables with the same accounts one by one, and other tables as trees. Costs what differs.
  public func compare(with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    var (one, other) = (self, later)
    Self.leaveOutCommonRecords(&one, &other)
    let haveSameAccounts = StateTable.forEachDifference(one.records, other.records) { record, next in
      let part = differ.part(key: record.account.key, { record.account.description }, of: place)
      record.compare(with: next, at: part, differ)
    }
    if !haveSameAccounts { differ.compare(one.tree(), other.tree(), at: place) }
  }

  /// The part of one record, or the tree of all.
  public func part(at names: ArraySlice<Substring>) -> StateTree? {
    guard let name = names.first else { return tree() }
    return AccountNumber(name).flatMap { self[$0] }?.part(at: names.dropFirst())
  }
}
