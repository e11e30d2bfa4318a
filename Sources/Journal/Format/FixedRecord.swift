/// A record of fixed layout, little endian, that may end in a CRC-32 of everything before it.
///
/// Offsets are constants of the format; one outside the record is a mistake in this module and traps.
package struct FixedRecord {
  package private(set) var bytes: [UInt8]

  /// An all-zero record.
  package init(size: Int) {
    bytes = [UInt8](repeating: 0, count: size)
  }

  /// A record that was read; `nil` when the bytes are fewer than the layout needs.
  package init?(_ bytes: [UInt8], size: Int) {
    guard bytes.count >= size else { return nil }
    self.bytes = bytes.count == size ? bytes : Array(bytes[..<size])
  }

  package func integer<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value {
    var value: Value = 0
    for index in (0..<MemoryLayout<Value>.size).reversed() {
      value = (MemoryLayout<Value>.size == 1 ? 0 : value << 8) | Value(truncatingIfNeeded: bytes[offset + index])
    }
    return value
  }

  package mutating func set<Value: FixedWidthInteger>(_ value: Value, at offset: Int) {
    for index in 0..<MemoryLayout<Value>.size {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }

  package func slice(at offset: Int, count: Int) -> [UInt8] {
    Array(bytes[offset..<offset + count])
  }

  package mutating func set(_ slice: [UInt8], at offset: Int) {
    for (index, byte) in slice.enumerated() { bytes[offset + index] = byte }
  }

  /// Whether the bytes in the range are all zero.
  func isZero(_ range: Range<Int>) -> Bool {
    bytes[range].allSatisfy { $0 == 0 }
  }

  /// Puts the checksum of everything before it into the last four bytes.
  package mutating func seal(seed: UInt32 = 0) {
    set(Checksum.crc32(seed, bytes[..<(bytes.count - 4)]), at: bytes.count - 4)
  }

  /// Whether the last four bytes are the checksum of everything before them.
  package func isSealed(seed: UInt32 = 0) -> Bool {
    integer(at: bytes.count - 4, as: UInt32.self) == Checksum.crc32(seed, bytes[..<(bytes.count - 4)])
  }
}
