import WireFormat

/// Visits the fields of a slice to digest them: writes each as its encoding does, and a large ``StateTable`` as the
/// digests of its parts.
///
/// ```swift
/// func digestSlice(_ index: Int, into writer: inout DigestWriter) {
///   writer.fields.write(1, unsigned: limit)
///   writer.write(2, table: accounts)
/// }
/// ```
public struct DigestWriter: FieldVisitor, Sendable {
  /// Writing does not fail.
  public typealias Failure = Never

  /// What is written so far.
  public var fields = WireWriter()
  /// Buffers for a row, and for the digests of rows or parts.
  @usableFromInline var row = WireWriter()
  @usableFromInline var digests: [UInt8] = []
  /// How the digest is computed that this is for, and whether a field list says what it covers.
  @usableFromInline var scheme = DigestScheme.merkle
  @usableFromInline var isListed = false
  /// The slice that is written, and whether its rows will be written again from the same memory.
  @usableFromInline var slice = 0
  @usableFromInline var isInPlace = false
  /// The small tables of slices in place as last written.
  @usableFromInline var tables: [WrittenTable] = []

  @usableFromInline
  init() {}

  /// Writes a field for a table: the rows of a small one, the summary of a large one.
  @inlinable
  public mutating func write<Row: TableRow>(_ field: Int, table: StateTable<Row>) {
    if let tree = table.tree {
      tree.summarize(&self)
      fields.write(field, bytes: digests)
    } else if isInPlace {
      write(field, inPlace: table)
    } else {
      // Rows that were copied in between seldom have the same bits: comparing them would cost more than it saves.
      fields.write(field, table: table)
    }
  }

  /// Writes the rows of a small table, and encodes only those that changed.
  @inlinable
  mutating func write<Row: TableRow>(_ field: Int, inPlace table: borrowing StateTable<Row>) {
    let slice = slice
    let place = tables.firstIndex { $0.field == field && $0.slice == slice } ?? tables.endIndex
    if place == tables.endIndex { tables.append(WrittenRows<Row>(slice: slice, field: field)) }
    // A copy of this writer goes on with other states, and its own rows.
    if isKnownUniquelyReferenced(&tables[place]), let rows = tables[place] as? WrittenRows<Row> {
      return rows.write(field, table, to: &fields)
    }
    let rows = WrittenRows<Row>(slice: slice, field: field)
    rows.write(field, table, to: &fields)
    tables[place] = rows
  }

  /// The digest of a row: of a message of its key and its encoding.
  @inlinable
  mutating func digest<Row: TableRow>(of row: Row) -> Digest {
    self.row.removeAll()
    self.row.writePresent(1, fixed: Int64(bitPattern: row.key))
    self.row.write(2) { row.encode(into: &$0) }
    return .sha256(self.row)
  }

  /// Makes room for so many bytes of digests.
  @inlinable
  mutating func setCount(ofDigests count: Int) {
    let excess = digests.count - count
    if excess > 0 { digests.removeLast(excess) }
    if excess < 0 { digests.append(contentsOf: repeatElement(0, count: -excess)) }
  }

  // MARK: - Fields

  /// Writes the field unless it holds its default.
  @inlinable @inline(__always)
  public mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    fields.single(label, &value, coding, unless: standard())
  }

  /// Writes the field if it is present.
  @inlinable @inline(__always)
  public mutating func optional<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding
  ) {
    fields.optional(label, &value, coding)
  }

  /// Writes every element.
  @inlinable @inline(__always)
  public mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    fields.repeated(label, &values, coding, isInOrder: isInOrder)
  }

  /// Writes the rows of a small table, the digests of a large one.
  @inlinable @inline(__always)
  public mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) {
    write(label.number, table: table)
  }
}

extension FieldList {
  /// Writes one field for a digest.
  @inlinable
  func digestField(_ index: Int, into writer: inout DigestWriter) {
    var copy = self
    var field = FieldAt(index, DigestWriter())
    swap(&field.visitor, &writer)
    Self.visit(&copy, &field)
    swap(&field.visitor, &writer)
  }

  /// Writes the fields for a digest.
  @inlinable
  public func digest(into writer: inout DigestWriter) {
    var copy = self
    Self.visit(&copy, &writer)
  }
}
