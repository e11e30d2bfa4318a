/// The layout of the value after a tag, given by the low three bits of the tag.
///
/// Groups (3 and 4) were removed from Protocol Buffers and are rejected.
public enum WireType: UInt8, Sendable {
  /// One to ten bytes, seven bits each, least significant first.
  case varint = 0
  /// Eight bytes, little endian.
  case fixed64 = 1
  /// A varint length, followed by that many bytes.
  case lengthDelimited = 2
  /// Four bytes, little endian.
  case fixed32 = 5

  /// Whether the low three bits of a tag's first byte are one of these types.
  @inlinable
  static func isInUse(_ tag: UInt8) -> Bool { 0b0010_0111 & (1 << (tag & 7)) != 0 }
}
