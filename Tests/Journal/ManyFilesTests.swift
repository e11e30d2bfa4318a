import Expectations
import PlainText
import Testing

@testable import Journal

/// A journal's directory may hold as many files as a device has room for, and anyone may put them there.
@Suite("Many files")
struct ManyFilesTests {
  /// What is in a file with a segment's name that is not a segment.
  enum Content: CaseIterable {
    case nothing, garbage, zeros, shortened

    func bytes(_ sample: SampleJournal) -> [UInt8] {
      switch self {
      case .nothing: []
      case .garbage: [UInt8](repeating: 0x41, count: 600)
      case .zeros: [UInt8](repeating: 0, count: 600)
      case .shortened: Array(sample.files["j/00000000000000000001.seg", default: []].prefix(40))
      }
    }
  }

  /// What was asked of the file system.
  private struct Cost {
    var calls = 0
    var bytes = 0
  }

  private func costs(_ count: Int, _ content: Content, isBetween: Bool) throws -> [String: Cost] {
    let sample = try SampleJournal()
    var files = sample.files
    let bytes = content.bytes(sample)
    // The sample has 40 events.
    for first in (isBetween ? 2 : 100)..<(count + 100) {
      let path = "j/\(first.padded(to: 20)).seg"
      if files[path] == nil { files[path] = bytes }
    }
    var costs: [String: Cost] = [:]
    func measure(_ what: String, _ body: (MemoryFileSystem) throws -> Void) rethrows {
      let fileSystem = MemoryFileSystem(files)
      try body(fileSystem)
      costs[what] = Cost(calls: fileSystem.calls.count, bytes: fileSystem.bytesRead)
    }
    try measure("reading") {
      _ = try events(JournalReader(path: SampleJournal.path, fileSystem: $0), beyondDamage: true)
    }
    try measure("verifying") { _ = try JournalReader(path: SampleJournal.path, fileSystem: $0).verify() }
    try measure("salvaging") { _ = try Salvage(of: [SampleJournal.path], fileSystem: $0).write(to: "out") }
    return costs
  }

  @Test(
    "Files with segments' names cost calls and bytes in proportion to their number, whatever is in them",
    arguments: Content.allCases, [false, true])
  func proportion(content: Content, isBetween: Bool) throws {
    let few = try costs(300, content, isBetween: isBetween)
    let many = try costs(1_200, content, isBetween: isBetween)
    for (what, cost) in few {
      let other = try #require(many[what])
      #expect(other.calls < 5 * cost.calls && other.bytes < 5 * max(cost.bytes, 1), "\(what): \(cost), \(other)")
    }
  }

  @Test("A segment overrules an event when a later one begins at or before it")
  func starts() {
    let places = (1...3).flatMap { ordinal in (1...4).map { (ordinal: UInt64(ordinal), sequence: UInt64($0)) } }
    var wrong: [String] = []
    for one in places {
      for other in places {
        for third in places {
          let segments = [one, other, third]
          let starts = SegmentStarts(
            segments.map {
              SegmentHeader(
                id: sampleID, ordinal: $0.ordinal, firstSequence: $0.sequence, chainIn: 0, predecessor: .none,
                createdNanoseconds: 0)
            })
          for ordinal in UInt64(0)...3 {
            for sequence in UInt64(0)...5 {
              let expected = segments.contains { $0.ordinal > ordinal && $0.sequence <= sequence }
              if starts.overrule(ordinal: ordinal, sequence: sequence) != expected {
                wrong.append("\(segments), segment \(ordinal), event \(sequence)")
              }
            }
          }
        }
      }
    }
    expectEqual(wrong, [])
    #expect(!SegmentStarts([]).overrule(ordinal: 0, sequence: .max))
  }

  @Test("Of many checkpoints those of a stretch of events are found, whatever the order of their names")
  func claims() throws {
    var sample = try SampleJournal(segmentSize: 1 << 20)
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem)
    var chains: [UInt64: UInt32] = [:]
    var cursor = try reader.cursor()
    while let item = try cursor.next() { if case .event(let event) = item { chains[event.sequence] = event.chain } }
    for sequence in UInt64(1)...40 {
      let chain = try #require(chains[sequence])
      let checkpoint = Checkpoint(
        sequence: sequence, ordinal: 1, chain: sequence % 3 == 0 ? ~chain : chain, body: [UInt8(sequence)])
      // Names in the opposite order.
      sample.files["j/" + Checkpoint.name(100 - sequence)] = checkpoint.header(for: sampleID) + [UInt8(sequence)]
    }
    let findings = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem).verify().findings
    let wrong = findings.filter { $0.cause == "it was made from another history" }.map(\.file)
    expectEqual(wrong.sorted(), (1...13).map { Checkpoint.name(100 - 3 * UInt64($0)) }.sorted())
  }
}
