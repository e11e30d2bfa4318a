import Expectations
import Testing

@testable import Journal

/// Segments that are gone, or there twice: what their neighbors say of each other holds for direct neighbors only.
@Suite("A journal without some of its segments")
struct MissingSegmentTests {
  /// A segment and the numbers of its events.
  private struct Piece {
    var path: String
    var events: Range<UInt64>
  }

  private static func pieces(_ sample: SampleJournal) throws -> [Piece] {
    let segments = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem).segments
    let ends = segments.dropFirst().map(\.firstSequence) + [UInt64(sample.payloads.count) + 1]
    return zip(segments, ends).map { segment, end in
      Piece(path: "\(SampleJournal.path)/\(segment.file)", events: segment.firstSequence..<end)
    }
  }

  @Test("Each gap is one finding that names the lost events, and every other event is served")
  func anySegments() throws {
    let sample = try SampleJournal(count: 100)
    let pieces = try Self.pieces(sample)
    try #require(pieces.count >= 4)
    let lengths = pieces.map { sample.files[$0.path]?.count ?? 0 }
    #expect(zip(lengths, lengths.dropFirst()).contains { $0 > $1 }, "a shorter one hides what the one before holds")
    #expect(zip(lengths, lengths.dropFirst()).contains { $0 < $1 }, "a longer one makes the one before seem cut")
    // The last one stays: without it HEAD has its say.
    for choice in 1..<(1 << (pieces.count - 1)) {
      var files = sample.files
      var lost: [ClosedRange<UInt64>] = []
      var kept: Set<UInt64> = []
      for (index, piece) in pieces.enumerated() {
        guard choice >> index & 1 == 1 else {
          kept.formUnion(piece.events)
          continue
        }
        files[piece.path] = nil
        let start = lost.last.flatMap { $0.upperBound + 1 == piece.events.lowerBound ? $0.lowerBound : nil }
        if start != nil { lost.removeLast() }
        lost.append((start ?? piece.events.lowerBound)...(piece.events.upperBound - 1))
      }
      let reading = try SampleJournal.read(files)
      let description = "without \(pieces.indices.filter { choice >> $0 & 1 == 1 }): \(reading.report.findings)"
      expectEqual(reading.report.findings.map(\.verdict), lost.map { _ in .damaged }, "\(description)")
      expectEqual(reading.report.lostEvents, lost, "\(description)")
      #expect(Set(reading.all.keys) == kept && sample.wrong(reading.all) == 0, "\(description)")
      #expect(reading.prefix.keys.max() ?? 0 == lost[0].lowerBound - 1, "\(description)")
    }
  }

  @Test("A segment that a listing leaves out, and the next one has, is not missing")
  func leftOutOnce() throws {
    let sample = try SampleJournal(count: 100)
    for piece in try Self.pieces(sample).dropLast() {
      let name = String(piece.path.dropFirst("\(SampleJournal.path)/".count))
      for count in 0..<6 {
        let files = InterruptedFileSystem(
          sample.fileSystem, leavingOut: Array(repeating: "", count: count) + [name])
        let reader = try JournalReader(path: SampleJournal.path, fileSystem: files)
        let report = try reader.verify()
        #expect(report.findings == [] && report.eventCount == 100, "\(name), listing \(count): \(report.findings)")
      }
    }
  }

  @Test("An unfinished write before a gap is torn, and the header after the gap does not speak of it")
  func tornBeforeGap() throws {
    let sample = try SampleJournal()
    let pieces = try Self.pieces(sample)
    var files = sample.files
    files[pieces[1].path] = nil
    files[pieces[0].path]?.removeLast(Format.trailerSize + Format.footerSize + 8)
    let found = try SampleJournal.read(files).report.findings
    expectEqual(found.map(\.verdict), [.torn(.short), .damaged], "\(found)")
    #expect(found.map(\.file.utf8.count) == [24, 24] && found[0].file != found[1].file)
  }

  @Test("Behind a segment of another history nothing counts as verified, also where its end is missing")
  func cutSegmentOfAnotherHistory() throws {
    let sample = try SampleJournal()
    let changed = 20
    let other = try SampleJournal(embedding: SampleJournal.payload(changed).map { ~$0 })
    let piece = try #require(try Self.pieces(sample).first { $0.events.contains(UInt64(changed) + 1) })
    let bytes = try #require(other.files[piece.path])
    #expect(bytes.count == sample.files[piece.path]?.count && bytes != sample.files[piece.path])
    for missing in 0...Format.trailerSize {
      var files = sample.files
      files[piece.path] = Array(bytes.dropLast(missing))
      let reading = try SampleJournal.read(files)
      let last = piece.events.upperBound - 1
      expectEqual(reading.prefix.keys.max(), last, "\(missing) bytes")
      expectEqual(reading.report.lastVerifiedSequence, last, "\(missing) bytes: \(reading.report.findings)")
      #expect(!reading.report.isSound && reading.all.count == sample.payloads.count, "\(missing) bytes")
    }
  }

  @Test("A segment that is there twice is read once")
  func twice() throws {
    let sample = try SampleJournal()
    let pieces = try Self.pieces(sample)
    for (index, piece) in pieces.enumerated() {
      var files = sample.files
      let copy = piece.path.dropLast(4) + "-0000000099.seg"
      files[String(copy)] = files[piece.path]
      let reading = try SampleJournal.read(files)
      let findings = reading.report.findings.filter {
        $0.cause == "segment \(index + 1) is there already, and this file is left out"
      }
      expectEqual(findings.map(\.verdict), [.damaged], "\(reading.report.findings)")
      #expect(findings.allSatisfy { copy.hasSuffix($0.file) && $0.lostEvents == nil })
      expectEqual(reading.report.eventCount, UInt64(sample.payloads.count))
      #expect(reading.all.count == sample.payloads.count && sample.wrong(reading.all) == 0)
      expectEqual(reading.report.findings.count, 1, "\(reading.report.findings)")
    }
  }
}
