import WireFormat

/// A coding of an `Int64`: as `sint64`, and even if it is zero, unless the coding says otherwise.
public protocol Int64Coding: FieldCoding where Value == Int64 {}

extension Int64Coding {
  @inlinable public static var wireType: WireType { .varint }
  @inlinable public static func isDefault(_ value: Int64) -> Bool { false }
  @inlinable public static var hasDefault: Bool { false }
  @inlinable
  public static func write(_ value: Int64, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, signed: value)
  }
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Int64? {
    try reader.signed(field)
  }
}

/// `sint64`: a number that may be negative.
public struct SignedCoding: Int64Coding {
  @inlinable init() {}
  @inlinable public static var type: FieldType { .signed }
  @inlinable public static func isDefault(_ value: Int64) -> Bool { value == 0 }
  @inlinable public static var hasDefault: Bool { true }
  @inlinable
  public static func tree(of value: Int64, _ privacy: Privacy) -> StateTree { .value(.integer(value)) }
}

extension Int64: FieldValue {
  /// `sint64`, without unit.
  @inlinable public static var coding: SignedCoding { SignedCoding() }
}

/// `sfixed64`: nanoseconds since 1970-01-01T00:00:00Z.
public struct TimeCoding: Int64Coding {
  @inlinable init() {}
  @inlinable public static var wireType: WireType { .fixed64 }
  @inlinable public static var type: FieldType { .time }
  @inlinable
  public static func write(_ value: Int64, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, fixed: value)
  }
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Int64? {
    try reader.fixed(field)
  }
  @inlinable
  public static func tree(of value: Int64, _ privacy: Privacy) -> StateTree { .value(.time(value)) }
}

extension FieldCoding where Self == TimeCoding {
  /// A point in time, written even if it is that of 1970.
  @inlinable public static var time: TimeCoding { TimeCoding() }
}

/// `sint64`: a length of time in nanoseconds.
public struct DurationCoding: Int64Coding {
  @inlinable init() {}
  @inlinable public static var type: FieldType { .duration }
  @inlinable
  public static func tree(of value: Int64, _ privacy: Privacy) -> StateTree { .value(.duration(value)) }
}

extension FieldCoding where Self == DurationCoding {
  /// A length of time, written even if it is zero.
  @inlinable public static var duration: DurationCoding { DurationCoding() }
}
