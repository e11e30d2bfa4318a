import Expectations
import CArchive
import Testing

@testable import Archives

/// Archives that were made to keep a reader busy, and those that only look like it.
@Suite("Archives within limits")
struct ArchiveContentsTests {
  private static let zeros = [UInt8](repeating: 0, count: 4 << 20)
  /// The limits of the tool, a hundredth of them.
  private static var limits: ArchiveLimits {
    var limits = ArchiveLimits()
    (limits.freeBytes, limits.streamBytes, limits.contentBytes) = (1 << 20, 40 << 20, 5 << 20)
    return limits
  }

  private static func read(_ bytes: [UInt8], _ limits: ArchiveLimits = limits) throws(ArchiveError) -> ArchiveContents {
    try ArchiveContents(bytes, limits: limits, keepsParts: true) { name, _ in name.hasSuffix(".seg") ? .wanted : .other
    }
  }

  @Test("Entries whose lengths follow them are read one after the other")
  func streamed() throws {
    let zip = StreamedZip([
      .init(name: "a/1.seg", content: [1, 2, 3]), .init(name: "mail.txt", content: [4]),
      .init(name: "a/2.seg", content: []), .init(name: "3.seg", content: Array(1...200)),
    ])
    let contents = try Self.read(zip.bytes)
    expectEqual(contents.files, ["a": ["1.seg": [1, 2, 3], "2.seg": []], "": ["3.seg": Array(1...200)]])
    #expect(contents.others == ["mail.txt"] && contents.loss == nil)
  }

  @Test("What is left out of a zip file is decompressed within the limits where only that leads to the next entry")
  func passedOver() {
    let bomb = StreamedZip([
      .init(name: "movie.mp4", content: Self.zeros), .init(name: "1.seg", content: [1]),
    ])
    #expect(throws: ArchiveError.ratio(200)) { try Self.read(bomb.bytes) }
    var limits = Self.limits
    limits.ratio = .max
    limits.streamBytes = 3 << 20
    #expect(throws: ArchiveError.stream(3 << 20)) { try Self.read(bomb.bytes, limits) }
    let many = StreamedZip((0..<20).map { .init(name: "\($0).txt", content: Array(Self.zeros.prefix(100_000))) })
    #expect(throws: ArchiveError.ratio(200)) { try Self.read(many.bytes) }
  }

  @Test("A size that is stated does not make an entry one that is passed over unread")
  func statedSize() {
    let bomb = StreamedZip([.init(name: "movie.mp4", content: Self.zeros, stated: (0, 1))])
    #expect(throws: ArchiveError.self) { try Self.read(bomb.bytes) }
  }

  @Test("A folder or a link of which nothing says where it ends is the end of what is read")
  func unknownEnd() throws {
    let entries: [StreamedZip.Entry] = [
      .init(name: "folder/", content: Self.zeros), .init(name: "folder/", content: Self.zeros, stated: (0, 1)),
      .init(name: "link", content: Self.zeros, mode: 0o120777),
    ]
    for entry in entries {
      let zip = StreamedZip([.init(name: "1.seg", content: [1]), entry, .init(name: "2.seg", content: [2])])
      #expect(throws: Never.self, "\(entry.name)") {
        let contents = try Self.read(zip.bytes)
        expectEqual(contents.files, ["": ["1.seg": [1]]], "\(entry.name)")
        expectEqual(contents.loss, .unknownEnd(entry.name), "\(entry.name)")
      }
    }
  }

  @Test("A compression that libarchive would start a program for is not enabled")
  func externalPrograms() throws {
    let lrzip = ArchiveFilter(name: "lrzip", beginning: Array("LRZI".utf8)) { archive_read_support_filter_lrzip($0) }
    let archive = try #require(archive_read_new())
    defer { archive_read_free(archive) }
    #expect(!lrzip.isBuiltIn)
    expectEqual(ArchiveFilter.enable(ArchiveFilter.all + [lrzip], on: archive), ["gzip", "xz", "zstd"])
    #expect(throws: ArchiveError.self) { try Self.read(lrzip.beginning + [UInt8](repeating: 0, count: 600)) }
  }

  @Test("A path that is too long is cut where it is named, and the others are read")
  func longPath() throws {
    let long = String(repeating: "a/", count: 3000) + "1.seg"
    let contents = try Self.read(
      StreamedZip([.init(name: long, content: [1]), .init(name: "2.seg", content: [2])]).bytes)
    expectEqual(contents.files, ["": ["2.seg": [2]]])
    expectEqual(contents.refused.map(\.reason), ["its path has more than 4096 bytes"])
    let refusal = try #require(contents.refused.first)
    #expect(refusal.path.utf8.count < 60)
  }
}
