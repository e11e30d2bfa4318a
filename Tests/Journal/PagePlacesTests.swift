import Expectations
import Testing

@testable import Journal

/// Where only the words of the page FileFormat decide, a forged journal shows that both readers do what they say.
@Suite("What the page on the format decides")
struct PagePlacesTests {
  /// A sentence of the page, and a journal for which it decides.
  struct Place: CustomTestStringConvertible, Sendable {
    let sentence: String
    let example: String
    let base: PageForgery.Base
    /// Changes the journal; returns the expected verdicts with their files.
    let forge: @Sendable (inout PageForgery) throws -> [String]
    var testDescription: String { "\(sentence): \(example)" }

    init(
      _ sentence: String, _ example: String, _ base: PageForgery.Base = .several,
      _ forge: @escaping @Sendable (inout PageForgery) throws -> [String]
    ) {
      (self.sentence, self.example, self.base, self.forge) = (sentence, example, base, forge)
    }
  }

  private static func words(_ text: String) -> String {
    text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  private static func page() throws -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    let bytes = try JournalDirectory(path: root, fileSystem: PosixFileSystem())
      .read("Sources/Journal/Journal.docc/FileFormat.md", limit: 1 << 20)
    return words(String(decoding: try #require(bytes).bytes, as: UTF8.self))
  }

  @Test("Both readers do what a sentence of the page says", arguments: names + records + ends + holes)
  func decides(place: Place) throws {
    #expect(try Self.page().contains(Self.words(place.sentence)))
    var forgery = try PageForgery(place.base)
    let expected = try place.forge(&forgery)
    let findings = try JournalReader(path: "j", fileSystem: MemoryFileSystem(forgery.journal)).verify().findings
    expectEqual(findings.map { "\($0.verdict.name) \(forgery.label($0.file))" }.sorted(), expected.sorted())
    expectEqual(findings.compactMap(\.lostEvents), forgery.lost)
    let reading = try PlainReading(forgery.journal)
    let served = forgery.events.filter { event in !forgery.lost.contains { $0.contains(event) } }
    expectEqual(reading.events.map { $0.prefix { $0 != " " } }, served.map { Substring("\($0)") })
    let second = try PlainReading(byPython: forgery.journal)
    expectEqual(second.findings, reading.findings)
    expectEqual(second.events, reading.events)
  }

  /// What may stand in a directory, and under which names.
  static let names = [
    Place("An empty file proves no ordinal", "an empty file in the first segment's place") {
      $0.rename($0.segments[0], to: "00000000000000000400.seg")
      $0[$0.segments[0]] = []
      return ["damaged segment 1", "indexDamaged 00000000000000000400.seg"]
    },
    Place("no part of the journal, and readers of it ignore it", "bytes that are no record") {
      $0["EXPORTED"] = [1, 2, 3]
      return []
    },
    Place(
      "a checkpoint under a name with another number, which counts for the event that it states",
      "the one that replaces retired events", .retired
    ) {
      $0.rename("00000000000000000030.ckpt", to: "00000000000000000007.ckpt")
      return ["indexDamaged 00000000000000000007.ckpt"]
    },
    Place(
      "Whatever is wrong with a file that its header or a frame puts there is not damage",
      "a name that does not fit, and a copy", .retired
    ) {
      try segmentBelow(&$0, "00000000000000000003.seg")
      $0["00000000000000000004.seg"] = $0["00000000000000000003.seg"]
      return []
    },
    Place(
      "Whatever is wrong with a file that its header or a frame puts there is not damage",
      "a header that does not verify",
      .retired
    ) {
      try segmentBelow(&$0, "00000000000000000001.seg")
      $0.clearHeader("00000000000000000001.seg")
      return []
    },
    Place("a file that only its name puts there is judged as any other such file", "an empty file", .retired) {
      $0["00000000000000000001.seg"] = []
      return ["indexDamaged 00000000000000000001.seg"]
    },
    Place(
      "a file that only its name puts there is judged as any other such file", "another journal's segment", .retired
    ) {
      try segmentBelow(&$0, "00000000000000000001.seg", of: PageForgery.parent.id)
      return ["indexDamaged 00000000000000000001.seg"]
    },
    Place(
      "every file between counts as one segment, and ordinal 0 stands before the first file",
      "a header of the first segment in the fourth, two files after the first"
    ) {
      try $0.keep(4)
      let header = $0[$0.segments[0]].prefix(Format.segmentHeaderSize)
      $0[$0.segments[3]].replaceSubrange(..<header.count, with: header)
      $0.clearHeader($0.segments[2])
      $0.rename($0.segments[1], to: "00000000000000000999.seg")
      return ["indexDamaged segment 3", "indexDamaged segment 4", "indexDamaged 00000000000000000999.seg"]
    },
    Place("where none has room it is segment 1", "before the first segment of a fork", .fork) {
      let name = SegmentName(firstSequence: 50, ordinal: SegmentName.step + 3).text
      $0[name] = []
      return ["damaged \(name)"]
    },
    Place("where none has room it is segment 1", "alone, when nothing had been synced", .fork) {
      try $0.keep(0)
      let name = SegmentName(firstSequence: 52, ordinal: SegmentName.step + 3).text
      $0[name] = []
      return ["indexDamaged \(name)"]
    },
    Place(
      """
      If neither a frame nor the next header gives the first event of a file whose header does not verify, the segment before \
      it may give it, also where a frame identifies the file
      """, "one frame, and a name with an event of the sealed segment before it"
    ) { forgery in
      let name = try #require(forgery.segments.last)
      let frames = forgery.frames(name)
      forgery.clearHeader(name)
      for frame in frames where frame.offset != frames[1].offset { forgery[name][frame.offset] ^= 1 }
      let first = try #require(SegmentName(name)).firstSequence
      let other = SegmentName(firstSequence: first - 5, ordinal: 0).text
      forgery.rename(name, to: other)
      forgery.lost = [(first + 1)...40]
      return ["indexDamaged \(other)", "indexDamaged \(other)", "damaged \(other)"]
    },
  ]

  /// Leaves a segment that was retired, under some name.
  private static func segmentBelow(
    _ forgery: inout PageForgery, _ name: String, of id: JournalID = sampleID
  ) throws {
    let whole = try PageForgery(.several)
    let source = whole.segments[1]
    var bytes = whole[source]
    if id != sampleID {
      var header = try whole.header(source)
      let seed = header.seed
      header.id = id
      bytes = resealed(header.encoded() + bytes.dropFirst(Format.segmentHeaderSize), from: seed, to: header.seed)
    }
    forgery[name] = bytes
  }
}
