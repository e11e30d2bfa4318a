import Testing

@testable import Journal

/// Events that only their links identify may stand in the file of another segment than the one that held them.
@Suite("Segments of linked events")
struct LinkedEventOrdinalsTests {
  @Test(
    "The check of a linked event says in which segment it was written, in whichever file it stands", arguments: [0, 1])
  func ordinals(cut: Int) throws {
    let sample = try SampleJournal(count: 60, segmentSize: 700)
    let segments = sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted()
    try #require(segments.count > 2)
    for (index, path) in segments.dropLast().enumerated() {
      let events = SampleFrame.all(in: sample.files[path, default: []]).filter { $0.type == .event }
      guard events.count > 4 else { continue }
      // The check of the first one says something, or only that of the second.
      var piece = Array(sample.files[path, default: []][events[events.count - 3].offset...])
      for byte in 0..<3 * cut { piece[byte] ^= 0x55 }
      var files = sample.files
      let last = try #require(segments.last)
      files[last]?.insert(contentsOf: [1, 2, 3] + piece, at: 224)
      let salvage = try Salvage(of: [SampleJournal.path], fileSystem: MemoryFileSystem(files))
      let found = salvage.fragments.filter {
        salvage.files[$0.file].path == last && $0.end <= UInt64(224 + 3 + piece.count)
      }
      let ordinals = found.map { salvage.traces[$0.trace].ordinal }
      #expect(!found.isEmpty && ordinals.allSatisfy { $0 == UInt64(index + 1) }, "\(path): \(ordinals)")
    }
  }

  @Test("HEAD counts where only the directory as a whole says of which journal it is")
  func head() throws {
    let sample = try SampleJournal(count: 14, closing: false)
    let path = try #require(sample.files.keys.first { $0.hasSuffix(".seg") })
    var files = sample.files
    let events = SampleFrame.all(in: files[path, default: []]).filter { $0.type == .event }
    let last = try #require(events.last)
    files[path]?.removeSubrange(last.offset + 4..<last.end)
    files[path]?.removeSubrange(36..<43)
    files["j/JOURNAL"]?[45] ^= 1
    let (found, report, _) = try salvaged(files)
    #expect(report.source == sampleID && found.values.count { !$0.isEmpty } >= events.count - 2)
    let claimed = report.losses.compactMap(\.events?.upperBound).max() ?? 0
    #expect(claimed == UInt64(events.count) || found.keys.max() == UInt64(events.count), "\(report.losses)")
  }
}
