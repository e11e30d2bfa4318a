import Expectations
import Testing

@testable import Journal

@Suite("Checksums")
struct ChecksumTests {
  /// Bytes without a pattern, the same in every run.
  private static let bytes: [UInt8] = {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<2_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }()

  /// The definition: a bit at a time.
  private static func defined(_ start: UInt32, _ bytes: Slice<UnsafeRawBufferPointer>) -> UInt32 {
    var state = ~start
    for byte in bytes {
      state ^= UInt32(byte)
      for _ in 0..<8 { state = state & 1 == 0 ? state >> 1 : state >> 1 ^ 0xEDB8_8320 }
    }
    return ~state
  }

  @Test("The checksum agrees with its definition at every length and place", arguments: [0, 1, 0xDEAD_BEEF, .max])
  func agreement(start: UInt32) {
    Self.bytes.withUnsafeBytes { bytes in
      for offset in 0..<8 {
        for count in Array(0...72) + [600] {
          let part = bytes[offset..<(offset + count)]
          expectEqual(
            Checksum.crc32(start, UnsafeRawBufferPointer(rebasing: part)), Self.defined(start, part),
            "\(count) bytes from \(offset) on")
        }
      }
    }
    expectEqual(Checksum.crc32(start, UnsafeRawBufferPointer(start: nil, count: 0)), start)
  }

  @Test("The checksum is that of gzip and PNG")
  func checkValue() {
    expectEqual(Checksum.crc32(0, Array("123456789".utf8)), 0xCBF4_3926)
    expectEqual(Checksum.crc32(7, []), 7)
  }

  @Test("The checksum of a whole is that of its second part, continued from the first")
  func parts() {
    let bytes = Self.bytes
    for place in stride(from: 0, through: bytes.count, by: 37) {
      let first = Checksum.crc32(0, bytes[..<place])
      expectEqual(Checksum.crc32(first, bytes[place...]), Checksum.crc32(0, bytes), "split at \(place)")
    }
  }

  @Test(
    "A block's checksum is that of its bytes, in whatever pieces they come", arguments: [1, 64, 1_000, 4_096, 5_000])
  func block(piece: Int) {
    let bytes = [[UInt8]](repeating: Self.bytes, count: 6).flatMap(\.self)
    let block = BlockTracker(start: 0, firstSequence: 1, chain: 0)
    for _ in 0..<2 {
      for start in stride(from: 0, to: bytes.count, by: piece) {
        let end = min(start + piece, bytes.count)
        bytes[start..<end].withUnsafeBytes { block.add($0, events: 1) }
        expectEqual(block.checksum, Checksum.crc32(0, bytes[..<end]), "up to \(end)")
      }
      block.restart(at: 0, firstSequence: 1, chain: 0)
    }
    expectEqual(block.checksum, 0)
  }
}
