import CZlib

/// CRC-32 as zlib, gzip and PNG compute it (ISO-HDLC: polynomial 0x04C11DB7 reflected, start and end inverted).
///
/// `crc32(crc32(0, a), b)` is the checksum of `a` followed by `b`; zero is the checksum of nothing. For fixed bytes the
/// function is a bijection on the starting value, which is what the frame check and the chain rest on.
package enum Checksum {
  @inline(__always)
  package static func crc32(_ start: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    // Without an address, zlib gives the checksum of nothing, whatever the start.
    guard let address = bytes.baseAddress else { return start }
    return UInt32(
      truncatingIfNeeded: CZlib.crc32_z(
        UInt(start), address.assumingMemoryBound(to: UInt8.self), numericCast(bytes.count)))
  }

  package static func crc32(_ start: UInt32, _ bytes: some Collection<UInt8>) -> UInt32 {
    bytes.withContiguousStorageIfAvailable { crc32(start, UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { crc32(start, $0) }
  }

  /// The start of every check in one segment: it binds frames to their journal and to their segment's place in it.
  static func segmentSeed(_ id: JournalID, ordinal: UInt64) -> UInt32 {
    withUnsafeBytes(of: ordinal.littleEndian) { crc32(crc32(0, id.bytes), $0) }
  }

  /// A frame's check: binds the frame's content to its location.
  @inline(__always)
  static func frameCheck(seed: UInt32, offset: UInt64, position: UInt32, chain: UInt32) -> UInt32 {
    let words = (offset.littleEndian, (UInt64(chain) << 32 | UInt64(position)).littleEndian)
    return withUnsafeBytes(of: words) { crc32(seed, $0) }
  }
}
