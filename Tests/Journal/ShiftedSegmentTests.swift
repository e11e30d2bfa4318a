import Expectations
import Testing

@testable import Journal

/// Files of segments that go, come back, or come twice while a reader is behind them.
@Suite("A reader of a journal whose segments change after it")
struct ShiftedSegmentTests {
  private static let path = SampleJournal.path

  private struct Sample {
    var files: MemoryFileSystem
    var journal: JournalWriter
    var segments: [String]
  }

  /// A journal of at least six segments whose writer is at work.
  private static func sample() throws -> Sample {
    let sample = try SampleJournal(count: 200)
    let files = sample.fileSystem
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 10
    options.preallocation = 0
    let journal = try JournalWriter.open(at: path, options: options, fileSystem: files)
    let segments = try JournalReader(path: path, fileSystem: files).segments.map { "\(path)/\($0.file)" }
    try #require(segments.count >= 6)
    return Sample(files: files, journal: journal, segments: segments)
  }

  private static func append(_ count: Int, to journal: JournalWriter) throws {
    for _ in 0..<count {
      var batch = JournalBatch()
      try batch.append(payload: [UInt8](repeating: 5, count: 200), label: 0)
      try journal.append(&batch)
    }
  }

  private static func drain(_ cursor: inout JournalCursor) throws -> (events: [UInt64], findings: [Finding]) {
    var events: [UInt64] = []
    var findings: [Finding] = []
    while let item = try cursor.next() {
      switch item {
      case .event(let event): events.append(event.sequence)
      case .finding(let finding): findings.append(finding)
      }
    }
    return (events, findings)
  }

  @Test("Segments that go behind a reader cost it no event", arguments: [[0], [0, 1, 2], [2], [1, 4]], [1, 8])
  func removed(choice: [Int], count: Int) throws {
    let sample = try Self.sample()
    var cursor = try JournalReader(path: Self.path, fileSystem: sample.files).cursor()
    let before = try Self.drain(&cursor)
    #expect(before.events == Array(1...200) && before.findings == [])
    for index in choice { try sample.files.remove(sample.segments[index]) }
    for round in 0..<3 {
      try Self.append(count, to: sample.journal)
      let after = try Self.drain(&cursor)
      let first = 201 + round * count
      expectEqual(after.events, Array(UInt64(first)..<UInt64(first + count)), "round \(round)")
      expectEqual(after.findings, [], "round \(round): \(after.findings)")
    }
    try sample.journal.close()
  }

  @Test("Segments that are put back behind a reader are no damage", arguments: [[0], [0, 1], [2], [0, 3]], [1, 8])
  func restored(choice: [Int], count: Int) throws {
    let sample = try Self.sample()
    let whole = sample.files.files
    for index in choice { try sample.files.remove(sample.segments[index]) }
    let start = try JournalReader(path: Self.path, fileSystem: sample.files).segments.last?.firstSequence ?? 1
    var cursor = try JournalReader(path: Self.path, fileSystem: sample.files).cursor(after: start - 1)
    let before = try Self.drain(&cursor)
    #expect(before.events == Array(start...200) && before.findings.isEmpty, "\(before.findings)")
    for index in choice {
      let path = sample.segments[index]
      let bytes = try #require(whole[path])
      sample.files.close(try sample.files.open(path, .replace))
      sample.files.edit(path) { $0 = bytes }
    }
    for round in 0..<3 {
      try Self.append(count, to: sample.journal)
      let after = try Self.drain(&cursor)
      let first = 201 + round * count
      expectEqual(after.events, Array(UInt64(first)..<UInt64(first + count)), "round \(round)")
      expectEqual(after.findings, [], "round \(round): \(after.findings)")
    }
    try sample.journal.close()
  }

  @Test("A second file with the number of a segment is found when it comes, once, and costs no event")
  func repeated() throws {
    let sample = try Self.sample()
    var cursor = try JournalReader(path: Self.path, fileSystem: sample.files).cursor()
    try expectEqual(Self.drain(&cursor).findings, [])
    let copy = String(sample.segments[1].dropLast(4)) + "-0000000099.seg"
    let bytes = try #require(sample.files.files[sample.segments[1]])
    sample.files.close(try sample.files.open(copy, .replace))
    sample.files.edit(copy) { $0 = bytes }
    try Self.append(8, to: sample.journal)
    let after = try Self.drain(&cursor)
    expectEqual(after.events, Array(201...208))
    expectEqual(after.findings.map(\.cause), ["segment 2 is there already, and this file is left out"])
    #expect(after.findings.allSatisfy { copy.hasSuffix($0.file) })
    try expectEqual(Self.drain(&cursor).findings, [])
    try sample.journal.close()
  }

  @Test(
    "A reader of durable events looks at HEAD, at the names where HEAD does not answer, and at no file that is there already"
  )
  func polling() throws {
    let files = MemoryFileSystem()
    var options = JournalOptions()
    options.syncPolicy = .none
    options.segmentSizeLimit = 1 << 10
    let journal = try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 0, options: options, fileSystem: files)
    try Self.append(20, to: journal)
    try journal.sync()
    try Self.append(1, to: journal)
    var cursor = try JournalReader(path: Self.path, fileSystem: files).cursor(upTo: .durable)
    try expectEqual(Self.drain(&cursor).events, Array(1...20))
    files.forgetCalls()
    try expectEqual(Self.drain(&cursor).events, [])
    expectEqual(files.calls.filter { $0.hasPrefix("open") || $0.hasPrefix("list") }, ["open HEAD", "list j"])
    try journal.sync()
    files.forgetCalls()
    let isThere = try cursor.next() != nil
    #expect(isThere && files.calls.filter { $0.hasPrefix("open") || $0.hasPrefix("list") } == ["open HEAD"])
    try journal.close()
  }
}
