import WireFormat

/// A writer visits the fields of a message by writing them.
extension WireWriter: FieldVisitor {
  /// Writing does not fail.
  public typealias Failure = Never

  /// Writes the field unless it holds its default.
  @inlinable @inline(__always)
  public mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    let isLeftOut = if let standard = standard() { value == standard } else { Coding.isDefault(value) }
    if label.isAlwaysWritten || !isLeftOut { Coding.write(value, to: label.number, of: &self) }
  }

  /// Writes the field if it is present.
  @inlinable @inline(__always)
  public mutating func optional<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding
  ) {
    if let value { Coding.write(value, to: label.number, of: &self) }
  }

  /// Writes every element.
  @inlinable @inline(__always)
  public mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    // Written in place: taking an element out of the array would copy it.
    values.withUnsafeBufferPointer { values in
      for index in values.indices { Coding.write(values[index], to: label.number, of: &self) }
    }
  }

  /// Writes every row.
  @inlinable
  public mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) {
    write(label.number, table: table)
  }
}

extension WireWriter {
  /// Writes a field for each row of a table.
  @inlinable
  mutating func write<Row: TableRow>(_ field: Int, table: borrowing StateTable<Row>) {
    table.forEachRow { row in write(field) { row.pointee.encode(into: &$0) } }
  }
}
