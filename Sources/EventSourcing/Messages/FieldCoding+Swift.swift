import WireFormat

/// `sint64`: a whole number.
public struct IntCoding: FieldCoding {
  @inlinable init() {}
  @inlinable public static var wireType: WireType { .varint }
  @inlinable public static var type: FieldType { .signed }
  @inlinable public static func isDefault(_ value: Int) -> Bool { value == 0 }
  @inlinable
  public static func write(_ value: Int, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, signed: Int64(value))
  }
  /// Refuses a number that an `Int` of this device does not hold.
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Int? {
    guard let value = Int(exactly: try reader.signed(field)) else {
      throw WireError(.outOfRange(field: field.number), at: field.offset)
    }
    return value
  }
  @inlinable
  public static func tree(of value: Int, _ privacy: Privacy) -> StateTree { .value(.integer(Int64(value))) }
}

extension Int: FieldValue {
  /// `sint64`.
  @inlinable public static var coding: IntCoding { IntCoding() }
}

/// `double`. Equal numbers have equal bytes: −0 is written as 0, and every NaN as one.
public struct DoubleCoding: FieldCoding {
  @inlinable init() {}
  @inlinable public static var wireType: WireType { .fixed64 }
  /// What readers that do not know the refinement show.
  @inlinable public static var type: FieldType { .time }
  @inlinable public static var refinement: FieldRefinement? { .double }
  @inlinable public static func isDefault(_ value: Double) -> Bool { value == 0 }
  @inlinable
  public static func write(_ value: Double, to number: Int, of writer: inout WireWriter) {
    let canonical = value == 0 ? 0 : value.isNaN ? .nan : value
    writer.writePresent(number, fixed: Int64(bitPattern: canonical.bitPattern))
  }
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Double? {
    Double(bitPattern: UInt64(bitPattern: try reader.fixed(field)))
  }
  public static func tree(of value: Double, _ privacy: Privacy) -> StateTree { .value(.name("\(value)")) }
}

extension Double: FieldValue {
  /// `double`.
  @inlinable public static var coding: DoubleCoding { DoubleCoding() }
}

/// `bytes`.
public struct BytesCoding: FieldCoding {
  @inlinable init() {}
  @inlinable public static var wireType: WireType { .lengthDelimited }
  @inlinable public static var type: FieldType { .bytes }
  @inlinable public static func isDefault(_ value: [UInt8]) -> Bool { value.isEmpty }
  @inlinable
  public static func write(_ value: [UInt8], to number: Int, of writer: inout WireWriter) {
    writer.write(number) { $0.append(encoded: value) }
  }
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> [UInt8]? {
    try reader.bytes(field)
  }
  /// The default shows as unset.
  @inlinable public static var hidesDefault: Bool { true }
  /// Two digits a byte.
  public static func tree(of value: [UInt8], _ privacy: Privacy) -> StateTree {
    let digits = value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return privacy == .public ? .value(.name(digits)) : TextCoding.tree(of: digits, privacy)
  }
}

extension Array: FieldValue where Element == UInt8 {
  /// `bytes`.
  @inlinable public static var coding: BytesCoding { BytesCoding() }
}

/// `sint64`: the number of days since 1970-01-01, written even if it is zero.
public struct CivilDateCoding: FieldCoding {
  @inlinable init() {}
  @inlinable public static var wireType: WireType { .varint }
  /// What readers that do not know the refinement show.
  @inlinable public static var type: FieldType { .signed }
  @inlinable public static var refinement: FieldRefinement? { .date }
  @inlinable public static func isDefault(_ value: CivilDate) -> Bool { false }
  @inlinable public static var hasDefault: Bool { false }
  @inlinable
  public static func write(_ value: CivilDate, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, signed: value.daysSince1970)
  }
  /// Refuses a day outside the years 1 to 9999.
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> CivilDate? {
    guard let date = CivilDate(daysSince1970: try reader.signed(field)) else {
      throw WireError(.outOfRange(field: field.number), at: field.offset)
    }
    return date
  }
  @inlinable
  public static func tree(of value: CivilDate, _ privacy: Privacy) -> StateTree {
    privacy == .public ? .value(.name(value.description)) : TextCoding.tree(of: value.description, privacy)
  }
}

extension CivilDate: FieldValue {
  /// The number of days since 1970-01-01.
  @inlinable public static var coding: CivilDateCoding { CivilDateCoding() }
}
