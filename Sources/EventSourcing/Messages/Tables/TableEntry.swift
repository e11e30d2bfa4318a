/// A row and its digest, shared by every version of a table that has the row.
@usableFromInline
final class TableEntry<Row: TableRow>: @unchecked Sendable {
  // Unchecked because a row is changed in place only through the only reference to its entry.

  /// Where the row lies, as long as the entry exists. A stored row would be checked for exclusive access at every use.
  @usableFromInline let address: UnsafeMutablePointer<Row>
  @usableFromInline let known = DigestCache()

  @inlinable
  init(_ row: consuming Row) {
    address = .allocate(capacity: 1)
    address.initialize(to: row)
  }

  deinit {
    address.deinitialize(count: 1)
    address.deallocate()
  }

  @inlinable @inline(__always)
  var row: Row { address.pointee }

  @inlinable @inline(__always)
  var key: UInt64 { address.pointee.key }

  /// Makes a slot's entry its own, so that it can change.
  @inlinable
  static func makeUnique(_ entry: inout TableEntry) {
    if isKnownUniquelyReferenced(&entry) {
      entry.known.forget()
    } else {
      entry = TableEntry(entry.row)
    }
  }

  /// The digest of the row, computed if it is not known.
  @inlinable
  func digest(_ writer: inout DigestWriter) -> Digest {
    if let digest = known.digest { return digest }
    let digest = writer.digest(of: address.pointee)
    known.store(digest)
    return digest
  }

  /// Whether two entries have equal rows. O(1) for one that two versions share.
  @inlinable
  static func areEqual(_ one: TableEntry, _ other: TableEntry) -> Bool {
    one === other || one.address.pointee == other.address.pointee
  }
}
