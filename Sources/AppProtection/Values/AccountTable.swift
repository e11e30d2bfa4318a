import EventSourcing

/// Records of accounts in numeric order, at most one per account.
public struct AccountTable<Record: AccountRecord>: FieldList {
  /// The records in the order of their accounts.
  public private(set) var records: [Record] = []

  /// A table for a journal that knows no account yet.
  public init() {}

  /// The record of an account, if any. O(log n); O(1) while every account has a record.
  public subscript(account: AccountNumber) -> Record? {
    index(of: account).map { records[$0] }
  }

  /// The number of records.
  public var count: Int { records.count }

  /// Whether the table is empty.
  public var isEmpty: Bool { records.isEmpty }

  /// Changes an account's record in place, if it has one. The change must not modify the account.
  mutating func update(_ account: AccountNumber, _ change: (inout Record) -> Void) {
    guard let index = index(of: account) else { return }
    change(&records[index])
    assert(records[index].account == account)
  }

  /// Adds a record, or replaces its account's existing one.
  mutating func set(_ record: Record) {
    if let last = records.last, last.account >= record.account {
      let place = insertionIndex(of: record.account)
      if records[place].account == record.account {
        records[place] = record
      } else {
        records.insert(record, at: place)
      }
    } else {
      records.append(record)
    }
  }

  /// Removes an account's record, if it has one.
  mutating func remove(_ account: AccountNumber) {
    if let index = index(of: account) { records.remove(at: index) }
  }

  /// Changes every record in place, in the order of the accounts.
  mutating func updateAll(_ change: (inout Record) -> Void) {
    for index in records.indices { change(&records[index]) }
  }

  /// The index of an account's record in ``records``, for reading part of a record without copying it.
  func index(of account: AccountNumber) -> Int? {
    // Accounts are numbered from 1 without gaps, so the guess is right whenever every account has a record.
    let guess = Int(account.rawValue) - 1
    if guess < records.count && records[guess].account == account { return guess }
    let place = insertionIndex(of: account)
    return place < records.count && records[place].account == account ? place : nil
  }

  private func insertionIndex(of account: AccountNumber) -> Int {
    var low = 0
    var high = records.count
    while low < high {
      let middle = (low + high) / 2
      if records[middle].account < account { low = middle + 1 } else { high = middle }
    }
    return low
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
    try field(number, name, &records, shown: false, inOrder: { $0.account < $1.account })
    field.shown(number, name, part: self)
  }

  /// Whether two tables have equal records. Compares the records in place; an array's own comparison copies each.
  public static func == (one: Self, other: Self) -> Bool {
    one.records.withUnsafeBufferPointer { one in
      other.records.withUnsafeBufferPointer { other in
        one.count == other.count
          && (one.baseAddress == other.baseAddress || one.indices.allSatisfy { one[$0] == other[$0] })
      }
    }
  }

  /// The records as members named after the accounts.
  public func tree() -> StateTree {
    .members(records.map { StateTree.Member($0.account.description, $0.tree()) })
  }
}

/// A slice's record of one account.
public protocol AccountRecord: Message {
  /// The account.
  var account: AccountNumber { get }
}
