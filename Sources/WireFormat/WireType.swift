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

  /// The type in the low three bits of a tag; `nil` for one of those that are refused.
  @inlinable
  init?(tag: UInt64) {
    switch tag & 7 {
    case 0: self = .varint
    case 1: self = .fixed64
    case 2: self = .lengthDelimited
    case 5: self = .fixed32
    default: return nil
    }
  }
}
