/// A part of a large table: rows whose keys agree in their highest digits.
///
/// A leaf has at most ``leafCapacity`` rows. More rows form an inner node, whose parts differ in the highest
/// hexadecimal digit in which any two of its keys differ, one part for each such digit that occurs. The keys alone
/// therefore determine the nodes, in whatever order they came, and with them the digests.
@usableFromInline
final class TableNode<Row: TableRow>: @unchecked Sendable {
  // Unchecked because a node is changed only through the only reference to it.
  @usableFromInline typealias Entry = TableEntry<Row>

  /// The rows of a leaf in the order of their keys; empty in an inner node.
  @usableFromInline var entries: [Entry]
  /// The parts of an inner node in the order of their digits.
  @usableFromInline var parts: [TableNode]
  /// The digits of the parts, by their bits.
  @usableFromInline var digits: UInt16
  /// The place of the digit, in bits from the lowest.
  @usableFromInline let shift: UInt64
  /// One of the keys; all agree above the digit.
  @usableFromInline let sample: UInt64
  @usableFromInline var count: Int
  /// Whether any row is marked.
  @usableFromInline var hasMarks = false
  @usableFromInline let digest = DigestCache()

  /// The most rows of a leaf: a table of this size costs no more than an array.
  @inlinable static var leafCapacity: Int { 16 }

  @inlinable
  init(_ entries: [Entry]) {
    self.entries = entries
    (parts, digits, shift, sample) = ([], 0, 0, entries.first?.key ?? 0)
    count = entries.count
    noteMarks()
  }

  @inlinable
  init(_ parts: [TableNode], digits: UInt16, shift: UInt64, sample: UInt64) {
    entries = []
    (self.parts, self.digits, self.shift, self.sample) = (parts, digits, shift, sample)
    count = parts.reduce(0) { $0 + $1.count }
    noteMarks()
  }

  @inlinable
  init(copying other: TableNode) {
    (entries, parts, digits, shift) = (other.entries, other.parts, other.digits, other.shift)
    (sample, count, hasMarks) = (other.sample, other.count, other.hasMarks)
  }

  @inlinable var isLeaf: Bool { parts.isEmpty }

  /// Whether a key agrees with the node's in the digits above its own.
  @inlinable
  func covers(_ key: UInt64) -> Bool { (key ^ sample) &>> shift < 16 }

  /// The bit of a key's digit.
  @inlinable
  func bit(of key: UInt64) -> UInt16 { 1 &<< UInt16(truncatingIfNeeded: key &>> shift & 15) }

  /// The part for a digit, or where it belongs.
  @inlinable
  func place(of bit: UInt16) -> Int { (digits & (bit &- 1)).nonzeroBitCount }

  /// The place of the highest digit in which two keys differ.
  @inlinable
  static func shift(between one: UInt64, _ other: UInt64) -> UInt64 {
    UInt64((63 - (one ^ other).leadingZeroBitCount) / 4 * 4)
  }

  /// The index of the first entry whose key is not lower. O(log n).
  @inlinable
  static func place(of key: UInt64, in entries: [Entry]) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: - Reading

  /// The entry with this key.
  @inlinable
  func entry(_ key: UInt64) -> Entry? {
    var node = self
    while !node.isLeaf {
      let bit = node.bit(of: key)
      guard node.covers(key), node.digits & bit != 0 else { return nil }
      node = node.parts[node.place(of: bit)]
    }
    let place = Self.place(of: key, in: node.entries)
    return place < node.entries.count && node.entries[place].key == key ? node.entries[place] : nil
  }

  /// The number of lower keys, if the node has this one.
  @inlinable
  func index(of key: UInt64) -> Int? {
    var node = self
    var before = 0
    while !node.isLeaf {
      let bit = node.bit(of: key)
      guard node.covers(key), node.digits & bit != 0 else { return nil }
      let place = node.place(of: bit)
      for part in node.parts[..<place] { before += part.count }
      node = node.parts[place]
    }
    let place = Self.place(of: key, in: node.entries)
    return place < node.entries.count && node.entries[place].key == key ? before + place : nil
  }

  /// The entry with so many lower keys.
  @inlinable
  func entry(at index: Int) -> Entry {
    var node = self
    var rest = index
    while !node.isLeaf {
      var place = 0
      while rest >= node.parts[place].count {
        rest -= node.parts[place].count
        place += 1
      }
      node = node.parts[place]
    }
    return node.entries[rest]
  }

  @inlinable
  static func firstMarked(_ entries: [Entry], after key: UInt64?, where isWanted: (Row) -> Bool) -> Entry? {
    for entry in entries where entry.address.pointee.isMarked {
      if key.map({ entry.key > $0 }) ?? true, isWanted(entry.row) { return entry }
    }
    return nil
  }

  @inlinable
  func firstMarked(after key: UInt64?, where isWanted: (Row) -> Bool) -> Entry? {
    guard hasMarks else { return nil }
    guard !isLeaf else { return Self.firstMarked(entries, after: key, where: isWanted) }
    for part in parts {
      // Within the node, keys rise with their digits.
      if let key, covers(key), part.sample &>> shift < key &>> shift { continue }
      if let found = part.firstMarked(after: key, where: isWanted) { return found }
    }
    return nil
  }

  // MARK: - Changing

  /// Records whether any row is marked.
  @inlinable
  func noteMarks() {
    hasMarks = isLeaf ? entries.contains { $0.address.pointee.isMarked } : parts.contains { $0.hasMarks }
  }

  /// Makes a slot's node its own, so that it can change.
  @inlinable
  static func makeUnique(_ node: inout TableNode) {
    if isKnownUniquelyReferenced(&node) { node.digest.forget() } else { node = TableNode(copying: node) }
  }

  /// Changes the row with this key, which the node has.
  @inlinable
  static func update(_ key: UInt64, in node: inout TableNode, _ change: (inout Row) -> Void) {
    makeUnique(&node)
    defer { node.noteMarks() }
    if node.isLeaf {
      let place = place(of: key, in: node.entries)
      Entry.makeUnique(&node.entries[place])
      change(&node.entries[place].address.pointee)
    } else {
      update(key, in: &node.parts[node.place(of: node.bit(of: key))], change)
    }
  }

  /// Adds an entry, or replaces the one with its key. Returns whether it was added.
  @inlinable @discardableResult
  static func insert(_ entry: Entry, _ key: UInt64, into node: inout TableNode) -> Bool {
    defer { node.noteMarks() }
    if node.isLeaf {
      makeUnique(&node)
      let place = place(of: key, in: node.entries)
      if place < node.entries.count, node.entries[place].key == key {
        node.entries[place] = entry
        return false
      }
      node.entries.insert(entry, at: place)
      node.count += 1
      if node.count > leafCapacity { node = split(node.entries) }
      return true
    }
    guard node.covers(key) else {
      let shift = shift(between: key, node.sample)
      let leaf = TableNode([entry])
      let isFirst = key < node.sample
      let digits = [key, node.sample].reduce(UInt16(0)) { $0 | 1 &<< UInt16(truncatingIfNeeded: $1 &>> shift & 15) }
      node = TableNode(isFirst ? [leaf, node] : [node, leaf], digits: digits, shift: shift, sample: key)
      return true
    }
    makeUnique(&node)
    let bit = node.bit(of: key)
    let place = node.place(of: bit)
    var isAdded = true
    if node.digits & bit != 0 {
      isAdded = insert(entry, key, into: &node.parts[place])
    } else {
      node.digits |= bit
      node.parts.insert(TableNode([entry]), at: place)
    }
    if isAdded { node.count += 1 }
    return isAdded
  }

  /// An inner node of more entries than a leaf may have.
  @inlinable
  static func split(_ entries: [Entry]) -> TableNode {
    guard entries.count > leafCapacity else { return TableNode(entries) }
    let first = entries[0].key
    let shift = shift(between: first, entries[entries.count - 1].key)
    var parts: [TableNode] = []
    var digits: UInt16 = 0
    var start = 0
    while start < entries.count {
      let digit = entries[start].key &>> shift
      var end = start + 1
      while end < entries.count, entries[end].key &>> shift == digit { end += 1 }
      parts.append(split([Entry](entries[start..<end])))
      digits |= 1 &<< UInt16(truncatingIfNeeded: digit & 15)
      start = end
    }
    return TableNode(parts, digits: digits, shift: shift, sample: first)
  }

  /// Removes the entry with this key, which the node has. A node that becomes empty is the caller's to remove.
  @inlinable
  static func remove(_ key: UInt64, from node: inout TableNode) {
    makeUnique(&node)
    defer { node.noteMarks() }
    node.count -= 1
    guard !node.isLeaf else {
      node.entries.remove(at: place(of: key, in: node.entries))
      return
    }
    let bit = node.bit(of: key)
    let place = node.place(of: bit)
    remove(key, from: &node.parts[place])
    if node.parts[place].count == 0 {
      node.parts.remove(at: place)
      node.digits &= ~bit
    }
    if node.count <= leafCapacity {
      node = TableNode(node.parts.flatMap(\.allEntries))
    } else if node.parts.count == 1 {
      node = node.parts[0]
    }
  }

  /// The entries in the order of their keys.
  @inlinable var allEntries: [Entry] { isLeaf ? entries : parts.flatMap(\.allEntries) }
}
