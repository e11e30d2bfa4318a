import WireFormat

/// `string`.
public struct TextCoding: FieldCoding {
  @inlinable init() {}
  @inlinable public static var wireType: WireType { .lengthDelimited }
  @inlinable public static var type: FieldType { .string }
  @inlinable public static func isDefault(_ value: String) -> Bool { value.isEmpty }
  @inlinable
  public static func write(_ value: String, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, string: value)
  }
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> String? {
    try reader.string(field)
  }
  /// The default shows as unset.
  @inlinable public static var hidesDefault: Bool { true }
  @inlinable
  public static func tree(of value: String, _ privacy: Privacy) -> StateTree {
    .value(privacy == .public ? .text(value) : .personal(value, privacy))
  }
}

extension String: FieldValue {
  /// `string`.
  @inlinable public static var coding: TextCoding { TextCoding() }
}

/// `string` that holds one JSON value as it came from its source.
public struct JSONCoding: FieldCoding {
  @inlinable init() {}
  @inlinable public static var wireType: WireType { TextCoding.wireType }
  @inlinable public static var type: FieldType { .json }
  @inlinable public static func isDefault(_ value: String) -> Bool { value.isEmpty }
  @inlinable
  public static func write(_ value: String, to number: Int, of writer: inout WireWriter) {
    TextCoding.write(value, to: number, of: &writer)
  }
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> String? {
    try TextCoding.read(field, from: &reader)
  }
  @inlinable
  public static func tree(of value: String, _ privacy: Privacy) -> StateTree { TextCoding.tree(of: value, privacy) }
}

extension FieldCoding where Self == JSONCoding {
  /// One JSON value as it came from its source.
  @inlinable public static var json: JSONCoding { JSONCoding() }
}
