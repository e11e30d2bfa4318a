import Testing

@testable import Journal

@Suite("The checksum")
struct ChecksumTests {
  /// Bytes that end where their memory does, so that the address sanitizer sees every byte read beyond them.
  private static func withBytes<Result>(_ count: Int, _ seed: UInt64, _ body: (UnsafeRawBufferPointer) -> Result)
    -> Result
  {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { bytes.deallocate() }
    var number = seed
    for index in bytes.indices {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes[index] = UInt8(truncatingIfNeeded: number >> 56)
    }
    return body(UnsafeRawBufferPointer(bytes))
  }

  @Test("The checksum of any number of bytes is zlib's, after any other checksum and wherever they begin")
  func everyLength() {
    for count in Array(0...300) + [4095, 4096, 4097, 32_768, 65_551] {
      Self.withBytes(count, UInt64(count)) { bytes in
        for start in [0, 1, UInt32.max, 0xDEAD_BEEF, UInt32(count) &* 2_654_435_761] {
          #expect(Checksum.crc32(start, bytes) == Checksum.zlib(start, bytes), "\(count) bytes after \(start)")
        }
        for skipped in 0..<min(count, 17) {
          let rest = UnsafeRawBufferPointer(rebasing: bytes[skipped...])
          #expect(Checksum.crc32(7, rest) == Checksum.zlib(7, rest), "\(count) bytes without \(skipped)")
        }
      }
    }
  }

  @Test("Checksums of parts continue each other")
  func parts() {
    Self.withBytes(200, 1) { bytes in
      let whole = Checksum.crc32(0, bytes)
      for cut in bytes.indices {
        let first = Checksum.crc32(0, UnsafeRawBufferPointer(rebasing: bytes[..<cut]))
        #expect(Checksum.crc32(first, UnsafeRawBufferPointer(rebasing: bytes[cut...])) == whole, "cut at \(cut)")
      }
    }
  }
}
