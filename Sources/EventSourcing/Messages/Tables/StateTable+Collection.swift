extension StateTable: RandomAccessCollection {
  /// The number of rows.
  @inlinable public var count: Int { tree?.count ?? rows.count }
  /// The index of the first row.
  @inlinable public var startIndex: Int { 0 }
  /// The index after that of the last row.
  @inlinable public var endIndex: Int { count }

  /// The row with so many lower keys, in place: reading a part of it copies only the part. O(log n).
  @inlinable
  public subscript(index: Int) -> Row {
    // The address belongs to an array or an entry that this table keeps as long as the access lasts.
    @inline(__always)
    unsafeAddress { tree == nil ? smallAddress(at: index) : treeAddress(at: index) }
  }

  @inlinable @inline(__always)
  func smallAddress(at index: Int) -> UnsafePointer<Row> {
    rows.withUnsafeBufferPointer { rows in
      guard let first = rows.baseAddress, rows.indices.contains(index) else { Self.refuse(index) }
      return first + index
    }
  }

  @inlinable @inline(never)
  func treeAddress(at index: Int) -> UnsafePointer<Row> {
    guard let tree, indices.contains(index) else { Self.refuse(index) }
    return UnsafePointer(tree.address(at: index))
  }

  @usableFromInline
  static func refuse(_ index: Int) -> Never { fatalError("the table has no row \(index)") }

  /// Goes through the rows in the order of their keys. O(n) for all of them.
  public struct Iterator: IteratorProtocol {
    /// The rows of a small table.
    @usableFromInline let rows: [Row]
    /// The entries of a leaf of a large one.
    @usableFromInline var entries: [Entry] = []
    /// The place in either.
    @usableFromInline var place = 0
    /// The nodes not yet reached, the next one last.
    @usableFromInline var rest: [Node]

    @inlinable
    init(_ table: StateTable) {
      rows = table.rows
      rest = table.tree.map { [$0] } ?? []
    }

    /// The next row; `nil` after the last.
    @inlinable
    public mutating func next() -> Row? {
      if place < rows.count {
        defer { place += 1 }
        return rows[place]
      }
      return rows.isEmpty ? nextInTree() : nil
    }

    @inlinable @inline(never)
    mutating func nextInTree() -> Row? {
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
