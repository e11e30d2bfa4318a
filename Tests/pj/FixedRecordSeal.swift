/// The checksum at the end of a journal's small files, computed here on its own: CRC-32 as in gzip and PNG.
enum FixedRecordSeal {
  /// The bytes with the checksum of everything before it in the last four.
  static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let content = Array(bytes.dropLast(4))
    let sum = checksum(content)
    return content + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value = UInt32.max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }
}
