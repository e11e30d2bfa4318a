import EventSourcing
import WireFormat

/// A choice that others may extend: every number is a value, and some have names.
public protocol OpenEnumeration: RawRepresentable, FieldValue, Sendable where RawValue == UInt32 {
  /// The names of the known numbers, for the catalogue.
  static var descriptor: EnumerationDescriptor { get }

  /// Creates a value; every number is one.
  init(rawValue: UInt32)

  /// The value for people.
  var shown: StateValue { get }
}

/// An ``OpenEnumeration`` in a field.
public struct OpenEnumerationCoding<Value: OpenEnumeration>: FieldCoding {
  /// As a number without sign.
  public static var wireType: WireType { .varint }
  /// The names of the known numbers.
  public static var type: FieldType { .enumeration(Value.descriptor) }

  /// Whether it is the number 0.
  @inline(__always)
  public static func isDefault(_ value: Value) -> Bool { value.rawValue == 0 }

  /// Writes the number.
  @inline(__always)
  public static func write(_ value: Value, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, unsigned: UInt64(value.rawValue))
  }

  /// Reads a number.
  @inline(__always)
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Value? {
    Value(rawValue: try reader.unsigned(field, as: UInt32.self))
  }

  /// What the value shows.
  public static func tree(of value: Value, _ privacy: Privacy) -> StateTree { .value(value.shown) }
}

extension OpenEnumeration {
  /// The number.
  public static var coding: OpenEnumerationCoding<Self> { OpenEnumerationCoding() }
}

extension EnrollmentStatusCode: OpenEnumeration {
  /// The number: an app compares it.
  public var shown: StateValue { .integer(Int64(rawValue)) }
}

extension WipeReason: OpenEnumeration {
  /// The name.
  public var shown: StateValue { .name(name) }
}
