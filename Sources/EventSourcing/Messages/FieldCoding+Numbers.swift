import WireFormat

/// A coding as an unsigned number: a flag, a count, a choice.
public protocol NumberCoding: FieldCoding {
  /// The number that represents a value.
  static func number(of value: Value) -> UInt64

  /// The value that a number represents; `nil` if it represents none, which is refused.
  static func value(of number: UInt64) -> Value?
}

extension NumberCoding {
  /// As a varint.
  @inlinable public static var wireType: WireType { .varint }

  /// Whether the value is that of zero.
  @inlinable @inline(__always)
  public static func isDefault(_ value: Value) -> Bool { number(of: value) == 0 }

  /// Writes the value's number.
  @inlinable @inline(__always)
  public static func write(_ value: Value, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, unsigned: Self.number(of: value))
  }

  /// Reads a number; refuses one that represents no value.
  @inlinable @inline(__always)
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Value? {
    guard let value = value(of: try reader.unsigned(field)) else {
      throw WireError(.outOfRange(field: field.number), at: field.offset)
    }
    return value
  }
}

/// `bool`.
public struct BoolCoding: NumberCoding {
  @inlinable init() {}
  /// `bool`.
  @inlinable public static var type: FieldType { .bool }
  /// One for true.
  @inlinable public static func number(of value: Bool) -> UInt64 { value ? 1 : 0 }
  /// True for any number but zero.
  @inlinable public static func value(of number: UInt64) -> Bool? { number != 0 }
  /// True or false.
  @inlinable public static func tree(of value: Bool, _ privacy: Privacy) -> StateTree { .value(.bool(value)) }
}

extension Bool: FieldValue {
  /// `bool`.
  @inlinable public static var coding: BoolCoding { BoolCoding() }
}

/// `uint64`: a count or a number without unit.
public struct UnsignedCoding<Number: FixedWidthInteger & UnsignedInteger & Sendable>: NumberCoding {
  @inlinable init() {}
  /// `uint64`.
  @inlinable public static var type: FieldType { .unsigned }
  /// The number itself.
  @inlinable public static func number(of value: Number) -> UInt64 { UInt64(value) }
  /// The number, where it fits.
  @inlinable public static func value(of number: UInt64) -> Number? { Number(exactly: number) }
  /// The number.
  @inlinable
  public static func tree(of value: Number, _ privacy: Privacy) -> StateTree {
    .value(.integer(Int64(clamping: value)))
  }
}

extension UInt32: FieldValue {
  /// `uint64`.
  @inlinable public static var coding: UnsignedCoding<UInt32> { UnsignedCoding() }
}

extension UInt64: FieldValue {
  /// `uint64`.
  @inlinable public static var coding: UnsignedCoding<UInt64> { UnsignedCoding() }
}

/// `uint64`: the position of an event in the journal. Zero is none.
public struct SequenceCoding: NumberCoding {
  @inlinable init() {}
  /// `uint64`, as a position.
  @inlinable public static var type: FieldType { .sequence }
  /// The position.
  @inlinable public static func number(of value: UInt64) -> UInt64 { value }
  /// The position.
  @inlinable public static func value(of number: UInt64) -> UInt64? { number }
  /// No event shows as unset.
  @inlinable public static var hidesDefault: Bool { true }
  /// The position.
  @inlinable public static func tree(of value: UInt64, _ privacy: Privacy) -> StateTree { .value(.sequence(value)) }
}

extension FieldCoding where Self == SequenceCoding {
  /// The position of an event.
  @inlinable public static var sequence: SequenceCoding { SequenceCoding() }
}

/// `uint64`: a length of time in nanoseconds that is seldom negative, as the bits of a signed number.
public struct ElapsedCoding: NumberCoding {
  @inlinable init() {}
  /// `uint64`.
  @inlinable public static var type: FieldType { .unsigned }
  /// The bits of the length.
  @inlinable public static func number(of value: Int64) -> UInt64 { UInt64(bitPattern: value) }
  /// The length with these bits.
  @inlinable public static func value(of number: UInt64) -> Int64? { Int64(bitPattern: number) }
  /// The length.
  @inlinable public static func tree(of value: Int64, _ privacy: Privacy) -> StateTree { .value(.duration(value)) }
}

extension FieldCoding where Self == ElapsedCoding {
  /// A length of time that is seldom negative.
  @inlinable public static var elapsed: ElapsedCoding { ElapsedCoding() }
}
