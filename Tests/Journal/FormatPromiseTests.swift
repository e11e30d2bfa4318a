import Expectations
import Foundation
import Testing

@testable import Journal

/// What the page FileFormat promises of sizes, alignments and the order of fields, held against the code.
@Suite("The promises of the file format")
struct FormatPromiseTests {
  /// A record of the page: the heading of its table's section, the table's first column, and its size in the code.
  struct Record: CustomTestStringConvertible {
    let section: String
    var column = "offset"
    let size: Int
    /// What the code writes; `nil` where the table is a part of another record.
    var encoded: [UInt8]?

    var testDescription: String { "\(section), \(column)" }
  }

  private static let footer = Footer(
    firstSequence: 1, eventCount: 0, chain: 0, labels: .empty, digest: nil, entries: [])

  static let records = [
    Record(section: "Versioned headers", size: 24),
    Record(
      section: "JOURNAL, 160 bytes", size: Format.identitySize,
      encoded: JournalIdentity(id: sampleID, createdNanoseconds: 1, keepsHistoryDigest: true).encoded()),
    Record(
      section: "Segment header, 224 bytes", size: Format.segmentHeaderSize,
      encoded: SegmentHeader(
        id: sampleID, ordinal: 1, firstSequence: 1, chainIn: 0, predecessor: .none, createdNanoseconds: 1
      ).encoded()),
    Record(section: "Frames", size: Format.frameHeaderSize),
    Record(
      section: "ANCHOR", column: "offset in the payload", size: Format.anchorSize,
      encoded: Anchor(blockStart: 0, eventCount: 0, blockChecksum: 0, chain: 0, labels: .empty, digest: nil).encoded()),
    Record(section: "CATALOG", column: "offset in the payload", size: Format.catalogHeaderSize),
    Record(
      section: "KEYFRAMES", column: "offset in the page", size: Keyframe.headerSize,
      encoded: Array(
        Keyframe(sequence: 1, chain: 0, page: 0, body: []).encoded([], of: sampleID).prefix(Keyframe.headerSize))),
    Record(
      section: "MARK", column: "offset in the payload", size: Format.markSize,
      encoded: Mark(durableOffset: 0, durableSequence: 0).encoded()),
    Record(
      section: "FOOTER and trailer", column: "offset in the payload", size: Format.footerSize,
      encoded: footer.encoded()),
    Record(section: "FOOTER and trailer", column: "offset in an entry", size: Format.indexEntrySize),
    Record(
      section: "FOOTER and trailer", column: "offset in the trailer", size: Format.trailerSize,
      encoded: Trailer.encoded(footerOffset: 0, seed: 0)),
    Record(section: "HEAD, 576 bytes", column: "offset in the slot", size: Format.headSlotSize),
    Record(section: "KEPT, 72 bytes", size: Format.keptSize),
    Record(
      section: "Checkpoints", size: Format.checkpointHeaderSize,
      encoded: Checkpoint(sequence: 1, ordinal: 1, chain: 0, body: []).header(for: sampleID)),
  ]

  @Test("The numbers of the format agree with each other")
  func numbers() {
    Format.checkInvariants()
  }

  @Test("The page's fields lie side by side, in order, and fill what the code writes", arguments: records)
  func fields(record: Record) throws {
    var end = 0
    for field in try Self.fields(of: record) {
      expectEqual(field.offset, end, "the field at \(field.offset) begins where the one before it ends")
      end = field.offset + field.size
    }
    expectEqual(end, record.size)
    if let encoded = record.encoded { expectEqual(encoded.count, record.size) }
    if let size = record.section.split(separator: " ").dropLast().last.flatMap({ Int($0) }), record.column == "offset" {
      expectEqual(size, record.size, "the heading says so too")
    }
  }

  /// The fields of a record's table that have a size of their own.
  private static func fields(of record: Record) throws -> [(offset: Int, size: Int)] {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    let page = try String(contentsOfFile: root + "/Sources/Journal/Journal.docc/FileFormat.md", encoding: .utf8)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let section = try #require(lines.firstIndex(of: "### \(record.section)"))
    let head = try #require(lines[section...].firstIndex { $0.hasPrefix("| \(record.column) |") })
    return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let offset = Int(cells[0]) else { return nil }
      let sizes = cells[1].split(separator: ",").map { type -> Int in
        let type = type.trimmingCharacters(in: .whitespaces)
        if let bytes = type.split(separator: " ").first.flatMap({ Int($0) }) { return bytes }
        return (Int(type.dropFirst()) ?? 0) / 8
      }
      let size = sizes.reduce(0, +)
      return size == 0 ? nil : (offset, size)
    }
  }
}
