/// A row of a large table, shared by every version of the table that has the row.
///
/// A buffer of one element: an object's stored property would be checked for exclusive access at every use. The row is
/// changed in place only through the only reference to its entry. The header is the row's outline, beside the count of
/// references, where a search need not read the row.
@usableFromInline
final class TableEntry<Row: TableRow>: ManagedBuffer<Row.Outline, Row> {
  @inlinable
  static func create(_ row: consuming Row) -> TableEntry {
    let outline = row.outline
    let entry = unsafeDowncast(create(minimumCapacity: 1) { _ in outline }, to: TableEntry.self)
    entry.address.initialize(to: row)
    return entry
  }

  @inlinable
  deinit {
    _ = withUnsafeMutablePointerToElements { $0.deinitialize(count: 1) }
  }

  /// Where the row lies, as long as the entry exists.
  @inlinable @inline(__always)
  var address: UnsafeMutablePointer<Row> { withUnsafeMutablePointerToElements { $0 } }

  @inlinable @inline(__always)
  var row: Row { address.pointee }

  /// Follows a change of the row. Returns whether its outline is another one.
  @inlinable
  func renewOutline() -> Bool {
    let outline = address.pointee.outline
    guard outline != head.pointee else { return false }
    head.pointee = outline
    return true
  }
}

extension ManagedBuffer where Element: ~Copyable {
  /// Where the header lies, as long as the buffer exists. Not `header`, which is checked for exclusive access at every use: in a
  /// table, that takes longer than all else.
  @inlinable @inline(__always)
  var head: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }
}

/// A part of a large table: rows whose keys agree in their highest digits.
///
/// A leaf has at most ``capacity`` rows. More rows form an inner node, whose parts differ in the highest octal digit in
/// which any two of its keys differ, one part for each such digit that occurs. The keys alone therefore determine the
/// nodes, in whatever order they came, and with them the digests. Octal digits cost least: fewer parts would make the
/// tree deeper, more would make each node longer to copy and digest.
///
/// A node is one buffer with the keys and digests of what it has, so that finding a row and digesting a changed one
/// touch little memory. It is changed only through the only reference to it.
@usableFromInline
final class TableNode<Row: TableRow>: ManagedBuffer<TableNodeHeader<Row.Outline>, TableSlot> {
  @usableFromInline typealias NodeHeader = TableNodeHeader<Row.Outline>
  @usableFromInline typealias Entry = TableEntry<Row>

  /// The most slots of a node.
  @inlinable static var capacity: Int { 8 }

  /// An empty node.
  @inlinable
  static func create(_ header: NodeHeader) -> TableNode {
    unsafeDowncast(create(minimumCapacity: capacity) { _ in header }, to: TableNode.self)
  }

  /// A leaf of entries in the order of their keys.
  @inlinable
  static func leaf(_ entries: some Collection<Entry>) -> TableNode {
    let node = create(NodeHeader(isLeaf: true, sample: entries.first?.address.pointee.key ?? 0))
    for entry in entries { node.insert(entry, at: node.head.pointee.slotCount) }
    return node
  }

  /// An inner node of parts in the order of their digits.
  @inlinable
  static func inner(_ parts: [TableNode], shift: UInt64) -> TableNode {
    var header = NodeHeader(isLeaf: false, sample: parts.first?.head.pointee.sample ?? 0)
    header.shift = shift
    let node = create(header)
    for part in parts { node.insert(part, at: node.head.pointee.slotCount) }
    return node
  }

  @inlinable
  deinit {
    for index in 0..<head.pointee.slotCount { Self.release(slots[index].child) }
    _ = withUnsafeMutablePointers { $1.deinitialize(count: $0.pointee.slotCount) }
  }

  @inlinable @inline(__always)
  var slots: UnsafeMutablePointer<TableSlot> { withUnsafeMutablePointerToElements { $0 } }

  @inlinable @inline(__always)
  var isLeaf: Bool { head.pointee.isLeaf }

  @inlinable @inline(__always)
  var count: Int { head.pointee.count }

  /// The entry in a slot of a leaf.
  @inlinable @inline(__always)
  func entry(in slot: Int) -> Unmanaged<Entry> { Unmanaged.fromOpaque(slots[slot].child) }

  /// The part in a slot of an inner node.
  @inlinable @inline(__always)
  func part(in slot: Int) -> Unmanaged<TableNode> { Unmanaged.fromOpaque(slots[slot].child) }

  /// The row in a slot of a leaf.
  @inlinable @inline(__always)
  func row(in slot: Int) -> UnsafeMutablePointer<Row> { entry(in: slot)._withUnsafeGuaranteedRef { $0.address } }

  /// The outline of the row or the part in a slot.
  @inlinable @inline(__always)
  func outline(in slot: Int) -> Row.Outline {
    isLeaf
      ? entry(in: slot)._withUnsafeGuaranteedRef { $0.head.pointee }
      : part(in: slot)._withUnsafeGuaranteedRef { $0.head.pointee.outline }
  }

  /// The parts of an inner node.
  @inlinable var parts: [TableNode] {
    isLeaf ? [] : (0..<head.pointee.slotCount).map { part(in: $0).takeUnretainedValue() }
  }

  /// The entries of a leaf.
  @inlinable var entries: [Entry] {
    isLeaf ? (0..<head.pointee.slotCount).map { entry(in: $0).takeUnretainedValue() } : []
  }

  /// The entries in the order of their keys.
  @inlinable var allEntries: [Entry] { isLeaf ? entries : parts.flatMap(\.allEntries) }

  /// Passes each row to `body` in the order of the keys.
  @inlinable
  func forEachRow(_ body: (UnsafePointer<Row>) -> Void) {
    for slot in 0..<head.pointee.slotCount {
      if isLeaf {
        body(UnsafePointer(row(in: slot)))
      } else {
        part(in: slot)._withUnsafeGuaranteedRef { $0.forEachRow(body) }
      }
    }
  }

  // MARK: - Finding

  /// The slot of a leaf that has a key or comes after it; the slot of an inner node for the key's digit, or where it
  /// belongs.
  @inlinable @inline(__always)
  func slot(for key: UInt64) -> Int {
    guard head.pointee.isLeaf else { return head.pointee.slot(of: head.pointee.bit(of: key)) }
    // Without gaps, the lowest digit is the place.
    let guess = Int(truncatingIfNeeded: key & 7)
    if guess < head.pointee.slotCount, slots[guess].key == key { return guess }
    var slot = 0
    while slot < head.pointee.slotCount, slots[slot].key < key { slot += 1 }
    return slot
  }

  /// What the slot for a key has, unless the node cannot have the key.
  @inlinable @inline(__always)
  func child(for key: UInt64) -> UnsafeRawPointer? {
    let slot = slot(for: key)
    let isThere =
      head.pointee.isLeaf
      ? slot < head.pointee.slotCount && slots[slot].key == key
      : head.pointee.covers(key) && head.pointee.digits & head.pointee.bit(of: key) != 0
    return isThere ? slots[slot].child : nil
  }

  /// Where the row with this key lies, as long as its entry exists.
  @inlinable @inline(never) @_effects(readonly)
  func address(_ key: UInt64) -> UnsafeMutablePointer<Row>? {
    // Unmanaged, because retaining and releasing every node on the way would take longer than all else.
    var node = Unmanaged.passUnretained(self)
    while true {
      let (child, isLeaf) = node._withUnsafeGuaranteedRef { ($0.child(for: key), $0.isLeaf) }
      guard let child else { return nil }
      if isLeaf { return Unmanaged<Entry>.fromOpaque(child)._withUnsafeGuaranteedRef { $0.address } }
      node = Unmanaged.fromOpaque(child)
    }
  }

  /// The number of lower keys, if the node has this one.
  @inlinable @inline(never) @_effects(readonly)
  func index(of key: UInt64) -> Int? {
    let slot = slot(for: key)
    guard child(for: key) != nil else { return nil }
    if isLeaf { return slot }
    guard let index = part(in: slot)._withUnsafeGuaranteedRef({ $0.index(of: key) }) else { return nil }
    return (0..<slot).reduce(index) { $0 + part(in: $1)._withUnsafeGuaranteedRef(\.count) }
  }

  /// Where the row with so many lower keys lies.
  @inlinable
  func address(at index: Int) -> UnsafeMutablePointer<Row> {
    guard !isLeaf else { return row(in: index) }
    var slot = 0
    var rest = index
    while true {
      let count = part(in: slot)._withUnsafeGuaranteedRef(\.count)
      guard rest >= count else { return part(in: slot)._withUnsafeGuaranteedRef { $0.address(at: rest) } }
      rest -= count
      slot += 1
    }
  }

  /// The first row, among those with higher keys if one is given, whose outline and which itself satisfy a condition.
  @inlinable
  func first(after key: UInt64?, among mayBe: (Row.Outline) -> Bool, where isWanted: (Row) -> Bool) -> Row? {
    guard mayBe(head.pointee.outline) else { return nil }
    for slot in 0..<head.pointee.slotCount {
      if isLeaf {
        guard key.map({ slots[slot].key > $0 }) ?? true, mayBe(outline(in: slot)) else { continue }
        let row = row(in: slot)
        if isWanted(row.pointee) { return row.pointee }
      } else {
        // Within the node, keys rise with their digits.
        if let key, head.pointee.covers(key), slots[slot].key &>> head.pointee.shift < key &>> head.pointee.shift {
          continue
        }
        let part = part(in: slot)
        if let found = part._withUnsafeGuaranteedRef({ $0.first(after: key, among: mayBe, where: isWanted) }) {
          return found
        }
      }
    }
    return nil
  }
}
