extension StateTable: RandomAccessCollection {
  /// The number of rows.
  @inlinable public var count: Int { tree?.count ?? entries.count }
  /// The index of the first row.
  @inlinable public var startIndex: Int { 0 }
  /// The index after that of the last row.
  @inlinable public var endIndex: Int { count }

  /// The row with so many lower keys, in place: reading a part of it copies only the part. O(log n).
  @inlinable
  public subscript(index: Int) -> Row {
    // The address belongs to an entry that this table keeps as long as the access lasts.
    @inline(__always)
    unsafeAddress {
      UnsafePointer(tree == nil ? entries[index].address : treeAddress(at: index))
    }
  }

  @inlinable @inline(never)
  func treeAddress(at index: Int) -> UnsafeMutablePointer<Row> {
    guard let tree, indices.contains(index) else { preconditionFailure("the table has no row \(index)") }
    return tree.entry(at: index).address
  }

  /// Goes through the rows in the order of their keys. O(n) for all of them.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var entries: [Entry]
    @usableFromInline var place = 0
    /// The nodes not yet reached, the next one last.
    @usableFromInline var rest: [Node]

    @inlinable
    init(_ table: StateTable) {
      entries = table.entries
      rest = table.tree.map { [$0] } ?? []
    }

    /// The next row; `nil` after the last.
    @inlinable
    public mutating func next() -> Row? {
      while place == entries.count {
        guard let node = rest.popLast() else { return nil }
        rest.append(contentsOf: node.parts.reversed())
        entries = node.entries
        place = 0
      }
      defer { place += 1 }
      return entries[place].row
    }
  }

  /// An iterator at the first row.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }
}
