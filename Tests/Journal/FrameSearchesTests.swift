import Expectations
import Testing

@testable import Journal

/// A file without a header is searched for frames of many segments, each time the directory is listed.
@Suite("Searches for frames")
struct FrameSearchesTests {
  @Test("Beyond many seeds those that are asked for are kept, and the file is read once for them")
  func manySeeds() throws {
    let sample = try SampleJournal(count: 400, segmentSize: 1 << 20)
    var bytes = try #require(sample.files["j/00000000000000000001.seg"])
    bytes.replaceSubrange(..<224, with: [UInt8](repeating: 0, count: 224))
    let frames = SampleFrame.all(in: bytes)
    let copied = Array(bytes[frames[0].offset..<frames[0].end])
    // A copy of a frame at another place has another seed.
    let junk = try #require(frames.first { $0.offset >= 224 + 200 * copied.count })
    var offset = 224
    bytes.replaceSubrange(offset..<junk.offset, with: [UInt8](repeating: 0, count: junk.offset - offset))
    while offset + 2 * copied.count <= junk.offset {
      offset += copied.count
      bytes.replaceSubrange(offset..<(offset + copied.count), with: copied)
    }
    let fileSystem = CountingFileSystem(MemoryFileSystem(["j/00000000000000000001.seg": bytes]))
    let directory = JournalDirectory(path: "j", fileSystem: fileSystem)
    let name = try #require(SegmentName("00000000000000000001.seg"))
    let listed = ListedFile(name: name, length: UInt64(bytes.count))
    var searches = FrameSearches()
    func first(of ordinals: [UInt64]) throws -> FrameSearches.Frame? {
      try searches.first(of: ordinals, .any, in: listed, sampleID, directory)
    }
    #expect(try first(of: [2, 3]) == nil)
    let whole = fileSystem.reads
    #expect(try first(of: [2, 3]) == nil && first(of: [3]) == nil)
    expectEqual(fileSystem.reads, whole, "what was asked for is known")
    let found = try #require(try first(of: [3, 1]))
    #expect(found.ordinal == 1 && found.offset == UInt64(junk.offset))
    let reads = fileSystem.reads
    try expectEqual(first(of: [1])?.offset, found.offset)
    expectEqual(fileSystem.reads, reads)
  }
}
