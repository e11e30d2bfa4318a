import Expectations
import Testing

@testable import Journal

/// One bit wrong anywhere: it is noticed, nothing wrong is served, and at most one event is lost.
@Suite("A flipped bit")
struct BitFlipTests {
  @Test("In a closed journal every flip is damage, no event is wrong, and at most one is lost")
  func closedJournal() throws {
    let sample = try SampleJournal(count: 40)
    #expect(
      sample.files.keys.count { $0.hasSuffix(".seg") } >= 3 && sample.files.keys.count { $0.hasSuffix(".ckpt") } >= 2)
    try expectEqual(SampleJournal.read(sample.files).report.findings, [])
    try flipEverything(in: sample, files: sample.files.keys.sorted())
  }

  @Test("In segments of several blocks it is no different")
  func severalBlocks() throws {
    let sample = try SampleJournal(count: 14, batchesPerBlock: 1)
    #expect(try sample.anchorsPerSegment().max() ?? 0 >= 3)
    try flipEverything(in: sample, files: sample.files.keys.sorted().filter { $0.hasSuffix(".seg") })
  }

  @Test("In a journal left open every flip in synced bytes is damage")
  func openJournal() throws {
    let sample = try SampleJournal(count: 12, closing: false, segmentSize: 1 << 20)
    try expectEqual(SampleJournal.read(sample.files).report.findings, [])
    try flipEverything(in: sample, files: sample.files.keys.sorted().filter { $0.hasSuffix(".seg") })
  }

  @Test("Without any sync a flip is never clean: it is a torn tail or a gap, and no event is wrong")
  func unsyncedJournal() throws {
    let sample = try SampleJournal(count: 9, policy: .none, closing: false, segmentSize: 1 << 20)
    for (path, offset, bit) in positions(sample, sample.files.keys.sorted().filter { $0.hasSuffix(".seg") }) {
      let reading = try SampleJournal.read(flip(sample.files, path, offset, bit))
      #expect(!reading.report.findings.isEmpty, "\(path) byte \(offset) bit \(bit)")
      #expect(sample.wrong(reading.all) == 0 && sample.wrong(reading.prefix) == 0, "\(path) byte \(offset) bit \(bit)")
    }
  }

  private func flipEverything(in sample: SampleJournal, files: [String]) throws {
    var failures: [String] = []
    for (path, offset, bit) in positions(sample, files) {
      let place = "\(path) byte \(offset) bit \(bit)"
      do {
        let reading = try SampleJournal.read(flip(sample.files, path, offset, bit))
        let lost = sample.payloads.count - reading.all.count
        if reading.report.isSound { failures.append("\(place): sound") }
        if sample.wrong(reading.all) > 0 || sample.wrong(reading.prefix) > 0 {
          failures.append("\(place): wrong event")
        }
        if lost > 1 || UInt64(reading.all.count) != reading.report.eventCount {
          failures.append("\(place): lost \(lost), counted \(reading.report.eventCount)")
        }
        if reading.report.lostEvents.reduce(0, { $0 + $1.count }) != lost {
          failures.append("\(place): lost \(lost), reported \(reading.report.lostEvents)")
        }
        if reading.report.lastVerifiedSequence != UInt64(reading.prefix.count) {
          failures.append("\(place): prefix \(reading.prefix.count), reported \(reading.report.lastVerifiedSequence)")
        }
      } catch {
        failures.append("\(place): \(error)")
      }
    }
    #expect(failures.isEmpty, "\(failures.count) failures, the first: \(failures.prefix(12))")
  }

  /// `tools/damage` tries every bit; a debug build tries two of each byte, in turn.
  private static func bits(at offset: Int) -> [Int] {
    #if DEBUG
      [offset % 8, (offset + offset / 8 + 4) % 8]
    #else
      Array(0..<8)
    #endif
  }

  private func positions(_ sample: SampleJournal, _ files: [String]) -> [(String, Int, Int)] {
    files.flatMap { path in
      (0..<(sample.files[path]?.count ?? 0)).flatMap { offset in Self.bits(at: offset).map { (path, offset, $0) } }
    }
  }

  private func flip(_ files: [String: [UInt8]], _ path: String, _ offset: Int, _ bit: Int) -> [String: [UInt8]] {
    var files = files
    files[path]?[offset] ^= 1 << UInt8(bit)
    return files
  }
}
