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
