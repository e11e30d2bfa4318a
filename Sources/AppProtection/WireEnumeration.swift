import EventSourcing
import WireFormat

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

extension WireWriter {
  /// Writes an enumeration; its member 0 is left out.
  mutating func write(_ field: Int, enumeration value: some WireEnumeration) {
    write(field, unsigned: UInt64(value.rawValue))
  }

  /// Writes a point in time; `nil` is left out, the year 1970 is not.
  mutating func write(_ field: Int, time: Int64?) {
    if let time { writePresent(field, fixed: time) }
  }

  /// Writes a length of time in nanoseconds; `nil` is left out.
  mutating func write(_ field: Int, duration: Int64?) {
    if let duration { writePresent(field, signed: duration) }
  }

  /// Writes text; `nil` is left out, the empty text is not.
  mutating func write(_ field: Int, optional text: String?) {
    if let text { writePresent(field, string: text) }
  }

  /// Writes a yes or no; `nil` is left out, `false` is not.
  mutating func write(_ field: Int, optional flag: Bool?) {
    if let flag { writePresent(field, unsigned: flag ? 1 : 0) }
  }
}

extension WireReader {
  /// Reads an enumeration; a number without a member is refused.
  @inline(__always)
  mutating func enumeration<Value: WireEnumeration>(
    _ field: Field, as type: Value.Type
  ) throws(WireError) -> Value {
    guard let value = Value(rawValue: Int(try unsigned(field, as: UInt8.self))) else {
      throw WireError(.outOfRange(field: field.number), at: field.offset)
    }
    return value
  }
}

/// A ``WireEnumeration`` in a field.
public struct EnumerationCoding<Value: WireEnumeration>: FieldCoding {
  /// As a number without sign.
  public static var wireType: WireType { .varint }
  /// The names of the members.
  public static var type: FieldType { .enumeration(Value.descriptor) }

  /// Whether it is the member 0.
  @inline(__always)
  public static func isDefault(_ value: Value) -> Bool { value.rawValue == 0 }

  /// Writes the member's number.
  @inline(__always)
  public static func write(_ value: Value, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, unsigned: UInt64(value.rawValue))
  }

  /// Reads a member; a number without one is refused.
  @inline(__always)
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Value? {
    try reader.enumeration(field, as: Value.self)
  }

  /// The member's name.
  public static func tree(of value: Value, _ privacy: Privacy) -> StateTree { .value(.name(value.shownName)) }
}

extension WireEnumeration {
  /// The member's number.
  public static var coding: EnumerationCoding<Self> { EnumerationCoding() }
}
