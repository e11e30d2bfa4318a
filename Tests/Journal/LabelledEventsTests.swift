import Expectations
import Testing

@testable import Journal

@Suite("Stretches of events with their labels")
struct LabelledEventsTests {
  @Test("Footers and anchors state the labels of all events, in order", arguments: [true, false])
  func labels(isClosed: Bool) throws {
    let fileSystem = MemoryFileSystem()
    var options = JournalOptions()
    options.segmentSizeLimit = 64 << 10
    let journal = try JournalWriter.create(
      at: SampleJournal.path, id: sampleID, createdNanoseconds: 1, options: options, fileSystem: fileSystem)
    // The clock goes back at times.
    let labels = (1...8000).map { Int64($0) * 10 - ($0 % 700 == 0 ? 3000 : 0) }
    for label in labels {
      var batch = JournalBatch()
      try batch.append(payload: Array("event \(label)".utf8), label: label)
      try journal.append(&batch)
    }
    if isClosed { try journal.close() } else { try journal.sync() }
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: fileSystem)
    let outline = try #require(reader.outline())
    let stretches = try reader.labelledEvents(in: outline)
    #expect(reader.segments.count > 2 && stretches.count > reader.segments.count)
    #expect(stretches.first?.events.lowerBound == 1 && stretches.last?.events.upperBound == 8000)
    for (stretch, next) in zip(stretches, stretches.dropFirst()) {
      expectEqual(next.events.lowerBound, stretch.events.upperBound + 1)
    }
    for stretch in stretches {
      let ours = labels[Int(stretch.events.lowerBound - 1)...Int(stretch.events.upperBound - 1)]
      guard let known = stretch.labels else { continue }
      #expect(known.lowerBound == ours.min() && known.upperBound == ours.max())
    }
    #expect(stretches.filter { $0.labels == nil }.count <= (isClosed ? 0 : 1))
  }
}
