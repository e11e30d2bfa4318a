/// A closed choice in events and states: encoded by raw value, printed by case name.
///
/// An absent field means the member with number 0. An unlisted number makes the body undecodable,
/// so adding a member requires raising the version of every body that can hold it; only an enumeration that no decision
/// reads names an ``unlisted`` member instead.
///
/// `CodingKey` supplies the case names from the compiler. Printing a case instead would look for a custom description,
/// which takes half a million instructions per type and finds none.
public protocol WireEnumeration: RawRepresentable, CaseIterable, CodingKey, Hashable, FieldValue, Sendable
where RawValue == Int {
  /// The enumeration's name in the published schema; by default that of the type. No two of a domain may have the same.
  static var schemaName: String { get }

  /// The member's name in a state tree; by default the ``name``.
  var shownName: String { get }

  /// The member that an unlisted number is read as; `nil`, the default, makes it an error.
  static var unlisted: Self? { get }
}

extension WireEnumeration {
  /// The member's displayed name: the case name.
  @inlinable public var name: String { stringValue }

  /// The ``name``.
  @inlinable public var shownName: String { stringValue }

  /// No member: an unlisted number is an error.
  @inlinable public static var unlisted: Self? { nil }

  /// The ``name``.
  @inlinable public var description: String { stringValue }

  /// The ``name``.
  @inlinable public var debugDescription: String { stringValue }

  /// The enumeration's name in the published schema: that of the type.
  public static var schemaName: String { _typeName(Self.self, qualified: false) }

  /// The names of all numbers, for the catalogue.
  public static var descriptor: EnumerationDescriptor {
    assert(Set(allCases.map(\.name)).count == allCases.count, "two members have one name")
    let members = allCases.map { (EnumerationCoding.number(of: $0), $0.name) }
    return EnumerationDescriptor(schemaName, members.sorted { $0.0 < $1.0 })
  }
}

/// A ``WireEnumeration`` in a field.
public struct EnumerationCoding<Value: WireEnumeration>: NumberCoding {
  @inlinable init() {}
  /// The names of the members.
  public static var type: FieldType { .enumeration(Value.descriptor) }
  /// The member's number.
  @inlinable @inline(__always)
  public static func number(of value: Value) -> UInt64 { UInt64(bitPattern: Int64(value.rawValue)) }
  /// The member with a number, or the one for unlisted numbers.
  @inlinable @inline(__always)
  public static func value(of number: UInt64) -> Value? {
    Int(exactly: Int64(bitPattern: number)).flatMap { Value(rawValue: $0) } ?? Value.unlisted
  }
  /// The member's name.
  public static func tree(of value: Value, _ privacy: Privacy) -> StateTree { .value(.name(value.shownName)) }
}

extension WireEnumeration {
  /// The member's number.
  @inlinable public static var coding: EnumerationCoding<Self> { EnumerationCoding() }
}

/// An extensible choice: every number is a value, and some have names.
public protocol OpenEnumeration: RawRepresentable, FieldValue, Sendable where RawValue == UInt32 {
  /// The names of the known numbers, for the catalogue.
  static var descriptor: EnumerationDescriptor { get }

  /// Creates a value; every number is one.
  init(rawValue: UInt32)

  /// The value as displayed; by default the name of the number, or the number.
  var shown: StateValue { get }
}

/// An ``OpenEnumeration`` in a field.
public struct OpenEnumerationCoding<Value: OpenEnumeration>: NumberCoding {
  @inlinable init() {}
  /// The names of the known numbers.
  public static var type: FieldType { .enumeration(Value.descriptor) }
  /// The number itself.
  @inlinable @inline(__always)
  public static func number(of value: Value) -> UInt64 { UInt64(value.rawValue) }
  /// Every number of 32 bits is a value.
  @inlinable @inline(__always)
  public static func value(of number: UInt64) -> Value? { UInt32(exactly: number).map { Value(rawValue: $0) } }
  /// The value as displayed.
  public static func tree(of value: Value, _ privacy: Privacy) -> StateTree { .value(value.shown) }
}

extension OpenEnumeration {
  /// The name of the number, or the number where it has none.
  public var shown: StateValue {
    Self.descriptor.name(of: UInt64(rawValue)).map { .name($0) } ?? .integer(Int64(rawValue))
  }

  /// The number.
  @inlinable public static var coding: OpenEnumerationCoding<Self> { OpenEnumerationCoding() }
}
