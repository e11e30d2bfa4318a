/// A part of a large table: rows whose keys agree in their highest digits.
///
/// A leaf has at most ``leafCapacity`` rows. More rows form an inner node, whose parts differ in the highest octal digit
/// in which any two of its keys differ, one part for each such digit that occurs. The keys alone therefore determine the
/// nodes, in whatever order they came, and with them the digests.
///
/// Octal digits cost least: fewer parts would make the tree deeper, more would make each node longer to copy and digest.
@usableFromInline
final class TableNode<Row: TableRow>: @unchecked Sendable {
  // Unchecked because a node is changed only through the only reference to it.
  @usableFromInline typealias Entry = TableEntry<Row>

  /// The rows of a leaf in the order of their keys; empty in an inner node.
  @usableFromInline var entries: [Entry]
  /// The parts of an inner node in the order of their digits.
  @usableFromInline var parts: [TableNode]
  /// The digits of the parts, by their bits.
  @usableFromInline var digits: UInt8
  /// The place of the digit, in bits from the lowest.
  @usableFromInline let shift: UInt64
  /// One of the keys; all agree above the digit.
  @usableFromInline let sample: UInt64
  @usableFromInline var count: Int
  /// Whether any row is marked.
  @usableFromInline var hasMarks = false
  @usableFromInline let digest = DigestCache()

  /// The most rows of a leaf.
  @inlinable static var leafCapacity: Int { 8 }

  @inlinable
  init(_ entries: [Entry]) {
    self.entries = entries
    (parts, digits, shift, sample) = ([], 0, 0, entries.first?.key ?? 0)
    count = entries.count
    noteMarks()
  }

  @inlinable
  init(_ parts: [TableNode], digits: UInt8, shift: UInt64, sample: UInt64) {
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
  func covers(_ key: UInt64) -> Bool { (key ^ sample) &>> shift < 8 }

  /// The bit of a key's digit.
  @inlinable
  func bit(of key: UInt64) -> UInt8 { Self.bit(of: key, shift) }

  @inlinable
  static func bit(of key: UInt64, _ shift: UInt64) -> UInt8 { 1 &<< UInt8(truncatingIfNeeded: key &>> shift & 7) }

  /// The part for a digit, or where it belongs.
  @inlinable
  func place(of bit: UInt8) -> Int { (digits & (bit &- 1)).nonzeroBitCount }

  /// The place of the highest digit in which two keys differ.
  @inlinable
  static func shift(between one: UInt64, _ other: UInt64) -> UInt64 {
    UInt64((63 - (one ^ other).leadingZeroBitCount) / 3 * 3)
  }

  /// The place in a leaf of the first entry whose key is not lower.
  @inlinable
  func leafPlace(of key: UInt64) -> Int {
    // Without gaps, the lowest digit is the place.
    let guess = Int(truncatingIfNeeded: key & 7)
    if guess < entries.count, entries[guess].key == key { return guess }
    var place = 0
    while place < entries.count, entries[place].key < key { place += 1 }
    return place
  }

  // MARK: - Reading

  /// A copy of the row with this key.
  @inlinable @inline(never) @_effects(readonly)
  func row(_ key: UInt64) -> Row? { entry(key)?.row }

  /// The entry with this key.
  @inlinable @inline(never) @_effects(readonly)
  func entry(_ key: UInt64) -> Entry? {
    var node = self
    while !node.isLeaf {
      let bit = node.bit(of: key)
      guard node.covers(key), node.digits & bit != 0 else { return nil }
      node = node.parts[node.place(of: bit)]
    }
    let place = node.leafPlace(of: key)
    return place < node.entries.count && node.entries[place].key == key ? node.entries[place] : nil
  }

  /// The number of lower keys, if the node has this one.
  @inlinable @inline(never) @_effects(readonly)
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
    let place = node.leafPlace(of: key)
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

  /// The first marked entry, among those with higher keys if one is given, that satisfies a condition.
  @inlinable
  func firstMarked(after key: UInt64?, where isWanted: (Row) -> Bool) -> Entry? {
    guard hasMarks else { return nil }
    for entry in entries where entry.address.pointee.isMarked {
      if key.map({ entry.key > $0 }) ?? true, isWanted(entry.row) { return entry }
    }
    for part in parts {
      // Within the node, keys rise with their digits.
      if let key, covers(key), part.sample &>> shift < key &>> shift { continue }
      if let found = part.firstMarked(after: key, where: isWanted) { return found }
    }
    return nil
  }

  /// Passes each entry to `body` in the order of the keys.
  @inlinable
  func forEachEntry(_ body: (Entry) -> Void) {
    for entry in entries { body(entry) }
    for part in parts { part.forEachEntry(body) }
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

  /// Changes the row with this key, which the node has. Returns whether marking changed.
  @inlinable @discardableResult
  static func update(_ key: UInt64, in node: inout TableNode, _ change: (inout Row) -> Void) -> Bool {
    makeUnique(&node)
    let isMarkChanged: Bool
    if node.isLeaf {
      let place = node.leafPlace(of: key)
      Entry.makeUnique(&node.entries[place])
      let address = node.entries[place].address
      let wasMarked = address.pointee.isMarked
      change(&address.pointee)
      assert(address.pointee.key == key)
      isMarkChanged = address.pointee.isMarked != wasMarked
    } else {
      isMarkChanged = update(key, in: &node.parts[node.place(of: node.bit(of: key))], change)
    }
    if isMarkChanged { node.noteMarks() }
    return isMarkChanged
  }

  /// Adds an entry, or replaces the one with its key. Returns whether it was added.
  @inlinable @discardableResult
  static func insert(_ entry: Entry, _ key: UInt64, into node: inout TableNode) -> Bool {
    defer { node.noteMarks() }
    if node.isLeaf {
      makeUnique(&node)
      let place = node.leafPlace(of: key)
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
      let digits = bit(of: key, shift) | bit(of: node.sample, shift)
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
    var digits: UInt8 = 0
    var start = 0
    while start < entries.count {
      let digit = entries[start].key &>> shift
      var end = start + 1
      while end < entries.count, entries[end].key &>> shift == digit { end += 1 }
      digits |= bit(of: entries[start].key, shift)
      parts.append(split([Entry](entries[start..<end])))
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
      node.entries.remove(at: node.leafPlace(of: key))
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
