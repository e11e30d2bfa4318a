import WireFormat

extension WireWriter {
  /// Writes sixteen bytes; `nil` is omitted.
  @inlinable
  mutating func write(_ field: Int, guid: GUID?) {
    guard let guid else { return }
    withUnsafeBytes(of: (guid.high.bigEndian, guid.low.bigEndian)) { write(field, bytes: $0) }
  }
}

extension WireReader {
  /// Reads sixteen bytes; another length is refused.
  @inlinable
  mutating func guid(_ field: Field) throws(WireError) -> GUID {
    guard let value = GUID(bytes: try rawBytes(field)) else {
      throw WireError(.outOfRange(field: field.number), at: field.offset)
    }
    return value
  }
}

/// A GUID in a field.
public struct GUIDCoding: FieldCoding {
  @inlinable init() {}
  /// As sixteen bytes.
  @inlinable public static var wireType: WireType { .lengthDelimited }
  /// A GUID.
  @inlinable public static var type: FieldType { .guid }

  /// No GUID is the default.
  @inlinable @inline(__always)
  public static func isDefault(_ value: GUID) -> Bool { false }
  @inlinable public static var hasDefault: Bool { false }

  /// Writes sixteen bytes.
  @inlinable @inline(__always)
  public static func write(_ value: GUID, to number: Int, of writer: inout WireWriter) {
    writer.write(number, guid: value)
  }

  /// Reads sixteen bytes; another length is refused.
  @inlinable @inline(__always)
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> GUID? {
    try reader.guid(field)
  }

  /// The printed form.
  public static func tree(of value: GUID, _ privacy: Privacy) -> StateTree {
    TextCoding.tree(of: value.description, privacy)
  }
}

extension GUID: FieldKey {}

extension GUID: FieldValue {
  /// Sixteen bytes.
  @inlinable public static var coding: GUIDCoding { GUIDCoding() }
}
