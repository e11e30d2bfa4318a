import EventSourcing

/// An extensible choice: every number is a value, and some have names.
public protocol OpenEnumeration: RawRepresentable, FieldValue, Sendable where RawValue == UInt32 {
  /// The names of the known numbers, for the catalogue.
  static var descriptor: EnumerationDescriptor { get }

  /// Creates a value; every number is one.
  init(rawValue: UInt32)

  /// The value as displayed.
  var shown: StateValue { get }
}

/// An ``OpenEnumeration`` in a field.
public struct OpenEnumerationCoding<Value: OpenEnumeration>: NumberCoding {
  /// The names of the known numbers.
  public static var type: FieldType { .enumeration(Value.descriptor) }
  /// The number itself.
  @inline(__always)
  public static func number(of value: Value) -> UInt64 { UInt64(value.rawValue) }
  /// Every number of 32 bits is a value.
  @inline(__always)
  public static func value(of number: UInt64) -> Value? { UInt32(exactly: number).map { Value(rawValue: $0) } }
  /// The value as displayed.
  public static func tree(of value: Value, _ privacy: Privacy) -> StateTree { .value(value.shown) }
}

extension OpenEnumeration {
  /// The number.
  public static var coding: OpenEnumerationCoding<Self> { OpenEnumerationCoding() }
}

extension EnrollmentStatusCode: OpenEnumeration {
  /// The number, because apps compare it.
  public var shown: StateValue { .integer(Int64(rawValue)) }
}
