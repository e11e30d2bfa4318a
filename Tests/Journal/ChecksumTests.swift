import CZlib
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

  private static func zlib(_ start: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(
      truncatingIfNeeded: CZlib.crc32(
        UInt(start), bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(bytes.count)))
  }

  @Test("Folding and zlib agree at every length, place and start", arguments: [0, 1, 0x8000_0000, 0xDEAD_BEEF, .max])
  func agreement(start: UInt32) {
    Self.bytes.withUnsafeBytes { bytes in
      for offset in 0..<16 {
        for count in 1...600 {
          let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
          if Checksum.crc32(start, part) != Self.zlib(start, part) {
            Issue.record("\(count) bytes from \(offset) on have another checksum than zlib's")
            return
          }
        }
      }
    }
  }

  @Test("The checksum is that of gzip and PNG")
  func checkValue() {
    #expect(Checksum.crc32(0, Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(Checksum.crc32(7, []) == 7)
  }

  @Test("The checksum of a whole is that of its second part, continued from the first")
  func parts() {
    let bytes = Self.bytes
    for place in stride(from: 0, through: bytes.count, by: 37) {
      let first = Checksum.crc32(0, bytes[..<place])
      #expect(Checksum.crc32(first, bytes[place...]) == Checksum.crc32(0, bytes), "split at \(place)")
    }
  }
}
