import EventSourcing

/// A closed choice that stands in events and states: its raw value on the wire, its case name in print.
///
/// The member with number 0 is what an absent field means, and none is greater than 255. A number that is not in the list
/// makes the body undecodable: whoever adds a member raises the version of every body that can hold it.
///
/// As a `CodingKey` it has its cases' names from the compiler. Printing a case instead asks in vain whether its type has a
/// description of its own, which takes half a million instructions for each type that is asked about.
public protocol WireEnumeration: RawRepresentable, CaseIterable, CodingKey, Hashable, FieldValue, Sendable
where RawValue == Int {
  /// What a state tree shows for the member: the ``name``, where nothing else is said.
  var shownName: String { get }
}

extension WireEnumeration {
  /// The member's name as people see it: that of the case.
  public var name: String { stringValue }

  /// The ``name``.
  public var shownName: String { stringValue }

  /// The ``name``.
  public var description: String { stringValue }

  /// The ``name``.
  public var debugDescription: String { stringValue }

  /// The enumeration's name in the published schema: that of the type.
  public static var schemaName: String { _typeName(Self.self, qualified: false) }

  /// The names of all numbers, for the catalogue.
  public static var descriptor: EnumerationDescriptor {
    EnumerationDescriptor(schemaName, allCases.map { (UInt64($0.rawValue), $0.name) }.sorted { $0.0 < $1.0 })
  }
}

/// A ``WireEnumeration`` in a field.
public struct EnumerationCoding<Value: WireEnumeration>: NumberCoding {
  /// The names of the members.
  public static var type: FieldType { .enumeration(Value.descriptor) }
  /// The member's number.
  @inline(__always)
  public static func number(of value: Value) -> UInt64 { UInt64(value.rawValue) }
  /// The member with a number.
  @inline(__always)
  public static func value(of number: UInt64) -> Value? {
    UInt8(exactly: number).flatMap { Value(rawValue: Int($0)) }
  }
  /// The member's name.
  public static func tree(of value: Value, _ privacy: Privacy) -> StateTree { .value(.name(value.shownName)) }
}

extension WireEnumeration {
  /// The member's number.
  public static var coding: EnumerationCoding<Self> { EnumerationCoding() }
}
