/// A row of a large table and its digest, shared by every version of the table that has the row.
///
/// A buffer of one element, not an object with stored properties: these would be checked for exclusive access at every
/// use. The row is changed in place only through the only reference to its entry.
@usableFromInline
final class TableEntry<Row: TableRow>: ManagedBuffer<Void, TableEntry.Content> {
  @usableFromInline
  struct Content: ~Copyable {
    @usableFromInline var row: Row
    @usableFromInline let digest = DigestCache()

    @inlinable
    init(_ row: consuming Row) { self.row = row }
  }

  @inlinable
  static func create(_ row: consuming Row) -> TableEntry {
    let entry = unsafeDowncast(create(minimumCapacity: 1) { _ in }, to: TableEntry.self)
    entry.content.initialize(to: Content(row))
    return entry
  }

  @inlinable
  deinit {
    _ = withUnsafeMutablePointerToElements { $0.deinitialize(count: 1) }
  }

  /// Where the row and its digest lie, as long as the entry exists.
  @inlinable @inline(__always)
  var content: UnsafeMutablePointer<Content> { withUnsafeMutablePointerToElements { $0 } }

  /// Where the row lies, as long as the entry exists.
  @inlinable @inline(__always)
  var address: UnsafeMutablePointer<Row> {
    UnsafeMutableRawPointer(content).assumingMemoryBound(to: Row.self)
  }

  @inlinable @inline(__always)
  var row: Row { content.pointee.row }

  @inlinable @inline(__always)
  var key: UInt64 { content.pointee.row.key }

  /// Makes a slot's entry its own, so that it can change.
  @inlinable
  static func makeUnique(_ entry: inout TableEntry) {
    if isKnownUniquelyReferenced(&entry) {
      entry.content.pointee.digest.forget()
    } else {
      entry = create(entry.row)
    }
  }

  /// The digest of the row, computed if it is not known.
  @inlinable
  func digest(_ writer: inout DigestWriter) -> Digest {
    if let digest = content.pointee.digest.digest { return digest }
    let digest = writer.digest(of: content.pointee.row)
    content.pointee.digest.store(digest)
    return digest
  }
}
