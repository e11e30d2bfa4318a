/// What a node of a table says about its slots.
@usableFromInline
struct TableNodeHeader<Outline: TableOutline>: Sendable {
  /// Whether the slots have rows; otherwise they have nodes.
  @usableFromInline let isLeaf: Bool
  /// The digits of an inner node's parts, by their bits.
  @usableFromInline var digits: UInt8 = 0
  @usableFromInline var slotCount = 0
  /// The number of rows.
  @usableFromInline var count = 0
  /// The place of an inner node's digit, in bits from the lowest.
  @usableFromInline var shift: UInt64 = 0
  /// One of the keys; all agree above the digit.
  @usableFromInline let sample: UInt64
  /// The outline of the rows.
  @usableFromInline var outline = Outline()

  @inlinable
  init(isLeaf: Bool, sample: UInt64) {
    self.isLeaf = isLeaf
    self.sample = sample
  }

  /// Whether a key agrees with the node's in the digits above its own.
  @inlinable
  func covers(_ key: UInt64) -> Bool { (key ^ sample) &>> shift < 8 }

  /// The bit of a key's digit.
  @inlinable
  func bit(of key: UInt64) -> UInt8 { 1 &<< UInt8(truncatingIfNeeded: key &>> shift & 7) }

  /// The slot for a digit, or where it belongs.
  @inlinable
  func slot(of bit: UInt8) -> Int { (digits & (bit &- 1)).nonzeroBitCount }

  /// The place of the highest digit in which two keys differ.
  @inlinable
  static func shift(between one: UInt64, _ other: UInt64) -> UInt64 {
    UInt64((63 - (one ^ other).leadingZeroBitCount) / 3 * 3)
  }
}

/// A row or a part of a table, owned by the node that has it.
@usableFromInline
struct TableSlot: ~Copyable {
  /// The row's key, or one of the part's.
  @usableFromInline let key: UInt64
  /// The entry or the node.
  @usableFromInline var child: UnsafeRawPointer
  /// The row's digest, or the part's.
  @usableFromInline let digest: DigestCache

  @inlinable
  init(key: UInt64, _ child: UnsafeRawPointer, _ digest: consuming DigestCache = DigestCache()) {
    self.key = key
    self.child = child
    self.digest = digest
  }
}
