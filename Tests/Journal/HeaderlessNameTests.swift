import Expectations
import Testing

@testable import Journal

/// A file without a header that verifies has a name and perhaps frames; its name wins against no better witness.
@Suite("What the name of a file without a header proves")
struct HeaderlessNameTests {
  private static func path(_ first: UInt64, ordinal: UInt64 = 0) -> String {
    "j/" + SegmentName(firstSequence: first, ordinal: ordinal).text
  }

  /// The segments of a sample, in order, each with the first event.
  private static func segments(_ sample: SampleJournal) -> [(path: String, first: UInt64)] {
    sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted()
      .compactMap { path in SegmentName(String(path.dropFirst(2))).map { (path, $0.firstSequence) } }
  }

  @Test(
    "A later number in the name of an empty file overrules neither HEAD nor the segment whose name it took",
    arguments: [0, 224, 4096])
  func laterNumber(zeros: Int) throws {
    let sample = try SampleJournal(count: 80)
    let segments = Self.segments(sample)
    // The names then end with a segment that is not the last one.
    #expect(segments.count > 3)
    let (last, first) = try #require(segments.last)
    let numbers: [UInt64] = [UInt64(segments.count + 1), 90, 90 + SegmentName.step]
    for number in numbers {
      var files = sample.files
      files[Self.path(segments[1].first + 1)] = files.removeValue(forKey: last)
      files[Self.path(first, ordinal: number)] = [UInt8](repeating: 0, count: zeros)
      let reading = try SampleJournal.read(files)
      #expect(reading.all.count == 80 && sample.wrong(reading.all) == 0, "\(reading.report.findings)")
      #expect(reading.report.findings.allSatisfy { $0.verdict == .indexDamaged }, "\(reading.report.findings)")
      #expect(reading.report.lostEvents.isEmpty)
      let (events, report, _) = try salvaged(files)
      #expect(events.count == 80 && report.isComplete && report.knowsEnd && report.aside.isEmpty, "\(report.losses)")
    }
  }

  @Test("A first file without a frame is the first segment, whatever number its name says")
  func firstFile() throws {
    let sample = try SampleJournal(count: 40)
    let segments = Self.segments(sample)
    var files = sample.files
    files[segments[0].path] = nil
    files[Self.path(1, ordinal: 9)] = []
    let reading = try SampleJournal.read(files)
    #expect(reading.all.keys.min() == segments[1].first && sample.wrong(reading.all) == 0)
    expectEqual(reading.report.lostEvents, [1...(segments[1].first - 1)], "\(reading.report.findings)")
    #expect(!reading.report.findings.contains { $0.cause.contains("segment 9") || $0.cause.contains("segment 10") })
  }

  @Test("The first frames of a segment say with which event it begins, whatever its file's name says")
  func framesAgainstName() throws {
    let sample = try SampleJournal(count: 40)
    let segments = Self.segments(sample)
    for (index, (path, first)) in segments.enumerated() {
      for name in [first - 1, first + 1, first + 900] where name > 0 && sample.files[Self.path(name)] == nil {
        var files = sample.files
        guard var bytes = files.removeValue(forKey: path) else { continue }
        bytes.replaceSubrange(..<224, with: [UInt8](repeating: 0, count: 224))
        files[Self.path(name)] = bytes
        let reading = try SampleJournal.read(files)
        #expect(reading.all.count == 40 && sample.wrong(reading.all) == 0, "\(index) as \(name)")
        expectEqual(
          reading.report.findings.map(\.verdict), [.indexDamaged], "\(index) as \(name): \(reading.report.findings)")
        let (events, report, _) = try salvaged(files)
        #expect(events.count == 40 && report.isComplete, "\(index) as \(name): \(report.losses)")
      }
    }
  }

  @Test("An earlier event in the name of an empty file takes no event from a sealed segment before it")
  func sealedBefore() throws {
    let sample = try SampleJournal(count: 40)
    let segments = Self.segments(sample)
    let (last, end) = try #require(segments.last)
    let (sealed, begin) = segments[segments.count - 2]
    for name in (begin + 1)..<end {
      var files = sample.files
      files[last] = nil
      files[Self.path(name)] = []
      let reading = try SampleJournal.read(files)
      #expect(reading.all.keys.max() == end - 1 && sample.wrong(reading.all) == 0, "\(name)")
      expectEqual(reading.all.count, Int(end - 1), "\(name): \(reading.report.findings)")
      expectEqual(reading.report.findings.map(\.verdict), [.indexDamaged, .tailLost], "\(name)")
      expectEqual(reading.report.lostEvents, [end...40], "\(name): \(reading.report.findings)")
      let (events, report, _) = try salvaged(files)
      let found = events.filter { !$1.isEmpty }
      #expect(found.count == Int(end - 1) && sample.wrong(found) == 0, "\(name)")
      expectEqual(report.losses.compactMap(\.events), [end...40], "\(name): \(report.losses)")

      // Behind a hole the owner may have given up what stands there, and gone on with other events.
      files[sealed]?[224 + 20] ^= 1
      let holed = try SampleJournal.read(files)
      #expect(holed.all.keys.max() ?? 0 < name && sample.wrong(holed.all) == 0, "\(name): \(holed.report.findings)")
    }
  }

  @Test("Two empty files with earlier events in their names take no event from a sealed segment before them")
  func twoBehindSealed() throws {
    let sample = try SampleJournal(count: 80)
    let segments = Self.segments(sample)
    let (begin, end) = (segments[1].first, segments[2].first)
    for hasHead in [true, false] {
      var files = sample.files.filter { hasHead || $0.key != "j/HEAD" }
      for segment in segments[2...] { files[segment.path] = nil }
      files = files.filter { !$0.key.hasSuffix(".ckpt") }
      files[Self.path(begin + 1)] = []
      files[Self.path(begin + 2)] = []
      let reading = try SampleJournal.read(files)
      #expect(reading.all.count == Int(end - 1) && sample.wrong(reading.all) == 0, "\(reading.report.findings)")
      expectEqual(reading.report.lostEvents, hasHead ? [end...80] : [], "\(reading.report.findings)")
      let (events, report, _) = try salvaged(files)
      expectEqual(events.filter { !$1.isEmpty }.count, Int(end - 1), "\(report.losses)")
    }
  }

  @Test("An earlier event in the name of an empty file takes no proven event from the last segment")
  func provenBefore() throws {
    let sample = try SampleJournal(count: 40, closing: false, segmentSize: 1 << 16)
    let head = try #require(sample.files["j/HEAD"])
    let slots = HeadReceipt.read(head, of: sampleID).slots
    expectEqual(slots.count, 2)
    for torn in [0, 512] {
      var files = sample.files
      var bytes = head
      bytes.replaceSubrange(torn..<(torn + 64), with: [UInt8](repeating: 0, count: 64))
      files["j/HEAD"] = bytes
      let proven = try #require(HeadReceipt.read(bytes, of: sampleID).newest?.sequence)
      for name in 2...UInt64(41) {
        files[Self.path(name)] = []
        let reading = try SampleJournal.read(files)
        let found = reading.report.findings
        #expect(reading.all.count >= Int(proven) && sample.wrong(reading.all) == 0, "\(name): \(found)")
        let isTold = reading.all.count == 40 || found.contains { $0.verdict == .damaged }
        #expect(isTold, "\(name): \(found)")
        let (events, report, _) = try salvaged(files)
        #expect(events.filter { !$1.isEmpty }.count >= Int(proven), "\(name): \(report.losses)")
        files[Self.path(name)] = nil
      }
    }
  }
}
