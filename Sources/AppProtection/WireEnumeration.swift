import EventSourcing
import WireFormat

/// A closed choice that stands in events and states: its raw value on the wire, its case name in print.
///
/// The member with number 0 is what an absent field means. A number that is not in the list makes the body undecodable:
/// whoever adds a member raises the version of every body that can hold it.
public protocol WireEnumeration: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == UInt8 {}

extension WireEnumeration {
  /// The member's name as people see it: that of the case.
  public var name: String { caseName(of: self).map { String(cString: $0) } ?? "\(self)" }

  /// The enumeration's name in the published schema: that of the type.
  public static var schemaName: String { _typeName(Self.self, qualified: false) }

  /// The names of all numbers, for the catalogue.
  public static var descriptor: EnumerationDescriptor {
    EnumerationDescriptor(schemaName, allCases.map { (UInt64($0.rawValue), $0.name) }.sorted { $0.0 < $1.0 })
  }
}

/// What the standard library prints a case with, as it declares it. Printing one first asks in vain whether its type has a
/// description of its own, which takes half a million instructions for each type that is asked about.
@_silgen_name("swift_EnumCaseName")
private func caseName<Choice>(of choice: Choice) -> UnsafePointer<CChar>?

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
  mutating func enumeration<Value: WireEnumeration>(
    _ field: Field, as type: Value.Type
  ) throws(WireError) -> Value {
    guard let value = Value(rawValue: try unsigned(field, as: UInt8.self)) else {
      throw WireError(.outOfRange(field: field.number), at: field.offset)
    }
    return value
  }
}
