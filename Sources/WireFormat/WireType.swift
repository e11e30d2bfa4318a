/// How the value behind a tag is laid out: the low three bits of the tag.
///
/// Groups (3 and 4) were withdrawn from Protocol Buffers and are refused.
public enum WireType: UInt8, Sendable {
  /// One to ten bytes, seven bits each, least significant first.
  case varint = 0
  /// Eight bytes, little endian.
  case fixed64 = 1
  /// A varint length, then as many bytes.
  case lengthDelimited = 2
  /// Four bytes, little endian.
  case fixed32 = 5

  /// Whether the low three bits of a tag's first byte are one of these types, and none of those that are refused.
  @inlinable
  static func isInUse(_ tag: UInt8) -> Bool { 0b0010_0111 & (1 << (tag & 7)) != 0 }
}
