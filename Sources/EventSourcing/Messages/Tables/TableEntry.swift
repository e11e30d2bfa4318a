/// A row of a large table, shared by every version of the table that has the row.
///
/// A buffer of one element: an object's stored property would be checked for exclusive access at every use. The row is
/// changed in place only through the only reference to its entry.
@usableFromInline
final class TableEntry<Row: TableRow>: ManagedBuffer<Void, Row> {
  @inlinable
  static func create(_ row: consuming Row) -> TableEntry {
    let entry = unsafeDowncast(create(minimumCapacity: 1) { _ in }, to: TableEntry.self)
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
}
