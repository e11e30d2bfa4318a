extension StateTable {
  /// Passes the rows of two tables with the same keys that differ to `body`, in order, and copies no others. O(n).
  ///
  /// - Returns: `false` where the keys differ: then no row is passed.
  @inlinable
  public static func forEachDifference(_ one: StateTable, _ other: StateTable, _ body: (Row, Row) -> Void) -> Bool {
    guard one.tree == nil, other.tree == nil else {
      guard one.count == other.count, zip(one, other).allSatisfy({ $0.key == $1.key }) else { return false }
      for (row, next) in zip(one, other) where row != next { body(row, next) }
      return true
    }
    return one.rows.withUnsafeBufferPointer { rows in
      other.rows.withUnsafeBufferPointer { others in
        guard rows.count == others.count, rows.indices.allSatisfy({ rows[$0].key == others[$0].key }) else {
          return false
        }
        guard let start = rows.baseAddress, let other = others.baseAddress else { return true }
        for index in rows.indices
        where !SameBits.areSame(start + index, other + index, MemoryLayout<Row>.size) && rows[index] != others[index] {
          // Through the pointer, so that the rows are not copied.
          body((start + index).pointee, (other + index).pointee)
        }
        return true
      }
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
      guard !one.isLeaf, !other.isLeaf, one.header.shift == other.header.shift, one.header.covers(other.header.sample)
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
  /// The slot for a digit, if the node has it.
  func slot(of bit: UInt8) -> Int? { header.digits & bit == 0 ? nil : header.slot(of: bit) }

  /// The rows of a part.
  func rows(in slot: Int) -> [Row] { part(in: slot).takeUnretainedValue().allEntries.map(\.row) }
}
