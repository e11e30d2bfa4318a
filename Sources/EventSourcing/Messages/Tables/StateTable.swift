import WireFormat

/// A row of a ``StateTable``.
public protocol TableRow: Message {
  /// What the table finds the row by: one row has it, and it never changes. Rows are in its order.
  var key: UInt64 { get }

  /// Whether the row is among those that ``StateTable/firstMarked(after:where:)`` finds without looking at the others;
  /// a rule about few rows of a large table marks them.
  var isMarked: Bool { get }
}

extension TableRow {
  /// `false`: no row is marked.
  @inlinable public var isMarked: Bool { false }
}

/// Rows in the order of their keys, for parts of a state that can grow.
///
/// ```swift
/// var accounts = StateTable<LedgerAccount>()
/// accounts.set(LedgerAccount(number: 7, balance: 0))
/// accounts.update(7) { $0.balance += 100 }
/// accounts[key: 7]?.balance  // 100
/// ```
///
/// A value, like an array: a copy is O(1) and never sees later changes of the original. Unlike those of an array, two
/// copies share all rows but those that differ, and a change costs O(log n) however many copies exist. A table of up to
/// 16 rows is an array of references to rows; a larger one is a tree of such arrays, which the keys alone determine.
///
/// **Digests.** Each row has a digest, and so has each node of the tree; they are computed when asked for and shared
/// with the rows, so that the digest of a changed table costs O(log n). With `‖` for concatenation:
///
/// - a row: SHA-256 of a message of two fields, 1 its key as `sfixed64` and 2 its encoding
/// - up to 16 rows: `01` ‖ the digests of the rows in the order of their keys
/// - more rows: `02` ‖ the digests of the parts in the order of their keys. The parts differ in the highest hexadecimal
///   digit in which any two of the keys differ; the digest of each is the SHA-256 of what it would be as a table.
///
/// These bytes stand for the table in what the digest of its slice covers.
/// Equal tables therefore have equal digests, whatever the order in which their rows came.
///
/// **Keys** are best numbered from 1 without gaps: the rows of a small table are then found at once.
///
/// **Threads.** A value as any other: each thread may read and change its own copy.
public struct StateTable<Row: TableRow>: Sendable {
  @usableFromInline typealias Entry = TableEntry<Row>
  @usableFromInline typealias Node = TableNode<Row>

  /// All rows while a leaf holds them; otherwise none.
  @usableFromInline var entries: [Entry] = []
  /// All rows if a leaf does not hold them.
  @usableFromInline var tree: Node?

  /// Creates an empty table.
  @inlinable
  public init() {}

  /// Creates a table of rows; of several with the same key, the last one counts. O(n log n).
  @inlinable
  public init(_ rows: some Sequence<Row>) {
    for row in rows { set(row) }
  }

  /// A copy of the row with this key; `nil` if the table has none. O(log n).
  @inlinable
  public subscript(key key: UInt64) -> Row? {
    if let tree { return tree.entry(key)?.row }
    return place(of: key).map { entries[$0].row }
  }

  /// Passes the row with this key to `body` without copying it; `nil` if the table has none. O(log n).
  @inlinable @inline(__always)
  public func withRow<Result>(key: UInt64, _ body: (borrowing Row) -> Result) -> Result? {
    if let tree { return tree.entry(key).map { body($0.address.pointee) } }
    return place(of: key).map { body(entries[$0].address.pointee) }
  }

  /// The first marked row, among those with higher keys if one is given, that satisfies a condition. O(log n) for each
  /// marked row before it.
  @inlinable
  public func firstMarked(after key: UInt64? = nil, where isWanted: (Row) -> Bool = { _ in true }) -> Row? {
    guard let tree else { return Node.firstMarked(entries, after: key, where: isWanted)?.row }
    return tree.firstMarked(after: key, where: isWanted)?.row
  }

  /// The index of the row with this key; `nil` if the table has none. O(log n).
  @inlinable
  public func index(ofKey key: UInt64) -> Int? {
    if let tree { return tree.index(of: key) }
    return place(of: key)
  }

  /// The place of a key in a small table.
  @inlinable @inline(__always)
  func place(of key: UInt64) -> Int? {
    let guess = Int(truncatingIfNeeded: key &- 1)
    if entries.indices.contains(guess), entries[guess].key == key { return guess }
    let place = Node.place(of: key, in: entries)
    return place < entries.count && entries[place].key == key ? place : nil
  }

  /// Changes a row in place, if the table has it. The change must not modify the key. O(log n).
  @inlinable
  public mutating func update(_ key: UInt64, _ change: (inout Row) -> Void) {
    if tree != nil {
      changeTree { tree in
        if tree.entry(key) != nil { Node.update(key, in: &tree, change) }
      }
    } else if let place = place(of: key) {
      Entry.makeUnique(&entries[place])
      change(&entries[place].address.pointee)
      assert(entries[place].key == key)
    }
  }

  /// Adds a row, or replaces the one with its key. O(log n).
  @inlinable
  public mutating func set(_ row: Row) {
    let key = row.key
    if tree != nil {
      changeTree { Node.insert(Entry(row), key, into: &$0) }
      return
    }
    let place = Node.place(of: key, in: entries)
    if place < entries.count, entries[place].key == key {
      entries[place] = Entry(row)
    } else {
      entries.insert(Entry(row), at: place)
      guard entries.count > Node.leafCapacity else { return }
      tree = Node.split(entries)
      entries = []
    }
  }

  /// Removes a row, if the table has it. O(log n).
  @inlinable
  public mutating func remove(_ key: UInt64) {
    if tree != nil {
      changeTree { tree in
        if tree.entry(key) != nil { Node.remove(key, from: &tree) }
      }
    } else if let place = place(of: key) {
      entries.remove(at: place)
    }
  }

  /// Changes the tree, and takes its rows back once they fit into a leaf.
  @inlinable
  mutating func changeTree(_ change: (inout Node) -> Void) {
    // Taken out, so that the tree has one owner while it changes.
    guard var node = tree.take() else { return }
    change(&node)
    if node.isLeaf { entries = node.entries } else { tree = node }
  }

  /// Changes every row in place, in the order of their keys. O(n).
  @inlinable
  public mutating func updateAll(_ change: (inout Row) -> Void) {
    if tree == nil {
      for place in entries.indices {
        Entry.makeUnique(&entries[place])
        change(&entries[place].address.pointee)
      }
    } else {
      for key in map(\.key) { update(key, change) }
    }
  }
}

extension StateTable: Equatable {
  /// Whether two tables have equal rows. O(1) for a part that both share.
  @inlinable
  public static func == (one: StateTable, other: StateTable) -> Bool {
    switch (one.tree, other.tree) {
    case (nil, nil): Node.areEqual(one.entries, other.entries)
    case (let tree?, let other?): Node.areEqual(tree, other)
    case (_?, nil), (nil, _?): false
    }
  }
}

extension TableNode {
  @inlinable
  static func areEqual(_ one: [Entry], _ other: [Entry]) -> Bool {
    one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        one.count == other.count
          && (one.baseAddress == other.baseAddress || one.indices.allSatisfy { Entry.areEqual(one[$0], other[$0]) })
      }
    }
  }

  @inlinable
  static func areEqual(_ one: TableNode, _ other: TableNode) -> Bool {
    one === other
      || (one.count == other.count && one.digits == other.digits && one.shift == other.shift
        && areEqual(one.entries, other.entries) && one.parts.count == other.parts.count
        && zip(one.parts, other.parts).allSatisfy(areEqual))
  }
}
