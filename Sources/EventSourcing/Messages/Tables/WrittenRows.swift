import WireFormat

/// The rows of a small ``StateTable`` as a digest last wrote them, so that the next one encodes only those that changed.
///
/// Unchecked, as is access to its parts, because it is changed only through the only reference to it.
@usableFromInline
final class WrittenRows<Row: TableRow>: WrittenTable, @unchecked Sendable {
  /// A copy of each row, and where its field ends. What rows refer to lives as long as the copies do, so that the same bits
  /// mean the same row.
  @usableFromInline @exclusivity(unchecked) var rows: [(row: Row, end: Int)] = []
  /// The rows' fields, one after the other.
  @usableFromInline @exclusivity(unchecked) var fields = WireWriter()

  /// Writes the rows of a small table as elements of a field.
  @inlinable
  func write(_ field: Int, _ table: borrowing StateTable<Row>, to writer: inout WireWriter) {
    guard rows.count == table.count else { return writeAll(field, table, to: &writer) }
    let start = writer.count
    var isSame = true
    rows.withUnsafeMutableBufferPointer { rows in
      guard var known = rows.baseAddress else { return }
      var begin = 0
      table.forEachRow { row in
        let end = known.pointee.end
        if SameBits.areSame(known, row, MemoryLayout<Row>.size) {
          fields.withBytes { writer.append(encoded: $0[begin..<end]) }
        } else {
          isSame = false
          writer.write(field) { row.pointee.encode(into: &$0) }
          known.pointee.row = row.pointee
        }
        known.pointee.end = writer.count - start
        begin = end
        known += 1
      }
    }
    if !isSame { keep(writer, from: start) }
  }

  @inlinable @inline(never)
  func writeAll(_ field: Int, _ table: borrowing StateTable<Row>, to writer: inout WireWriter) {
    let start = writer.count
    rows.removeAll()
    table.forEachRow { row in
      writer.write(field) { row.pointee.encode(into: &$0) }
      rows.append((row.pointee, writer.count - start))
    }
    keep(writer, from: start)
  }

  @inlinable
  func keep(_ writer: borrowing WireWriter, from start: Int) {
    fields.removeAll()
    writer.withBytes { fields.append(encoded: $0[start...]) }
  }
}

/// The ``WrittenRows`` of a small table, whatever its rows are.
@usableFromInline
class WrittenTable: @unchecked Sendable {
  @usableFromInline let slice: Int
  @usableFromInline let field: Int

  @usableFromInline
  init(slice: Int, field: Int) {
    self.slice = slice
    self.field = field
  }
}
