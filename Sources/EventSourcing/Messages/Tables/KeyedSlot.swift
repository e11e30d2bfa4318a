import WireFormat

/// The rows of a ``KeyedTable`` whose keys have one number: nearly always one.
@usableFromInline
struct KeyedSlot<Row: KeyedRow>: TableRow, Equatable {
  /// The number.
  @usableFromInline let key: UInt64
  /// The row whose key precedes those of the others.
  @usableFromInline var first: Row
  /// The others in the order of their keys.
  @usableFromInline var others: [Row] = []

  @inlinable
  init(key: UInt64, first: Row) {
    self.key = key
    self.first = first
  }

  /// Whether there are several rows.
  @inlinable var outline: Bool { !others.isEmpty }

  @inlinable var rows: [Row] { [first] + others }

  /// Whether two keys are the same, to the last bit.
  @inlinable
  static func areSame(_ one: Row.Key, _ other: Row.Key) -> Bool {
    one == other && !Row.Key.precedes(one, other) && !Row.Key.precedes(other, one)
  }

  @inlinable
  func row(_ key: Row.Key) -> Row? {
    Self.areSame(first.key, key) ? first : others.first { Self.areSame($0.key, key) }
  }

  @inlinable
  mutating func update(_ key: Row.Key, _ change: (inout Row) -> Void) {
    if Self.areSame(first.key, key) {
      change(&first)
      Self.require(first, at: key)
    } else if let place = others.firstIndex(where: { Self.areSame($0.key, key) }) {
      change(&others[place])
      Self.require(others[place], at: key)
    }
  }

  /// A row under a key that is not its own would never be found again.
  @inlinable
  static func require(_ row: Row, at key: Row.Key) {
    guard areSame(row.key, key) else { Row.refuse(row.key, at: key) }
  }

  @inlinable
  mutating func set(_ row: Row) {
    if others.isEmpty, Self.areSame(first.key, row.key) {
      first = row
      return
    }
    var rows = rows.filter { !Self.areSame($0.key, row.key) }
    rows.insert(row, at: rows.firstIndex { Row.Key.precedes(row.key, $0.key) } ?? rows.count)
    first = rows.removeFirst()
    others = rows
  }

  /// The slot without a row; `nil` if that leaves none.
  @inlinable
  func without(_ key: Row.Key) -> KeyedSlot? {
    var rest = rows.filter { !Self.areSame($0.key, key) }
    guard !rest.isEmpty else { return nil }
    var slot = KeyedSlot(key: self.key, first: rest.removeFirst())
    slot.others = rest
    return slot
  }
}

extension KeyedSlot: Message {
  @usableFromInline static var descriptor: MessageDescriptor {
    let row = Row.descriptor
    return MessageDescriptor(
      "\(row.name)Slot",
      [FieldDescriptor(1, "rows", .message(row), .repeated, "a row, or all whose keys have one number")]
    ).keyed(KeyOrigin<Row>(row).privacy)
  }

  @inlinable
  func encode(into writer: inout WireWriter) {
    writer.write(1) { first.encode(into: &$0) }
    for row in others { writer.write(1) { row.encode(into: &$0) } }
  }

  /// Refuses rows that are out of order, and those whose keys have different numbers.
  @inlinable
  init(from reader: inout WireReader) throws(WireError) {
    var slot: KeyedSlot?
    while let field = try reader.nextField() {
      guard field.number == 1 else {
        try reader.skip(field)
        continue
      }
      guard let row = try MessageCoding<Row>.read(field, from: &reader) else { continue }
      guard let last = slot?.others.last ?? slot?.first else {
        slot = KeyedSlot(key: Row.number(of: row.key), first: row)
        continue
      }
      guard Row.number(of: row.key) == slot?.key, Row.Key.precedes(last.key, row.key) else {
        throw WireError(.outOfRange(field: 1), at: field.offset)
      }
      slot?.others.append(row)
    }
    guard let slot else { throw WireError(.missing(field: 1), at: reader.offset) }
    self = slot
  }

  @usableFromInline
  func tree() -> StateTree { .members(rows.map { .init(Self.name(of: $0.key), $0.tree()) }) }

  @usableFromInline
  mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {
    try first.passPersonal(to: &pass)
    for place in others.indices { try others[place].passPersonal(to: &pass) }
  }
}

// MARK: - Trees

extension KeyedSlot {
  /// The tree of a table, whose members are its rows by their names; `nil` for an empty one.
  @usableFromInline
  static func tree(_ table: StateTable<KeyedSlot>) -> StateTree? {
    table.isEmpty ? nil : .members(inOrder(table).map { .init(name(of: $0.key), $0.tree()) })
  }

  /// The part of that tree at a path of one name or more; `nil` if nothing is there. Builds no other part.
  @usableFromInline
  static func part(of table: StateTable<KeyedSlot>, at names: ArraySlice<Substring>) -> StateTree? {
    // Another spelling of a key names nothing.
    guard let name = names.first, let text = StatePath.text(named: name), let key = Row.Key(text), "\(key)" == text
    else { return nil }
    return table.withRow(key: Row.number(of: key)) { $0.row(key)?.part(at: names.dropFirst()) } ?? nil
  }

  /// Adds what differs between two tables, in the order of the keys.
  @usableFromInline
  static func compare(
    _ one: StateTable<KeyedSlot>, _ other: StateTable<KeyedSlot>, at place: StatePlace, _ differ: StateDiffer
  ) {
    // An empty table has no members, which differs from one that has.
    guard !one.isEmpty, !other.isEmpty else {
      return differ.compare(tree(one) ?? .value(.unset), tree(other) ?? .value(.unset), at: place)
    }
    var (before, after) = (one, other)
    StateTable.leaveOutCommonRows(&before, &after)
    let old = inOrder(before)
    var rest = old[...]
    func lose(upTo key: Row.Key?) {
      while let row = rest.first, key.map({ Row.Key.precedes(row.key, $0) }) ?? true {
        differ.compare(row.tree(), nil, at: differ.part(named: name(of: row.key), of: place))
        rest.removeFirst()
      }
    }
    for row in inOrder(after) {
      lose(upTo: row.key)
      let part = { differ.part(named: name(of: row.key), of: place) }
      guard let old = rest.first, areSame(old.key, row.key) else {
        differ.compare(nil, row.tree(), at: part())
        continue
      }
      rest.removeFirst()
      if old != row { old.compare(with: row, at: part(), differ) }
    }
    lose(upTo: nil)
  }

  private static func name(of key: Row.Key) -> String { StatePath.name(of: "\(key)") }

  private static func inOrder(_ table: StateTable<KeyedSlot>) -> [Row] {
    table.flatMap(\.rows).sorted { Row.Key.precedes($0.key, $1.key) }
  }
}

extension Message {
  /// Stops a change that gives a row another key, under which it would not be found.
  @usableFromInline
  static func refuse<Key>(_ found: Key, at key: Key) -> Never {
    fatalError(
      "a change of the row \"\(key)\" of \(Self.self) gave it the key \"\(found)\": remove the row and set another one")
  }
}
