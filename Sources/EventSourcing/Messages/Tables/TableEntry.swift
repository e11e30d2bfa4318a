/// A row of a large table, shared by every version of the table that has the row.
///
/// A buffer of one element: an object's stored property would be checked for exclusive access at every use. The row is
/// changed in place only through the only reference to its entry. The header is the row's outline, beside the count of
/// references, where a search need not read the row.
@usableFromInline
final class TableEntry<Row: TableRow>: ManagedBuffer<Row.Outline, Row> {
  @inlinable
  static func create(_ row: consuming Row) -> TableEntry {
    let outline = row.outline
    let entry = unsafeDowncast(create(minimumCapacity: 1) { _ in outline }, to: TableEntry.self)
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

  /// Follows a change of the row. Returns whether its outline is another one.
  @inlinable
  func renewOutline() -> Bool {
    let outline = address.pointee.outline
    guard outline != header else { return false }
    header = outline
    return true
  }
}
