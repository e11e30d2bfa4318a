import WireFormat

/// A row of a ``StateTable``.
public protocol TableRow: Message {
  /// What a table knows of many rows together.
  associatedtype Outline: TableOutline = Bool

  /// What the table finds the row by: one row has it, and it never changes. Rows are in its order. When a journal opens,
  /// it is asked for as ``KeyedRow/key`` is.
  var key: UInt64 { get }

  /// By what ``StateTable/first(after:among:where:)`` finds the row without looking at the others. It follows from the row: a
  /// rule about few rows of a large table asks for it.
  var outline: Outline { get }
}

extension TableRow where Outline == Bool {
  /// `false`: no rule looks for such rows.
  @inlinable public var outline: Bool { false }
}

/// What is known of some rows of a ``StateTable`` together, such as the earliest of their times: enough to tell that a rule
/// concerns none of them.
public protocol TableOutline: Equatable, Sendable {
  /// The outline of no rows.
  init()

  /// Adds other rows. In whatever order rows are added, their outline is the same.
  mutating func formUnion(_ other: Self)
}

/// Whether any of the rows is marked.
extension Bool: TableOutline {
  /// Marked if one of both is.
  @inlinable
  public mutating func formUnion(_ other: Bool) { self = self || other }
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
/// A value, like an array: a copy is O(1) and never sees later changes of the original. A table of up to 16 rows is an
/// array. Of a larger one, two copies share all rows but those that differ, and a change costs O(log n) however many
/// copies exist: it is a tree, which the keys alone determine.
///
/// **Digests.** In what the digest of a slice covers, up to 16 rows stand as in the slice's encoding. For more rows, one
/// element of their field is the summary of a tree. With `‖` for concatenation:
///
/// - the digest of a row: SHA-256 of a message of two fields, 1 its key as `sfixed64` and 2 its encoding
/// - the summary of up to 8 rows: `01` ‖ the digests of the rows in the order of their keys
/// - the summary of more rows: `02` ‖ the SHA-256 of the summary of each part in the order of their keys. The parts
///   differ in the highest octal digit in which any two of the keys differ.
///
/// The digests in a tree are computed when asked for and shared with the rows, so that the digest of a changed table
/// costs O(log n). Equal tables have equal digests, whatever the order in which their rows came. No row is encoded as a
/// summary is: its first byte would name field 0.
///
/// **Keys** are best numbered from 1 without gaps: rows are then found at once.
///
/// **Threads.** A value as any other: each thread may read and change its own copy.
public struct StateTable<Row: TableRow>: Sendable {
  @usableFromInline typealias Entry = TableEntry<Row>
  @usableFromInline typealias Node = TableNode<Row>

  /// How the rows are held, in one word: copying it retains one object.
  ///
  /// Unchecked because a node and its entries are changed only through the only reference to them.
  @usableFromInline
  enum Form: @unchecked Sendable {
    case small([Row])
    case large(Node)
  }

  @usableFromInline var form = Form.small([])

  /// All rows of a small table; none of a large one.
  @inlinable var rows: [Row] {
    @inline(__always)
    get { if case .small(let rows) = form { rows } else { [] } }
  }

  /// All rows of a large table.
  @inlinable var tree: Node? {
    @inline(__always)
    get { if case .large(let tree) = form { tree } else { nil } }
  }

  /// The most rows of a small table.
  @inlinable static var smallCapacity: Int { 16 }

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
    @inline(__always)
    get {
      switch form {
      case .small(let rows): Self.place(of: key, in: rows).map { rows[$0] }
      case .large(let tree): withExtendedLifetime(tree) { tree.address(key)?.pointee }
      }
    }
  }

  /// Passes the row with this key to `body` without copying it; `nil` if the table has none. O(log n).
  @inlinable @inline(__always)
  public func withRow<Result>(key: UInt64, _ body: (borrowing Row) -> Result) -> Result? {
    switch form {
    case .small(let rows): Self.place(of: key, in: rows).map { body(rows[$0]) }
    case .large(let tree): withExtendedLifetime(tree) { tree.address(key).map { body($0.pointee) } }
    }
  }

  /// Passes the address of each row, valid until `body` returns, in the order of the keys: passing the rows themselves would
  /// copy each. O(n).
  @inlinable @inline(__always)
  func forEachRow(_ body: (UnsafePointer<Row>) -> Void) {
    if let tree {
      tree.forEachRow(body)
    } else {
      rows.withUnsafeBufferPointer { rows in
        guard let first = rows.baseAddress else { return }
        for index in rows.indices { body(first + index) }
      }
    }
  }

  /// The first row, among those with higher keys if one is given, whose outline and which itself satisfy a condition.
  /// O(log n) for each row before it whose outline does.
  ///
  /// - Parameters:
  ///   - key: The key after which to look; `nil` for all rows.
  ///   - mayBe: The condition on outlines. That of several rows must satisfy it if that of any of them does.
  ///   - isWanted: The condition on rows.
  @inlinable
  public func first(
    after key: UInt64? = nil, among mayBe: (Row.Outline) -> Bool, where isWanted: (Row) -> Bool = { _ in true }
  ) -> Row? {
    if let tree { return tree.first(after: key, among: mayBe, where: isWanted) }
    return rows.withUnsafeBufferPointer { rows in
      for index in rows.indices where key.map({ rows[index].key > $0 }) ?? true {
        if mayBe(rows[index].outline), isWanted(rows[index]) { return rows[index] }
      }
      return nil
    }
  }

  /// The index of the row with this key; `nil` if the table has none. O(log n).
  @inlinable @inline(__always)
  public func index(ofKey key: UInt64) -> Int? {
    switch form {
    case .small(let rows): Self.place(of: key, in: rows)
    case .large(let tree): tree.index(of: key)
    }
  }

  /// The place of a key in a small table.
  @inlinable @inline(__always)
  static func place(of key: UInt64, in rows: [Row]) -> Int? {
    let guess = Int(truncatingIfNeeded: key &- 1)
    if rows.indices.contains(guess), rows[guess].key == key { return guess }
    return searchedPlace(of: key, in: rows)
  }

  @inlinable @inline(never) @_effects(readonly)
  static func searchedPlace(of key: UInt64, in rows: [Row]) -> Int? {
    let place = insertionPlace(of: key, in: rows)
    return place < rows.count && rows[place].key == key ? place : nil
  }

  /// The place of the first row of a small table whose key is not lower.
  @inlinable
  static func insertionPlace(of key: UInt64, in rows: [Row]) -> Int {
    rows.withUnsafeBufferPointer { rows in
      var place = rows.count
      while place > 0, rows[place - 1].key >= key { place -= 1 }
      return place
    }
  }

  /// Changes a row in place, if the table has it. The change must not modify the key. O(log n).
  @inlinable
  public mutating func update(_ key: UInt64, _ change: (inout Row) -> Void) {
    guard case .small(let rows) = form else {
      return changeTree { tree in
        if !Node.updateOwn(key, in: &tree, change), tree.address(key) != nil { Node.update(key, in: &tree, change) }
      }
    }
    guard let place = Self.place(of: key, in: rows) else { return }
    changeRows { rows in
      change(&rows[place])
      if rows[place].key != key { Row.refuse(rows[place].key, at: key) }
    }
  }

  /// Adds a row, or replaces the one with its key. O(log n).
  @inlinable
  public mutating func set(_ row: Row) {
    let key = row.key
    guard case .small(let rows) = form else {
      return changeTree { tree in
        if !Node.replace(with: row, in: &tree) { Node.insert(Entry.create(row), key, into: &tree) }
      }
    }
    let place = Self.insertionPlace(of: key, in: rows)
    changeRows { rows in
      if place < rows.count, rows[place].key == key { rows[place] = row } else { rows.insert(row, at: place) }
    }
    if count > Self.smallCapacity { self = StateTable(inOrder: self.rows) }
  }

  /// Removes a row, if the table has it. O(log n).
  @inlinable
  public mutating func remove(_ key: UInt64) {
    guard case .small(let rows) = form else {
      return changeTree { tree in
        if tree.address(key) != nil { Node.remove(key, from: &tree) }
      }
    }
    if let place = Self.place(of: key, in: rows) { changeRows { $0.remove(at: place) } }
  }

  /// A table of rows in the order of their keys.
  @inlinable
  init(inOrder rows: [Row]) {
    form = rows.count > Self.smallCapacity ? .large(Node.split(rows.map { Entry.create($0) }[...])) : .small(rows)
  }

  /// Changes the rows of a small table.
  @inlinable @inline(__always)
  mutating func changeRows(_ change: (inout [Row]) -> Void) {
    guard case .small(var rows) = form else { return }
    // Taken out, so that the array has one owner while it changes.
    form = .small([])
    change(&rows)
    form = .small(rows)
  }

  /// Changes the tree, and takes its rows back once the table is small.
  @inlinable
  mutating func changeTree(_ change: (inout Node) -> Void) {
    guard case .large(var tree) = form else { return }
    form = .small([])
    change(&tree)
    form = tree.count > Self.smallCapacity ? .large(tree) : .small(tree.allEntries.map(\.row))
  }

  /// Changes every row in place, in the order of their keys. O(n).
  @inlinable
  public mutating func updateAll(_ change: (inout Row) -> Void) {
    if tree == nil {
      changeRows { rows in
        for place in rows.indices { change(&rows[place]) }
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
    // The same array or tree, found without counting a reference: most tables do not change.
    if unsafeBitCast(one.form, to: UInt.self) == unsafeBitCast(other.form, to: UInt.self) { return true }
    return areEqual(one, other)
  }

  @inlinable @inline(never)
  static func areEqual(_ one: StateTable, _ other: StateTable) -> Bool {
    switch (one.tree, other.tree) {
    case (nil, nil): areEqual(one.rows, other.rows)
    case (let tree?, let other?): Node.correspond(tree, other, where: Node.areEqual)
    case (_?, nil), (nil, _?): false
    }
  }

  /// Compares the rows in place; an array's own comparison copies each.
  @inlinable
  static func areEqual(_ one: [Row], _ other: [Row]) -> Bool {
    one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        guard one.count == other.count else { return false }
        guard let first = one.baseAddress, let second = other.baseAddress, first != second else { return true }
        return one.indices.allSatisfy {
          SameBits.areSame(first + $0, second + $0, MemoryLayout<Row>.size) || areEqual(one[$0], other[$0])
        }
      }
    }
  }

  /// Compares two rows. Not inlined: where the optimizer sees the parts of rows compared, it copies the rows first.
  @inlinable @inline(never)
  static func areEqual(_ one: Row, _ other: Row) -> Bool { one == other }
}
