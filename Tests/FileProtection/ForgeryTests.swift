import Expectations
import Journal
import JournalSimulation
import Testing

@testable import FileProtection

/// Whoever has the key can seal anything: a program that was wrong, or another app of the account. What it sealed is bounded and
/// refused by name, and never trusted.
@Suite("Headers and nodes that the key's holder wrote wrongly")
struct ForgeryTests {
  private struct Sample {
    let test = TestFiles()
    var bytes: [UInt8] = []
    let cipher: BlockCipher
    let header: FileHeader

    init() throws {
      let file = try test.protector.create(at: "f", TestFiles.alice)
      try file.write(TestFiles.bytes(300_000))
      try file.close()
      bytes = try #require(test.fileSystem.image.files["f"])
      let opened = try OpenedHeader([Array(bytes[..<4096]), Array(bytes[4096..<8192])], test.keys)
      (cipher, header) = (opened.cipher, opened.header)
    }

    /// What reading and writing the file says with another header.
    func codes(_ header: FileHeader, _ bytes: [UInt8]) throws -> [ProtectionError.Code] {
      let encoded = try #require(header.encoded(cipher.cipher, nonce: [UInt8](repeating: 3, count: 12)))
      var image = DiskImage()
      image.files["f"] = encoded + encoded + bytes[(2 * Layout.page)...]
      let protector = TestFiles(image, keys: test.keys).protector
      var codes: [ProtectionError.Code] = []
      do throws(ProtectionError) {
        let file = try protector.open("f")
        for offset in [0, 100_000, header.size / 2, header.size > 10 ? header.size - 10 : 0] {
          do throws(ProtectionError) { _ = try file.pread(70_000, at: offset) } catch { codes.append(error.code) }
        }
        let writer = try protector.open("f", forWriting: true)
        try writer.pwrite([1], at: header.size / 2)
        try writer.truncate(to: 5)
        try writer.close()
      } catch {
        codes.append(error.code)
      }
      return codes
    }
  }

  @Test("A header with any root, size, generation or count is refused by a code, or read as far as it is right")
  func headers() throws {
    let sample = try Sample()
    try expectEqual(sample.codes(sample.header, sample.bytes), [])
    let known: Set<ProtectionError.Code> = [
      .truncated, .tamperedChunk, .oldChunk, .oldHeader, .swappedChunk, .foreignChunk, .tamperedHeader, .keyExhausted,
      .tooLarge,
    ]
    var generator = SeededGenerator(seed: 6)
    func number() -> UInt64 {
      switch generator.below(4) {
      case 0: UInt64(generator.below(20))
      case 1: generator.next()
      case 2: .max - UInt64(generator.below(3))
      default: 1 << UInt64(generator.below(64))
      }
    }
    for _ in 0..<300 {
      var header = sample.header
      switch generator.below(6) {
      case 0: header.size = number()
      case 1: header.root.page = number()
      case 2: header.root.length = UInt32(truncatingIfNeeded: number())
      case 3: header.root.generation = number()
      case 4: header.sealedCount = number()
      default: header.generation = number()
      }
      let codes = try sample.codes(header, sample.bytes)
      #expect(codes.allSatisfy { known.contains($0) }, "\(header): \(codes)")
    }
  }

  @Test("A node whose references overlap, lead outside or into the headers is refused")
  func nodes() throws {
    let sample = try Sample()
    let first = try #require(sample.header.root.page > 0 ? sample.header.root : nil)
    let place = Int(first.page) * Layout.page
    var opened = [UInt8](repeating: 0, count: Int(first.length))
    let block = Array(sample.bytes[place..<(place + Layout.label + opened.count)])
    try block.withUnsafeBytes { block in
      try opened.withUnsafeMutableBytes { target in
        try sample.cipher.open(block, into: target, BlockPlace(level: 1, index: 0), first)
      }
    }
    for (entry, page) in [(0, UInt64(0)), (1, 1), (2, BlockReference(opened, at: 0).page), (3, 1 << 40), (4, .max)] {
      var contents = opened
      for byte in 0..<8 { contents[entry * Layout.reference + byte] = UInt8(truncatingIfNeeded: page >> (8 * byte)) }
      var sealed = [UInt8](repeating: 0, count: block.count)
      let tag = contents.withUnsafeBytes { contents in
        sealed.withUnsafeMutableBytes { sealed in
          sample.cipher.seal(
            contents, into: sealed, BlockPlace(level: 1, index: 0), generation: first.generation,
            nonce: [UInt8](repeating: 5, count: 12)[...])
        }
      }
      var bytes = sample.bytes
      bytes.replaceSubrange(place..<(place + sealed.count), with: sealed)
      var header = sample.header
      header.root.tag = try #require(tag)
      let codes = try sample.codes(header, bytes)
      // A missing reference is a hole, and reads as zeros.
      expectEqual(codes.isEmpty, page == 0, "\(entry), \(page): \(codes)")
    }
  }
}
