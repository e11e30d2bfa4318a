import WireFormat

/// The coding of a type whose default is written too, for a field whose absence means another value.
public struct ExplicitCoding<Base: FieldCoding>: FieldCoding {
  /// The coding of the same values that leaves the default out.
  @inlinable public init(_ base: Base) {}
  /// How it is laid out on the wire.
  @inlinable public static var wireType: WireType { Base.wireType }
  /// What the published schema calls it.
  @inlinable public static var type: FieldType { Base.type }
  /// No value is what an absent field means.
  @inlinable public static func isDefault(_ value: Base.Value) -> Bool { false }
  /// Writes the value.
  @inlinable
  public static func write(_ value: Base.Value, to number: Int, of writer: inout WireWriter) {
    Base.write(value, to: number, of: &writer)
  }
  /// Reads a value.
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Base.Value? {
    try Base.read(field, from: &reader)
  }
  /// The value for people.
  @inlinable
  public static func tree(of value: Base.Value, _ privacy: Privacy) -> StateTree { Base.tree(of: value, privacy) }
}
