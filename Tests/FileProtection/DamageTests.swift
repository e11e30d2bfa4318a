import Expectations
import Journal
import JournalSimulation
import Testing

@testable import FileProtection

@Suite("A changed protected file")
struct DamageTests {
  /// A file of ten chunks under a node, as at its first and its second sync.
  private struct Sample {
    let test = TestFiles()
    var first: [UInt8] = []
    var second: [UInt8] = []
    let contents = TestFiles.bytes(600_000)

    init() throws {
      let file = try test.protector.create(at: "f", TestFiles.alice)
      try file.write(contents)
      try file.sync()
      first = test.fileSystem.image.files["f"] ?? []
      try file.pwrite(Array(contents[70_000..<80_000]), at: 70_000)
      try file.close()
      second = test.fileSystem.image.files["f"] ?? []
    }

    /// What reading everything says about other bytes in the place of the file's.
    func failure(_ bytes: [UInt8]) -> ProtectionError? {
      var image = DiskImage()
      image.files["f"] = bytes
      do throws(ProtectionError) {
        let file = try TestFiles(image, keys: test.keys).protector.open("f")
        let found = try file.pread(700_000, at: 0)
        expectEqual(found, contents)
        return nil
      } catch {
        return error
      }
    }

    /// The labels of the blocks of a file, by the place they begin at.
    func labels(_ bytes: [UInt8]) -> [Int: BlockLabel] {
      var labels: [Int: BlockLabel] = [:]
      let id = bytes[32..<48]
      for place in stride(from: 2 * Layout.page, to: bytes.count, by: Layout.page) {
        if bytes[place...].starts(with: id) { labels[place] = BlockLabel(Array(bytes[place..<(place + 36)])) }
      }
      return labels
    }
  }

  @Test("A flipped bit anywhere in what the file uses is found, and named")
  func bits() throws {
    let sample = try Sample()
    #expect(sample.failure(sample.second) == nil)
    let labels = sample.labels(sample.second)
    var generator = SeededGenerator(seed: 3)
    var codes: [String: Int] = [:]
    for _ in 0..<300 {
      var bytes = sample.second
      let place = generator.below(bytes.count)
      bytes[place] ^= 1 << UInt8(generator.below(8))
      guard let error = sample.failure(bytes) else {
        // One of two headers, or a page that nothing uses any more.
        let isUsed = labels.contains { start, label in
          (start..<(start + Layout.label + Int(label.length))).contains(place)
            && label.generation == labels.values.filter { $0.place == label.place }.map(\.generation).max()
        }
        #expect(!isUsed, "byte \(place)")
        continue
      }
      codes[error.code.name, default: 0] += 1
      expectEqual(error.code, .tamperedChunk, "\(error)")
      #expect(error.description.contains("f, chunk "), "\(error)")
    }
    #expect(codes["tamperedChunk", default: 0] > 200)
  }

  @Test("Two headers damaged are tampered headers; one is no loss")
  func headers() throws {
    let sample = try Sample()
    for place in stride(from: 16, to: Layout.page, by: 61) {
      var bytes = sample.second
      bytes[place] ^= 1
      #expect(sample.failure(bytes) == nil, "byte \(place)")
      bytes[Layout.page + place] ^= 1
      let code = sample.failure(bytes)?.code
      // A changed key id names a key that no store has.
      expectEqual(code, place < 32 ? .foreignKey : .tamperedHeader, "byte \(place)")
    }
    for (place, code) in [(0, "notProtected"), (8, "unsupportedFormat"), (10, "unsupportedFormat")] {
      var bytes = sample.second
      bytes[place] ^= 0x40
      bytes[Layout.page + place] ^= 0x40
      expectEqual(sample.failure(bytes)?.code.name, code)
    }
  }

  @Test("A file that was cut is truncated, at any length")
  func cuts() throws {
    let sample = try Sample()
    for count in [1, 7, 100, 4096, 5000, 8191, 8192, 8193, 100_000, 300_001] {
      let bytes = Array(sample.first.prefix(count))
      let error = sample.failure(bytes)
      expectEqual(error?.code, .truncated, "\(count): \(error as Any)")
    }
    expectEqual(sample.failure([])?.code, .empty)
  }

  @Test("Chunks that changed places, chunks of an earlier sync, and headers of one are told apart")
  func replay() throws {
    let sample = try Sample()
    let labels = sample.labels(sample.first)
    func start(_ index: UInt64) throws -> Int {
      try #require(labels.first { $0.value.place == BlockPlace(level: 0, index: index) }?.key)
    }
    var swapped = sample.second
    let (three, four) = (try start(3), try start(4))
    swapped.replaceSubrange(
      three..<(three + Layout.maximumBlock), with: sample.second[four..<(four + Layout.maximumBlock)])
    let swap = try #require(sample.failure(swapped))
    #expect(swap.code == .swappedChunk && swap.chunk == 3, "\(swap)")
    expectEqual(swap.message, "chunk 4 stands in the place of chunk 3")

    // The old write of chunk 1 over the new one.
    var old = sample.second
    let now = sample.labels(old)
    let new = try #require(
      now.filter { $0.value.place == BlockPlace(level: 0, index: 1) }.max { $0.value.generation < $1.value.generation }?
        .key)
    let one = try start(1)
    #expect(new != one)
    old.replaceSubrange(new..<(new + Layout.maximumBlock), with: sample.first[one..<(one + Layout.maximumBlock)])
    expectEqual(sample.failure(old)?.code, .oldChunk)

    // The old node over the new one.
    func node(_ bytes: [UInt8]) throws -> Int {
      try #require(
        sample.labels(bytes).filter { $0.value.place.level == 1 }.max { $0.value.generation < $1.value.generation }?.key
      )
    }
    var tree = sample.second
    let (newNode, oldNode) = (try node(tree), try node(sample.first))
    let block = sample.first[oldNode...].prefix(Layout.label + 10 * Layout.reference)
    tree.replaceSubrange(newNode..<(newNode + block.count), with: block)
    expectEqual(sample.failure(tree)?.code, .oldChunk)

    // Both headers set back, after their pages were used again.
    let third = TestFiles(
      {
        var image = DiskImage()
        image.files["f"] = sample.second
        return image
      }(), seed: 5, keys: sample.test.keys)
    let file = try third.protector.open("f", forWriting: true)
    try file.pwrite(Array(sample.contents[70_000..<80_000]), at: 70_000)
    try file.close()
    var back = try #require(third.fileSystem.image.files["f"])
    back.replaceSubrange(0..<(2 * Layout.page), with: sample.first[..<(2 * Layout.page)])
    expectEqual(sample.failure(back)?.code, .oldHeader)
    // That the whole file was rolled back cannot be seen.
    #expect(sample.failure(sample.first) == nil)
  }

  @Test("Chunks and headers of another file, and files under other keys, are named")
  func foreign() throws {
    let sample = try Sample()
    let other = try sample.test.protector.create(at: "g", TestFiles.alice)
    try other.write(sample.contents)
    try other.close()
    let bytes = try #require(sample.test.fileSystem.image.files["g"])
    var chunk = sample.second
    let place = 4 * Layout.page + Layout.maximumBlock
    let (mine, theirs) = (sample.labels(chunk).keys.sorted(), sample.labels(bytes).keys.sorted())
    #expect(mine.count > 9 && theirs.count > 9 && place > 0)
    chunk.replaceSubrange(
      mine[5]..<(mine[5] + Layout.maximumBlock), with: bytes[theirs[5]..<(theirs[5] + Layout.maximumBlock)])
    expectEqual(sample.failure(chunk)?.code, .foreignChunk)
    var header = sample.second
    header.replaceSubrange(0..<(2 * Layout.page), with: bytes[..<(2 * Layout.page)])
    expectEqual(sample.failure(header)?.code, .foreignChunk)
    header.replaceSubrange(0..<Layout.page, with: sample.second[..<Layout.page])
    expectEqual(sample.failure(header)?.code, .tamperedHeader)

    var image = DiskImage()
    image.files["f"] = sample.second
    let stranger = TestFiles(image, seed: 99)
    #expect(throws: ProtectionError.self) { try stranger.protector.open("f") }
    let info = try stranger.protector.info("f")
    #expect(info.isEncrypted && info.owner == nil && info.keyID != nil)
    sample.test.keys.destroyKey(named: KeyName(scope: "notes", account: "alice@contoso.com"), until: nil)
    expectEqual(sample.failure(sample.second)?.code, .destroyedKey)
  }

  @Test("Every error names the file, the reason and the next step")
  func messages() throws {
    let sample = try Sample()
    var bytes = sample.second
    bytes[bytes.count - 1] ^= 1
    let error = try #require(sample.failure(bytes))
    #expect(error.description.hasPrefix("f, chunk 0, byte "))
    #expect(error.description.hasSuffix("Take the file from a copy."))
  }
}
