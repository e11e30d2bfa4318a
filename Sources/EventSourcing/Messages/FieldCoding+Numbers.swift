import WireFormat

/// `bool`.
public struct BoolCoding: FieldCoding {
  @inlinable init() {}
  /// How it is laid out on the wire.
  @inlinable public static var wireType: WireType { .varint }
  /// What the published schema calls it.
  @inlinable public static var type: FieldType { .bool }
  /// Whether an absent field means the value.
  @inlinable public static func isDefault(_ value: Bool) -> Bool { !value }
  /// Writes the value.
  @inlinable
  public static func write(_ value: Bool, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, unsigned: value ? 1 : 0)
  }
  /// Reads a value.
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Bool? {
    try reader.bool(field)
  }
  /// The value for people.
  @inlinable
  public static func tree(of value: Bool, _ privacy: Privacy) -> StateTree { .value(.bool(value)) }
}

extension Bool: FieldValue {
  /// `bool`.
  @inlinable public static var coding: BoolCoding { BoolCoding() }
}

/// `uint64`: a count or a number without unit.
public struct UnsignedCoding<Number: FixedWidthInteger & UnsignedInteger & Sendable>: FieldCoding {
  @inlinable init() {}
  /// How it is laid out on the wire.
  @inlinable public static var wireType: WireType { .varint }
  /// What the published schema calls it.
  @inlinable public static var type: FieldType { .unsigned }
  /// Whether an absent field means the value.
  @inlinable public static func isDefault(_ value: Number) -> Bool { value == 0 }
  /// Writes the value.
  @inlinable
  public static func write(_ value: Number, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, unsigned: UInt64(value))
  }
  /// Reads a value.
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Number? {
    try reader.unsigned(field, as: Number.self)
  }
  /// The value for people.
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
public struct SequenceCoding: FieldCoding {
  @inlinable init() {}
  /// How it is laid out on the wire.
  @inlinable public static var wireType: WireType { .varint }
  /// What the published schema calls it.
  @inlinable public static var type: FieldType { .sequence }
  /// Whether an absent field means the value.
  @inlinable public static func isDefault(_ value: UInt64) -> Bool { value == 0 }
  /// Writes the value.
  @inlinable
  public static func write(_ value: UInt64, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, unsigned: value)
  }
  /// Reads a value.
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> UInt64? {
    try reader.unsigned(field)
  }
  /// The default shows as unset.
  @inlinable public static var hidesDefault: Bool { true }
  /// The value for people.
  @inlinable
  public static func tree(of value: UInt64, _ privacy: Privacy) -> StateTree { .value(.sequence(value)) }
}

extension FieldCoding where Self == SequenceCoding {
  /// The position of an event.
  @inlinable public static var sequence: SequenceCoding { SequenceCoding() }
}

/// `sint64`: a number that may be negative.
public struct SignedCoding: FieldCoding {
  @inlinable init() {}
  /// How it is laid out on the wire.
  @inlinable public static var wireType: WireType { .varint }
  /// What the published schema calls it.
  @inlinable public static var type: FieldType { .signed }
  /// Whether an absent field means the value.
  @inlinable public static func isDefault(_ value: Int64) -> Bool { value == 0 }
  /// Writes the value.
  @inlinable
  public static func write(_ value: Int64, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, signed: value)
  }
  /// Reads a value.
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Int64? {
    try reader.signed(field)
  }
  /// The value for people.
  @inlinable
  public static func tree(of value: Int64, _ privacy: Privacy) -> StateTree { .value(.integer(value)) }
}

extension Int64: FieldValue {
  /// `sint64`, without unit.
  @inlinable public static var coding: SignedCoding { SignedCoding() }
}

/// `sfixed64`: nanoseconds since 1970-01-01T00:00:00Z.
public struct TimeCoding: FieldCoding {
  @inlinable init() {}
  /// How it is laid out on the wire.
  @inlinable public static var wireType: WireType { .fixed64 }
  /// What the published schema calls it.
  @inlinable public static var type: FieldType { .time }
  /// Whether an absent field means the value.
  @inlinable public static func isDefault(_ value: Int64) -> Bool { false }
  /// Writes the value.
  @inlinable
  public static func write(_ value: Int64, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, fixed: value)
  }
  /// Reads a value.
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Int64? {
    try reader.fixed(field)
  }
  /// The value for people.
  @inlinable
  public static func tree(of value: Int64, _ privacy: Privacy) -> StateTree { .value(.time(value)) }
}

extension FieldCoding where Self == TimeCoding {
  /// A point in time, written even if it is that of 1970.
  @inlinable public static var time: TimeCoding { TimeCoding() }
}

/// `sint64`: a length of time in nanoseconds.
public struct DurationCoding: FieldCoding {
  @inlinable init() {}
  /// How it is laid out on the wire.
  @inlinable public static var wireType: WireType { .varint }
  /// What the published schema calls it.
  @inlinable public static var type: FieldType { .duration }
  /// Whether an absent field means the value.
  @inlinable public static func isDefault(_ value: Int64) -> Bool { false }
  /// Writes the value.
  @inlinable
  public static func write(_ value: Int64, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, signed: value)
  }
  /// Reads a value.
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Int64? {
    try reader.signed(field)
  }
  /// The value for people.
  @inlinable
  public static func tree(of value: Int64, _ privacy: Privacy) -> StateTree { .value(.duration(value)) }
}

extension FieldCoding where Self == DurationCoding {
  /// A length of time, written even if it is none.
  @inlinable public static var duration: DurationCoding { DurationCoding() }
}

/// `uint64`: a length of time in nanoseconds that is seldom negative, as the bits of a signed number.
public struct ElapsedCoding: FieldCoding {
  @inlinable init() {}
  /// How it is laid out on the wire.
  @inlinable public static var wireType: WireType { .varint }
  /// What the published schema calls it.
  @inlinable public static var type: FieldType { .unsigned }
  /// Whether an absent field means the value.
  @inlinable public static func isDefault(_ value: Int64) -> Bool { value == 0 }
  /// Writes the value.
  @inlinable
  public static func write(_ value: Int64, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, unsigned: UInt64(bitPattern: value))
  }
  /// Reads a value.
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Int64? {
    Int64(bitPattern: try reader.unsigned(field))
  }
  /// The value for people.
  @inlinable
  public static func tree(of value: Int64, _ privacy: Privacy) -> StateTree { .value(.duration(value)) }
}

extension FieldCoding where Self == ElapsedCoding {
  /// A length of time that is seldom negative.
  @inlinable public static var elapsed: ElapsedCoding { ElapsedCoding() }
}
