import WireFormat

/// Reads the fields in the order of the list: one visit reads what a writer wrote, without checking which other field a
/// tag could mean.
public struct FieldReader: FieldVisitor {
  /// Why the bytes are not a valid message.
  public typealias Failure = WireError

  // A local copy of the reader stays in registers.
  @usableFromInline var reader: WireReader
  /// The required fields that were not read, by their numbers' bits.
  @usableFromInline var missing: UInt64 = 0

  @inlinable
  init(_ reader: WireReader) {
    self.reader = reader
  }

  /// Reads the field, if it is present.
  @inlinable @inline(__always)
  public mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) throws(WireError) {
    if let field = reader.field(ifNext: label.number, Coding.wireType),
      let read = try Coding.read(field, from: &reader)
    {
      value = read
    } else if label.isRequired {
      missing |= 1 &<< UInt64(label.number)
    }
  }

  /// Reads the field, if it is present.
  @inlinable @inline(__always)
  public mutating func optional<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding
  ) throws(WireError) {
    if let field = reader.field(ifNext: label.number, Coding.wireType) {
      value = try Coding.read(field, from: &reader)
    }
  }

  /// Reads the elements that are present.
  @inlinable @inline(__always)
  public mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) throws(WireError) {
    while let field = reader.field(ifNext: label.number, Coding.wireType) {
      values.append(try reader.element(field, coding, after: values.last, isInOrder: isInOrder))
    }
  }

  /// Reads the rows that are present.
  @inlinable
  public mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) throws(WireError) {
    while let field = reader.field(ifNext: label.number, .lengthDelimited) {
      table.set(try reader.element(field, MessageCoding<Row>(), after: table.last) { $0.key < $1.key })
    }
  }
}

extension FieldReader {
  /// Reads the fields from the first one on that is out of the list's order: visits the list once for each.
  @inlinable @inline(__always)
  mutating func readRest(_ visit: (inout FieldSeeker) throws(WireError) -> Void) throws(WireError) {
    while let field = try reader.nextField() {
      var seeker = FieldSeeker(field, self)
      try visit(&seeker)
      if !seeker.isFound { try seeker.reader.skip(field) }
      reader = seeker.reader
      missing = seeker.missing
    }
  }

  /// Refuses a message without one of its required fields.
  @inlinable
  func checkRequired() throws(WireError) {
    if missing != 0 { throw WireError(.missing(field: missing.trailingZeroBitCount), at: reader.offset) }
  }
}

/// Reads one field that is out of the list's order.
public struct FieldSeeker: FieldVisitor {
  /// Why the bytes are not a valid message.
  public typealias Failure = WireError

  @usableFromInline var reader: WireReader
  @usableFromInline var missing: UInt64
  @usableFromInline let field: WireReader.Field
  /// Whether the list has the field.
  @usableFromInline var isFound = false

  @inlinable
  init(_ field: WireReader.Field, _ fields: FieldReader) {
    self.field = field
    reader = fields.reader
    missing = fields.missing
  }

  /// Whether a field of the list is the one to find.
  @inlinable
  mutating func finds(_ label: FieldLabel) -> Bool {
    guard label.number == field.number, !isFound else { return false }
    isFound = true
    return true
  }

  /// Reads the field, if it is present.
  @inlinable
  public mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) throws(WireError) {
    guard finds(label) else { return }
    let bit: UInt64 = 1 &<< UInt64(label.number)
    if let read = try Coding.read(field, from: &reader) {
      value = read
      if label.isRequired { missing &= ~bit }
    } else if label.isRequired {
      missing |= bit
    }
  }

  /// Reads the field, if it is present.
  @inlinable
  public mutating func optional<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding
  ) throws(WireError) {
    if finds(label) { value = try Coding.read(field, from: &reader) }
  }

  /// Reads the elements that are present.
  @inlinable
  public mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) throws(WireError) {
    guard finds(label) else { return }
    values.append(try reader.element(field, coding, after: values.last, isInOrder: isInOrder))
  }

  /// Reads the rows that are present.
  @inlinable
  public mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) throws(WireError) {
    guard finds(label) else { return }
    table.set(try reader.element(field, MessageCoding<Row>(), after: table.last) { $0.key < $1.key })
  }
}

extension WireReader {
  /// Reads an element of a repeated field; it must be present and may follow the last one.
  @inlinable @inline(__always)
  mutating func element<Coding: FieldCoding>(
    _ field: Field, _ coding: Coding, after last: Coding.Value?, isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) throws(WireError) -> Coding.Value {
    guard let element = try Coding.read(field, from: &self) else {
      throw WireError(.missing(field: field.number), at: offset)
    }
    if let last, !isInOrder(last, element) { throw WireError(.outOfRange(field: field.number), at: field.offset) }
    return element
  }
}
