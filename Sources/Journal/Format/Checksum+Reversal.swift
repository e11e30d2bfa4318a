import CZlib

extension Checksum {
  /// The start from which `crc32(start, bytes)` gives `sum`: the function is a bijection for fixed bytes, and this is
  /// its inverse.
  static func start(of sum: UInt32, over bytes: [UInt8]) -> UInt32 {
    var state = ~sum
    for byte in bytes.reversed() {
      for _ in 0..<8 { state = state & 0x8000_0000 != 0 ? (state ^ 0xEDB8_8320) << 1 | 1 : state << 1 }
      state ^= UInt32(byte)
    }
    return ~state
  }

  /// What two starting values differ by (in exclusive or), when their checksums over the same `count` bytes differ by
  /// `difference`: it does not depend on the bytes.
  static func difference(_ difference: UInt32, before count: UInt64) -> UInt32 {
    // Each byte multiplies the difference by x⁸ modulo the polynomial, which is primitive: 2³² − 1 bytes change nothing.
    let period = UInt64(UInt32.max)
    return UInt32(truncatingIfNeeded: CZlib.crc32_combine(UInt(difference), 0, numericCast(period - count % period)))
  }

  /// What checksums over the same `count` bytes differ by, when their starting values differ by `difference`.
  static func difference(_ difference: UInt32, after count: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: CZlib.crc32_combine(UInt(difference), 0, numericCast(count % UInt64(UInt32.max))))
  }

  /// The only segment seed under which a frame with this check verifies.
  static func segmentSeed(ofCheck check: UInt32, offset: UInt64, position: UInt32, chain: UInt32) -> UInt32 {
    var record = FixedRecord(size: 16)
    record.set(offset, at: 0)
    record.set(position, at: 8)
    record.set(chain, at: 12)
    return start(of: check, over: record.bytes)
  }

  /// The only offset below 2³² at which a frame with this check verifies in a segment.
  static func offset(ofCheck check: UInt32, seed: UInt32, position: UInt32, chain: UInt32) -> UInt64 {
    // The offset's low four bytes are added to the seed before anything else is.
    UInt64(segmentSeed(ofCheck: check, offset: 0, position: position, chain: chain) ^ seed)
  }

  /// The only ordinal below 2³² that gives a journal this segment seed.
  static func ordinal(of seed: UInt32, in id: JournalID) -> UInt64 {
    // Four known zeros are undone; four bytes are then what parts the states before and after them.
    UInt64(start(of: seed, over: [0, 0, 0, 0, 0, 0, 0, 0]) ^ crc32(0, id.bytes))
  }
}
