extension StateTable {
  /// Removes rows that two tables share, as far as needed to make comparing them cost what differs. The members of the
  /// rows that are left, compared, give the differences of the whole tables in the same order.
  ///
  /// A shared part is recognised by identity, or by its digest if both are known. O(differences × log n).
  public static func leaveOutCommonRows(_ one: inout StateTable, _ other: inout StateTable) {
    guard let before = one.tree, let after = other.tree else { return }
    var differences = Differences()
    differences.compare(before, after)
    // The order of the differences depends on the rows in between only where some are new and others gone.
    let keepsRest = differences.rows.contains { $0.before == nil } && differences.rows.contains { $0.after == nil }
    let rows = differences.rows.filter { keepsRest || $0.before !== $0.after }
    one = StateTable(inOrder: rows.compactMap(\.before))
    other = StateTable(inOrder: rows.compactMap(\.after))
  }

  /// A table of entries in the order of their keys.
  private init(inOrder entries: [Entry]) {
    if entries.count > Node.leafCapacity { tree = Node.split(entries) } else { self.entries = entries }
  }

  /// The rows of two tables that differ, and one for each part that both share.
  private struct Differences {
    var rows: [(before: Entry?, after: Entry?)] = []

    mutating func compare(_ one: Node?, _ other: Node?) {
      switch (one, other) {
      case (nil, nil): break
      case (let node?, nil): rows += node.allEntries.map { ($0, nil) }
      case (nil, let node?): rows += node.allEntries.map { (nil, $0) }
      case (let one?, let other?): compare(one, other)
      }
    }

    mutating func compare(_ one: Node, _ other: Node) {
      if one === other || one.hasSameDigest(as: other) {
        if let entry = one.firstEntry { rows.append((entry, entry)) }
      } else if !one.isLeaf, !other.isLeaf, one.shift == other.shift, one.covers(other.sample) {
        for digit in 0..<16 {
          let bit: UInt16 = 1 << digit
          compare(one.part(bit), other.part(bit))
        }
      } else {
        compare(one.allEntries, other.allEntries)
      }
    }

    mutating func compare(_ one: [Entry], _ other: [Entry]) {
      var place = 0
      for entry in other {
        while place < one.count, one[place].key < entry.key {
          rows.append((one[place], nil))
          place += 1
        }
        guard place < one.count, one[place].key == entry.key else {
          rows.append((nil, entry))
          continue
        }
        rows.append((one[place], entry))
        place += 1
      }
      rows += one[place...].map { ($0, nil) }
    }
  }
}

extension TableNode {
  func hasSameDigest(as other: TableNode) -> Bool {
    guard let known = digest.digest else { return false }
    return known == other.digest.digest
  }

  /// The entry with the lowest key.
  var firstEntry: Entry? {
    var node = self
    while let part = node.parts.first { node = part }
    return node.entries.first
  }

  func part(_ bit: UInt16) -> TableNode? { digits & bit == 0 ? nil : parts[place(of: bit)] }
}
