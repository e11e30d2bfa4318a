import WireFormat

extension StateTable {
  /// Passes the rows of two tables with the same keys that differ to `body`, in order, and copies no
  /// others. O(1) for a part that both share.
  ///
  /// - Returns: `false` where the keys differ: then no row is passed.
  @inlinable
  public static func forEachDifference(_ one: StateTable, _ other: StateTable, _ body: (Row, Row) -> Void) -> Bool {
    switch (one.form, other.form) {
    case (.large(let tree), .large(let other)):
      guard Node.correspond(tree, other, where: { $0.pointee.key == $1.pointee.key }) else { return false }
      Node.forEachDifference(tree, other, body)
      return true
    case (.small(let rows), .small(let others)):
      return rows.withUnsafeBufferPointer { rows in
        others.withUnsafeBufferPointer { others in
          guard rows.count == others.count, rows.indices.allSatisfy({ rows[$0].key == others[$0].key }) else {
            return false
          }
          guard let start = rows.baseAddress, let other = others.baseAddress else { return true }
          for index in rows.indices where !Node.areEqual(start + index, other + index) {
            // Through the pointer, so that the rows are not copied.
            body((start + index).pointee, (other + index).pointee)
          }
          return true
        }
      }
    case (.large, .small), (.small, .large): return false
    }
  }

  /// Whether two tables have the same encoding. O(1) for a part that both share.
  @inlinable
  static func areEncodedAlike(_ one: StateTable, _ other: StateTable) -> Bool {
    switch (one.form, other.form) {
    case (.large(let tree), .large(let other)): Node.correspond(tree, other, where: Node.areEncodedAlike)
    case (.small(let rows), .small(let others)):
      rows.withUnsafeBufferPointer { rows in
        others.withUnsafeBufferPointer { others in
          guard rows.count == others.count else { return false }
          guard let start = rows.baseAddress, let other = others.baseAddress, start != other else { return true }
          return rows.indices.allSatisfy { Node.areEncodedAlike(start + $0, other + $0) }
        }
      }
    case (.large, .small), (.small, .large): false
    }
  }

  /// Removes rows that two tables share, as far as needed to make comparing them cost what differs. The members of the
  /// rows that are left, compared, give the differences of the whole tables in the same order.
  ///
  /// A shared part is recognised by identity, or by its digest if both are known. O(differences × log n). Small tables
  /// keep all rows.
  public static func leaveOutCommonRows(_ one: inout StateTable, _ other: inout StateTable) {
    if one.tree == nil, other.tree == nil { return }
    var differences = Differences()
    if let before = one.tree, let after = other.tree {
      differences.compare(before, after)
    } else {
      differences.compare(Array(one), Array(other))
    }
    // The order of the differences depends on the rows in between only where some are new and others gone.
    let keepsRest = differences.rows.contains { $0.before == nil } && differences.rows.contains { $0.after == nil }
    let rows = differences.rows.filter { keepsRest || !$0.isShared }
    one = StateTable(inOrder: rows.compactMap(\.before))
    other = StateTable(inOrder: rows.compactMap(\.after))
  }

  /// The rows of two tables that differ, and one for each part that both share.
  private struct Differences {
    var rows: [(before: Row?, after: Row?, isShared: Bool)] = []

    mutating func compare(_ one: Node, _ other: Node) {
      guard one !== other else { return addShared(one) }
      guard !one.isLeaf, !other.isLeaf, one.head.pointee.shift == other.head.pointee.shift,
        one.head.pointee.covers(other.head.pointee.sample)
      else { return compare(one.allEntries.map(\.row), other.allEntries.map(\.row)) }
      for digit in 0..<8 {
        let bit: UInt8 = 1 << digit
        switch (one.slot(of: bit), other.slot(of: bit)) {
        case (nil, nil): break
        case (let slot?, nil): compare(one.rows(in: slot), [])
        case (nil, let slot?): compare([], other.rows(in: slot))
        case (let slot?, let otherSlot?):
          let part = one.part(in: slot).takeUnretainedValue()
          let digest = one.slots[slot].digest.digest
          if digest != nil, digest == other.slots[otherSlot].digest.digest {
            addShared(part)
          } else {
            compare(part, other.part(in: otherSlot).takeUnretainedValue())
          }
        }
      }
    }

    mutating func addShared(_ part: Node) {
      let row = part.address(at: 0).pointee
      rows.append((row, row, true))
    }

    mutating func compare(_ one: [Row], _ other: [Row]) {
      var place = 0
      for row in other {
        while place < one.count, one[place].key < row.key {
          rows.append((one[place], nil, false))
          place += 1
        }
        guard place < one.count, one[place].key == row.key else {
          rows.append((nil, row, false))
          continue
        }
        rows.append((one[place], row, one[place] == row))
        place += 1
      }
      rows += one[place...].map { ($0, nil, false) }
    }
  }
}

extension TableNode {
  /// Whether two nodes have as many rows, and each row and its counterpart satisfy a condition that a row and itself do. O(1)
  /// for a part that both share.
  @inlinable
  static func correspond(
    _ one: TableNode, _ other: TableNode, where isPair: (UnsafePointer<Row>, UnsafePointer<Row>) -> Bool
  ) -> Bool {
    if one === other { return true }
    guard one.count == other.count, one.isLeaf == other.isLeaf,
      one.head.pointee.slotCount == other.head.pointee.slotCount
    else {
      return false
    }
    return (0..<one.head.pointee.slotCount).allSatisfy { slot in
      if one.slots[slot].child == other.slots[slot].child { return true }
      if one.isLeaf { return isPair(UnsafePointer(one.row(in: slot)), UnsafePointer(other.row(in: slot))) }
      return one.part(in: slot)._withUnsafeGuaranteedRef { part in
        other.part(in: slot)._withUnsafeGuaranteedRef { correspond(part, $0, where: isPair) }
      }
    }
  }

  /// Compares two rows in place.
  @inlinable
  static func areEqual(_ one: UnsafePointer<Row>, _ other: UnsafePointer<Row>) -> Bool {
    SameBits.areSame(one, other, MemoryLayout<Row>.size) || one.pointee == other.pointee
  }

  /// Compares two rows to the last byte of their encodings. Strings that differ only in how a letter is composed are equal.
  @inlinable
  static func areEncodedAlike(_ one: UnsafePointer<Row>, _ other: UnsafePointer<Row>) -> Bool {
    if SameBits.areSame(one, other, MemoryLayout<Row>.size) { return true }
    guard one.pointee == other.pointee else { return false }
    var (first, second) = (WireWriter(), WireWriter())
    one.pointee.encode(into: &first)
    other.pointee.encode(into: &second)
    return first.bytes == second.bytes
  }

  /// Passes the rows of two nodes with the same keys that differ to `body`.
  @inlinable
  static func forEachDifference(_ one: TableNode, _ other: TableNode, _ body: (Row, Row) -> Void) {
    for slot in 0..<one.head.pointee.slotCount where one.slots[slot].child != other.slots[slot].child {
      if one.isLeaf {
        let (row, next) = (UnsafePointer(one.row(in: slot)), UnsafePointer(other.row(in: slot)))
        if !areEqual(row, next) { body(row.pointee, next.pointee) }
      } else {
        one.part(in: slot)._withUnsafeGuaranteedRef { part in
          other.part(in: slot)._withUnsafeGuaranteedRef { forEachDifference(part, $0, body) }
        }
      }
    }
  }

  /// The slot for a digit, if the node has it.
  func slot(of bit: UInt8) -> Int? { head.pointee.digits & bit == 0 ? nil : head.pointee.slot(of: bit) }

  /// The rows of a part.
  func rows(in slot: Int) -> [Row] { part(in: slot).takeUnretainedValue().allEntries.map(\.row) }
}
