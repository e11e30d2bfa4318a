import Expectations
import Testing

@testable import Journal

/// Whole batches at the end of a segment that its successor gave up stay out of the history, also where the successor is
/// damaged or gone and nothing says what became of them.
@Suite("What a missing segment leaves undecided")
struct UndecidedEventsTests {
  private static let first = "j/00000000000000000001.seg"
  private static let second = "j/00000000000000000010.seg"
  private static let ghost = [UInt8](repeating: 0xEE, count: 40)

  private static func payload(_ number: UInt64) -> [UInt8] { [UInt8](repeating: UInt8(number), count: 40) }

  private static func append(_ journal: JournalWriter, _ payloads: [[UInt8]]) throws {
    for payload in payloads {
      var batch = JournalBatch()
      try batch.append(payload: payload, label: 0)
      try journal.append(&batch)
    }
  }

  /// Events 1 to 9; then a write of two batches of which the first is whole and the second torn, and which was refused;
  /// then events 10 to 20 in the next segment.
  ///
  /// - Parameter ghosts: how many batches of the refused write are whole.
  private static func journal(ghosts: Int = 1, closing: Bool = true) throws -> [String: [UInt8]] {
    let files = MemoryFileSystem()
    try append(
      try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 9, fileSystem: files),
      (1...9).map { payload($0) })
    let accepted = files.files.filter { !$0.key.hasSuffix("LOCK") }
    var options = JournalOptions()
    options.syncPolicy = .none
    let refused = MemoryFileSystem(accepted)
    try append(
      try JournalWriter.open(at: "j", options: options, fileSystem: refused), Array(repeating: ghost, count: ghosts + 1)
    )
    let end = 224 + 9 * 56
    // As the device has it once the write failed and could not be cut off.
    let torn = Array(try #require(refused.files[first]).prefix(end + ghosts * 56 + 30))
    // What the writer begins the next segment after.
    let copy = MemoryFileSystem(accepted)
    copy.edit(first) { $0 = Array($0.prefix(end)) + [7] }
    let continued = try JournalWriter.open(at: "j", fileSystem: copy)
    #expect(continued.lastSequence == 9 && continued.recovery.beganSegment)
    try append(continued, (10...20).map { payload($0) })
    if closing { try continued.close() }
    copy.edit(first) { $0 = torn }
    return copy.files.filter { !$0.key.hasSuffix("LOCK") }
  }

  /// Events that are not those that were appended under their numbers.
  private static func wrong(_ events: [UInt64: [UInt8]]) -> [UInt64] {
    events.filter { $1 != payload($0) && !$1.isEmpty }.keys.sorted()
  }

  @Test("The journal is as it is meant: the refused write is torn, and the next segment goes on before it")
  func fixture() throws {
    for closing in [true, false] {
      let files = try Self.journal(closing: closing)
      let reading = try SampleJournal.read(files)
      #expect(reading.all.keys.sorted() == Array(1...20) && Self.wrong(reading.all) == [])
      #expect(reading.report.findings.allSatisfy { $0.verdict == .torn(.garbage) || $0.verdict == .torn(.short) })
      let (events, report, _) = try salvaged(files)
      #expect(events.count == 20 && Self.wrong(events) == [] && report.isComplete)
    }
  }

  @Test(
    "With the next segment's first sector, its header or all of it gone, no batch of a refused write is served or salvaged",
    arguments: [1, 3], [true, false])
  func successorDamaged(ghosts: Int, closing: Bool) throws {
    let files = try Self.journal(ghosts: ghosts, closing: closing)
    let segment = try #require(files[Self.second])
    var damages: [(name: String, bytes: [UInt8]?)] = [
      ("gone", nil), ("empty", []), ("short", Array(segment.prefix(100))),
    ]
    for size in [224, 512, segment.count] {
      damages.append(("\(size) zeros", [UInt8](repeating: 0, count: size) + segment.dropFirst(size)))
    }
    for (name, bytes) in damages {
      var damaged = files
      damaged[Self.second] = bytes
      let reading = try SampleJournal.read(damaged)
      #expect(Self.wrong(reading.all) == [] && Self.wrong(reading.prefix) == [], "\(name)")
      #expect(Set(1...9).isSubset(of: reading.all.keys), "\(name): \(reading.all.keys.sorted())")
      if name != "224 zeros" { #expect(!reading.report.isSound && !reading.report.lostEvents.isEmpty, "\(name)") }
      let (events, report, _) = try salvaged(damaged)
      expectEqual(Self.wrong(events), [], "\(name): \(report.aside)")
      expectEqual(events.filter { !$1.isEmpty }.keys.sorted(), reading.all.keys.sorted(), "\(name)")
      #expect(report.aside.contains { $0.file == Self.first && $0.events.lowerBound == 10 }, "\(name): \(report.aside)")
    }
  }

  @Test("What is undecided is named as such, with its place and its numbers")
  func finding() throws {
    var files = try Self.journal(ghosts: 2)
    files[Self.second] = nil
    let findings = try SampleJournal.read(files).report.findings
    let finding = try #require(findings.first)
    #expect(findings.count == 1 && finding.verdict == .damaged && finding.lostEvents == 10...20, "\(findings)")
    #expect(finding.strandedEvents == 10...11 && finding.byteRange.lowerBound == 224 + 9 * 56)
    expectEqual(finding.cause, "events 10–11 verify here, and whether the history went on with them is unknown")
    #expect(finding.evidence.hasPrefix("segment 2, which says where this one ends, is missing"))
    let report = try salvaged(files).report
    #expect(report.aside.map(\.reason) == [.undecided] && report.aside.map(\.events) == [10...11], "\(report.aside)")
    #expect(report.losses.compactMap(\.events) == [10...20] && !report.isComplete)
  }

  @Test(
    "A file without a valid header hides no event before it, and says that the events before its first were durable")
  func emptyFile() throws {
    for closing in [true, false] {
      let sample = try SampleJournal(count: 20, closing: closing, segmentSize: 1 << 20)
      for content in [[], [1, 2, 3], [UInt8](repeating: 0, count: 400)] {
        var files = sample.files
        files[Self.second] = content
        let reading = try SampleJournal.read(files)
        #expect(reading.all.count == 20 && reading.prefix.count == 20, "\(reading.report.findings)")
        #expect(reading.report.findings.map(\.verdict) == [.indexDamaged] && reading.report.lostEvents == [])
        let (events, report, _) = try salvaged(files)
        #expect(events.count == 20 && sample.wrong(events) == 0 && report.losses == [])
        // A writer goes on as well.
        let memory = MemoryFileSystem(files)
        let journal = try JournalWriter.open(at: "j", fileSystem: memory)
        expectEqual(journal.lastSequence, 20)
        try Self.append(journal, [[1]])
        try journal.close()
        try expectEqual(JournalReader(path: "j", fileSystem: memory).verify().eventCount, 21)

        files[Self.second] = nil
        files["j/00000000000000000030.seg"] = content
        let later = try SampleJournal.read(files)
        #expect(later.all.count == 20 && later.report.lostEvents == [21...29], "\(later.report.findings)")
      }
    }
  }

  @Test("A file whose name begins right after a batch that was given up says nothing of that batch")
  func nameByChance() throws {
    for ghosts in [1, 3] {
      var files = try Self.journal(ghosts: ghosts)
      files[Self.second] = nil
      files["j/\(SegmentName(firstSequence: UInt64(10 + ghosts), ordinal: 0).text)"] = []
      let reading = try SampleJournal.read(files)
      #expect(Self.wrong(reading.all) == [] && Set(1...9).isSubset(of: reading.all.keys))
      let (events, report, _) = try salvaged(files)
      #expect(Self.wrong(events) == [] && report.aside.contains { $0.reason == .undecided }, "\(report.aside)")
    }
  }

  @Test("The header after a file counts the events of the segment before it, and so says whether the name is right")
  func statedName() throws {
    let sample = try SampleJournal(count: 40)
    let segments = try JournalReader(path: "j", fileSystem: sample.fileSystem).segments
    let second = segments[1]
    var files = sample.files
    files["j/\(second.file)"] = []
    let catalog = try JournalCatalog(JournalDirectory(path: "j", fileSystem: MemoryFileSystem(files)))
    #expect(catalog.segments.map(\.header.ordinal) == segments.map(\.ordinal) && catalog.segments[1].isStated)
    files["j/\(second.file)"] = nil
    files["j/\(SegmentName(firstSequence: second.firstSequence + 1, ordinal: 0).text)"] = []
    let other = try JournalCatalog(JournalDirectory(path: "j", fileSystem: MemoryFileSystem(files)))
    #expect(other.segments.count == segments.count - 1 && other.unvouched.count == 1)
  }

  @Test("Events of a segment that is missing or empty are not said to have stood in the torn tail before it")
  func places() throws {
    for (bytes, file) in [(nil, nil), ([], Self.second)] as [([UInt8]?, String?)] {
      var files = try Self.journal(ghosts: 1)
      files[Self.second] = bytes
      let report = try salvaged(files).report
      expectEqual(report.losses.compactMap(\.events), [10...20], "\(report.losses)")
      expectEqual(report.losses.map(\.file), [file], "\(report.losses)")
      #expect(report.aside.map(\.file) == [Self.first] && report.aside.map(\.events) == [10...10], "\(report.aside)")
    }
  }

  @Test("Events that were given up are not salvaged when nothing else is left")
  func onlyGivenUp() throws {
    var files = try Self.journal(ghosts: 1)
    let segment = try #require(files[Self.first])
    files[Self.first] =
      Array(segment.prefix(224)) + [UInt8](repeating: 0, count: 9 * 56) + segment.dropFirst(224 + 9 * 56)
    files[Self.second] = files[Self.second].map { Array($0.prefix(224)) }
    let salvage = try Salvage(of: ["j"], fileSystem: MemoryFileSystem(files))
    let error = #expect(throws: JournalError.self) { try salvage.write(to: "out") }
    expectEqual(error?.code, .notAJournal)
    expectEqual(error?.message, "the only event that was found was given up by the journal's own writer")
  }

  @Test("What the names of files say was durable is lost to verifying and salvage alike")
  func lostByName() throws {
    let sample = try SampleJournal(count: 20, segmentSize: 1 << 20)
    var files = sample.files
    files["j/00000000000000000030.seg"] = []
    try expectEqual(Self.lost(files), Set(21...29))

    let long = try SampleJournal(count: 40)
    let segments = try JournalReader(path: "j", fileSystem: long.fileSystem).segments
    let last = try #require(segments.last)
    let before = segments[segments.count - 2]
    files = long.files
    files["j/HEAD"] = nil
    files["j/\(last.file)"] = []
    files["j/\(before.file)"] = files["j/\(before.file)"].map { Array($0.prefix($0.count / 2)) }
    for name in files.keys where name.hasSuffix(".ckpt") { files[name] = nil }
    let lost = try Self.lost(files)
    #expect(lost.max() == last.firstSequence - 1 && lost.count > 1)
  }

  /// The events that verifying calls lost, when a salvage names the same ones.
  private static func lost(_ files: [String: [UInt8]]) throws -> Set<UInt64> {
    let lost = try SampleJournal.read(files).report.lostEvents.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
    let report = try salvaged(files).report
    let named = report.losses.compactMap(\.events).reduce(into: Set<UInt64>()) { $0.formUnion($1) }
    #expect(named == lost && !report.isComplete)
    return lost
  }

  @Test("Between segments such a file hides nothing either, however many there are")
  func emptyFilesBetween() throws {
    let sample = try SampleJournal(count: 40)
    let taken = Set(sample.files.keys)
    var files = sample.files
    for number in 1...60 {
      let name = "j/\(SegmentName(firstSequence: UInt64(number), ordinal: 0).text)"
      if !taken.contains(name) { files[name] = [] }
    }
    let reading = try SampleJournal.read(files)
    #expect(reading.all.count == 40 && reading.prefix.count == 40 && sample.wrong(reading.all) == 0)
  }
}
