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
      assert(Self.areSame(first.key, key))
    } else if let place = others.firstIndex(where: { Self.areSame($0.key, key) }) {
      change(&others[place])
      assert(Self.areSame(others[place].key, key))
    }
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
      [FieldDescriptor(1, "rows", .message(row), .repeated, "a row, or all whose keys have one number")])
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
  func tree() -> StateTree { .members(members) }

  @usableFromInline
  mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {
    try first.passPersonal(to: &pass)
    for place in others.indices { try others[place].passPersonal(to: &pass) }
  }
}

// MARK: - Trees

extension KeyedSlot {
  /// The rows by their names.
  @usableFromInline var members: [StateTree.Member] {
    rows.map { .init(StatePath.name(of: "\($0.key)"), $0.tree()) }
  }

  @usableFromInline
  static func members(of table: StateTable<KeyedSlot>) -> [StateTree.Member] {
    table.flatMap(\.rows).sorted { Row.Key.precedes($0.key, $1.key) }
      .map { .init(StatePath.name(of: "\($0.key)"), $0.tree()) }
  }

  @usableFromInline
  static func part(of table: StateTable<KeyedSlot>, at names: ArraySlice<Substring>) -> StateTree? {
    // Another spelling of a key names nothing.
    guard let name = names.first, let text = StatePath.text(named: name), let key = Row.Key(text), "\(key)" == text
    else { return nil }
    return table.withRow(key: Row.number(of: key)) { $0.row(key)?.part(at: names.dropFirst()) } ?? nil
  }

  @usableFromInline
  static func compare(
    _ one: StateTable<KeyedSlot>, _ other: StateTable<KeyedSlot>, at place: StatePlace, _ differ: StateDiffer
  ) -> Bool {
    var pairs: [(before: Row, after: Row)] = []
    var areOfSameKeys = true
    let haveSameNumbers = StateTable.forEachDifference(one, other) { before, after in
      let isPair = before.others.isEmpty && after.others.isEmpty && areSame(before.first.key, after.first.key)
      if isPair { pairs.append((before.first, after.first)) } else { areOfSameKeys = false }
    }
    guard haveSameNumbers, areOfSameKeys else { return false }
    for (before, after) in pairs.sorted(by: { Row.Key.precedes($0.before.key, $1.before.key) }) {
      let name = { StatePath.name(of: "\(before.key)") }
      before.compare(with: after, at: differ.part(key: Row.number(of: before.key), name, of: place), differ)
    }
    return true
  }
}
