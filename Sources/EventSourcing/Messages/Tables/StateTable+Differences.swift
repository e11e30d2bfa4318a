extension StateTable {
  /// Removes rows that two tables share, as far as needed to make comparing them cost what differs. The members of the
  /// rows that are left, compared, give the differences of the whole tables in the same order.
  ///
  /// A shared part is recognised by identity, or by its digest if both are known. O(differences × log n).
  public static func leaveOutCommonRows(_ one: inout StateTable, _ other: inout StateTable) {
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

    mutating func compare(_ one: Node?, _ other: Node?) {
      if let one, let other { compare(one, other) } else { compare(one?.allRows ?? [], other?.allRows ?? []) }
    }

    mutating func compare(_ one: Node, _ other: Node) {
      if one === other || one.hasSameDigest(as: other) {
        if let row = one.firstRow { rows.append((row, row, true)) }
      } else if !one.isLeaf, !other.isLeaf, one.shift == other.shift, one.covers(other.sample) {
        for digit in 0..<8 {
          let bit: UInt8 = 1 << digit
          compare(one.part(bit), other.part(bit))
        }
      } else {
        compare(one.allRows, other.allRows)
      }
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
  func hasSameDigest(as other: TableNode) -> Bool {
    guard let known = digest.digest else { return false }
    return known == other.digest.digest
  }

  /// The row with the lowest key.
  var firstRow: Row? {
    var node = self
    while let part = node.parts.first { node = part }
    return node.entries.first?.row
  }

  var allRows: [Row] { allEntries.map(\.row) }

  func part(_ bit: UInt8) -> TableNode? { digits & bit == 0 ? nil : parts[place(of: bit)] }
}
