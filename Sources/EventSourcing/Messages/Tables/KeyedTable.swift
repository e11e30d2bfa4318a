import WireFormat

/// A row of a ``KeyedTable``, such as a book that its ISBN names.
public protocol KeyedRow: Message {
  /// What names the row, such as a text or a ``GUID``.
  associatedtype Key: FieldKey & LosslessStringConvertible

  /// What the table finds the row by: one row has it, and it never changes. Paths have it as a name, which tools show to those who
  /// may see the fields that it comes from: a key from a field of the class ``Privacy/account`` is withheld. It must not come from
  /// a ``Personal`` property, which is empty while events are folded, and so the same for all: no journal opens where the list of
  /// fields shows that it does. For that, the key of a blank row is asked for when a journal opens, with each personal text as
  /// sixteen `0`, as sixteen `1`, as twenty-four `0` and as none: it must not trap then.
  ///
  /// Where a row has personal fields, at any depth, keys of rows are also compared that differ in one of them, or in one
  /// of them and another field: it must not trap for any values of the fields. Where these are too many, or a field takes
  /// none of the values that are tried, the key counts as personal.
  var key: Key { get }

  /// Where the table keeps the row. Keys with one number are found one after the other, so different keys should have different
  /// numbers.
  ///
  /// The default is the first eight bytes, most significant first, of the SHA-256 of the key as a field 1: no user can choose
  /// keys that have one number. Keys that are random need no hash: eight of their bytes do. Another function is another order
  /// of the rows in checkpoints and digests: raise ``Reducer/revision`` with it.
  static func number(of key: Key) -> UInt64
}

extension KeyedRow {
  /// From the SHA-256 of the key.
  @inlinable
  public static func number(of key: Key) -> UInt64 {
    var writer = WireWriter()
    Key.Coding.write(key, to: 1, of: &writer)
    return Digest.sha256(writer).inOrder.0
  }
}

/// Rows that a text, a GUID or another ``FieldKey`` names, for parts of a state that can grow.
///
/// ```swift
/// var books = KeyedTable<Book>()
/// books.set(Book(key: "978-0-14-044913-6", copies: 2))
/// books.update("978-0-14-044913-6") { $0.copies += 1 }
/// books["978-0-14-044913-6"]?.copies  // 3
/// ```
///
/// It is a ``StateTable`` of the keys' numbers (``KeyedRow/number(of:)``), with all that such a table has: a copy is O(1), a change
/// costs O(log n) in memory, in digests and in differences. Beyond that a row costs the SHA-256 of its key each time it
/// is looked for. A `Dictionary` is for what stays small: each of its changes costs its whole size.
///
/// Two keys are equal if their bytes are equal: two spellings of one letter are two keys. Trees, such as those that `pj
/// state` prints, name the rows by their keys, in the order of these. In a name, characters that could be confused, such
/// as `/`, `*`, control characters and accents that follow their letter, are `%` and two hexadecimal digits for each
/// byte, and an empty key is `%`.
///
/// On the wire, each element of the field is a message with one field 1, the row. Where several keys have one number, the
/// message has all their rows, in the order of the keys. A reader refuses what is out of order.
public struct KeyedTable<Row: KeyedRow>: Equatable, Sendable {
  @usableFromInline var slots = StateTable<KeyedSlot<Row>>()

  /// Creates an empty table.
  @inlinable
  public init() {}

  /// Creates a table of rows; of several with the same key, the last one counts. O(n log n).
  @inlinable
  public init(_ rows: some Sequence<Row>) {
    for row in rows { set(row) }
  }

  /// The number of rows. O(1) unless several keys have one number.
  @inlinable public var count: Int {
    slots.first(among: { $0 }) == nil ? slots.count : slots.reduce(0) { $0 + 1 + $1.others.count }
  }

  /// Whether there are no rows.
  @inlinable public var isEmpty: Bool { slots.isEmpty }

  /// A copy of the row with this key; `nil` if the table has none. O(log n).
  @inlinable
  public subscript(key: Row.Key) -> Row? {
    slots.withRow(key: Row.number(of: key)) { $0.row(key) } ?? nil
  }

  /// Adds a row, or replaces the one with its key. O(log n).
  @inlinable
  public mutating func set(_ row: Row) {
    let number = Row.number(of: row.key)
    if slots.index(ofKey: number) == nil {
      slots.set(KeyedSlot(key: number, first: row))
    } else {
      slots.update(number) { $0.set(row) }
    }
  }

  /// Changes a row in place, if the table has it. The change must not modify the key: that stops the program. O(log n).
  @inlinable
  public mutating func update(_ key: Row.Key, _ change: (inout Row) -> Void) {
    slots.update(Row.number(of: key)) { $0.update(key, change) }
  }

  /// Removes a row, if the table has it. O(log n).
  @inlinable
  public mutating func remove(_ key: Row.Key) {
    let number = Row.number(of: key)
    guard let slot = slots[key: number], slot.row(key) != nil else { return }
    if let rest = slot.without(key) { slots.set(rest) } else { slots.remove(number) }
  }

  /// The rows in the order of their keys. O(n log n).
  @inlinable public var inOrder: [Row] { sorted { Row.Key.precedes($0.key, $1.key) } }
}

extension KeyedTable: Sequence {
  /// Goes through the rows in the order of their numbers, which is the same for the same rows.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var slots: StateTable<KeyedSlot<Row>>.Iterator
    /// The rows to come of the slot, the next one last.
    @usableFromInline var rest: [Row] = []

    @inlinable
    init(_ slots: StateTable<KeyedSlot<Row>>.Iterator) { self.slots = slots }

    /// The next row; `nil` after the last.
    @inlinable
    public mutating func next() -> Row? {
      if let row = rest.popLast() { return row }
      guard let slot = slots.next() else { return nil }
      rest = slot.others.reversed()
      return slot.first
    }
  }

  /// An iterator at the first row.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(slots.makeIterator()) }

  /// The number of rows, as far as it is known without counting.
  @inlinable public var underestimatedCount: Int { slots.count }
}

extension FieldVisitor {
  /// A field that occurs once for each row of a table whose keys are texts, GUIDs and the like.
  @inlinable @inline(__always)
  public mutating func callAsFunction<Row: KeyedRow>(
    _ number: Int, _ name: StaticString, _ table: inout KeyedTable<Row>, shown: Bool = true,
    _ meaning: StaticString = ""
  ) throws(Failure) {
    try keyedTable(FieldLabel(number, name, .repeated, .public, isShown: shown, meaning), &table)
  }
}
