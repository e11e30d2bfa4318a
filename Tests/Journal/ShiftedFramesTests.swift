import Expectations
import PlainText
import Testing

@testable import Journal

/// Where bytes of a segment are missing or were inserted, reading says so, and shows none of the events after them.
@Suite("Reading of shifted frames")
struct ShiftedFramesTests {
  @Test("A finding says how many bytes are missing or too many, and which events stand whole after them")
  func findings() throws {
    for policy in [SyncPolicy.everyCommit, .none] {
      let sample = try SampleJournal(count: 14, policy: policy, closing: policy == .everyCommit)
      let path = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
      var cursor = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem).cursor()
      var places: [Int] = []
      while let item = try cursor.next() {
        if case .event(let event) = item { places.append(Int(event.offset)) }
      }
      for (index, place) in places.enumerated().dropFirst(2).dropLast(4) {
        for count in [-1, 1, -8, 8, 517, 4096, -(places[index + 1] - place)] {
          var files = sample.files
          if count > 0 {
            files[path]?.insert(contentsOf: SalvageShiftTests.noise.prefix(count), at: place + 9)
          } else {
            files[path]?.removeSubrange(place..<place - count)
          }
          let reading = try SampleJournal.read(files)
          #expect(sample.wrong(reading.all) == 0 && !reading.report.isSound, "\(count) at event \(index + 1)")
          let found = reading.report.findings.filter { $0.strandedEvents != nil }
          let finding = try #require(found.first, "\(count) at event \(index + 1): \(reading.report.findings)")
          let bytes = abs(count).counted("byte is", "bytes are")
          #expect(finding.cause.contains("\(bytes) \(count > 0 ? "too many" : "missing")"), "\(finding)")
          expectEqual(finding.strandedEvents?.lowerBound, UInt64(index + 2), "\(finding)")
        }
      }
    }
  }

  @Test("No single flipped bit looks like missing bytes")
  func flips() throws {
    let sample = try SampleJournal(count: 14, closing: false)
    let path = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
    for bit in stride(from: 224 * 8, to: (sample.files[path]?.count ?? 0) * 8, by: 3) {
      var files = sample.files
      files[path]?[bit / 8] ^= 1 << UInt8(bit % 8)
      let report = try JournalReader(path: SampleJournal.path, fileSystem: MemoryFileSystem(files)).verify()
      #expect(report.findings.allSatisfy { $0.strandedEvents == nil && !$0.cause.contains("missing") }, "bit \(bit)")
    }
  }
}
