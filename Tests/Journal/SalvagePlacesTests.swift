import Expectations
import Testing

@testable import Journal

/// Frames whose checks are changed alike verify under a seed of their own, and stand between frames of their segment.
@Suite("Where salvaged events stand")
struct SalvagePlacesTests {
  private static let path = "j/00000000000000000001.seg"

  /// Changes the checks of events, which gives them another seed.
  private static func change(_ bytes: inout [UInt8], _ events: [SampleFrame], by difference: UInt8) {
    for event in events { bytes[event.offset + 1] ^= difference }
  }

  @Test("Events that go on from others of a segment in its file are of that segment, however many stand between")
  func touching() throws {
    let sample = try SampleJournal(count: 40, segmentSize: 1 << 20)
    var files = sample.files
    var bytes = try #require(files[Self.path])
    let events = SampleFrame.all(in: bytes).filter { $0.type == .event }
    for (index, difference) in [3, 5, 9, 17, 33].enumerated() {
      Self.change(&bytes, Array(events[(10 + 2 * index)..<(12 + 2 * index)]), by: UInt8(difference))
    }
    files[Self.path] = bytes
    let salvage = try Salvage(of: [SampleJournal.path], fileSystem: MemoryFileSystem(files))
    let traces = salvage.fragments.map { salvage.traces[$0.trace] }
    #expect(traces.count > 5 && traces.allSatisfy { $0.id == sampleID && $0.ordinal == 1 }, "\(traces)")
    let (salvagedEvents, report, _) = try salvaged(files)
    #expect(salvagedEvents.count == 40 && sample.wrong(salvagedEvents) == 0 && report.isComplete)
  }

  @Test("A loss between two stretches of frames with another seed has the bytes that do not verify, and no others")
  func bytesOfLoss() throws {
    let sample = try SampleJournal(count: 60, segmentSize: 1 << 20, batchesPerBlock: 8)
    var files = sample.files
    var bytes = try #require(files[Self.path])
    let frames = SampleFrame.all(in: bytes)
    let anchor = try #require(frames.firstIndex { $0.type == .anchor })
    let lost = frames[anchor + 1]
    #expect(anchor > 8 && lost.type == .event && frames.count > anchor + 12)
    // The same change before and after the anchor: one seed in two stretches.
    Self.change(&bytes, Array(frames[2..<4]), by: 3)
    Self.change(&bytes, Array(frames[(anchor + 7)..<(anchor + 9)]), by: 3)
    bytes[lost.offset + 16] ^= 1
    files[Self.path] = bytes
    let report = try salvaged(files).report
    let loss = try #require(report.losses.first { $0.events != nil })
    #expect(loss.events.map { $0.count } == 1 && loss.file == Self.path)
    expectEqual(loss.byteRange, UInt64(lost.offset)..<UInt64(lost.end), "\(loss)")
  }

  @Test("Of a file that holds another segment, it is not said that its bytes do not verify")
  func otherSegment() throws {
    let sample = try SampleJournal(count: 60)
    let segments = try JournalReader(path: "j", fileSystem: sample.fileSystem).segments
    let last = try #require(segments.last)
    for isDamaged in [false, true] {
      var files = sample.files
      files["j/" + last.file] = files["j/" + segments[0].file]
      if isDamaged { files["j/" + last.file]?.append(1) }
      let (_, report, _) = try salvaged(files)
      #expect(report.losses.map(\.events) == [last.firstSequence...60] && report.events.lowerBound == 1)
      let loss = try #require(report.losses.first)
      expectEqual(loss.file, "j/" + last.file)
      expectEqual(
        loss.cause, isDamaged ? "these bytes do not verify, or are other events" : "these bytes are other events")
    }
  }

  @Test("Events in a hundred files that lead to a journal, each by way of a later file, are all of that journal")
  func linkedBackwards() throws {
    let sample = try SampleJournal(count: 220, segmentSize: 1 << 20)
    var files = sample.files
    var bytes = try #require(files[Self.path])
    let events = SampleFrame.all(in: bytes).filter { $0.type == .event }
    for pair in 0..<100 {
      let piece = Array(events[(10 + 2 * pair)..<(12 + 2 * pair)])
      Self.change(&bytes, piece, by: UInt8(1 + pair))
      let start = piece[0].offset
      files["j/piece-\(999 - pair)"] = [UInt8](repeating: 0, count: start) + bytes[start..<piece[1].end]
    }
    files[Self.path] = Array(bytes[..<events[10].offset])
    let salvage = try Salvage(of: [SampleJournal.path], fileSystem: MemoryFileSystem(files))
    let owners = salvage.fragments.map { salvage.traces[$0.trace].id }
    #expect(owners.count > 100 && owners.allSatisfy { $0 == sampleID })
    let (salvagedEvents, _, _) = try salvaged(files)
    expectEqual(salvagedEvents.values.count { !$0.isEmpty }, 210)
  }
}
