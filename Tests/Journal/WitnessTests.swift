import Expectations
import Testing

@testable import Journal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whose a file is, and which segment, is decided by everything that says so: one witness that disagrees with all others is
/// the damage.
@Suite("What is believed about a segment")
struct WitnessTests {
  private static let first = "j/00000000000000000001.seg"

  /// A journal of one segment with this many events of 40 bytes each.
  private static func journal(_ count: Int, id: JournalID = sampleID, in folder: String = "j") throws -> [String:
    [UInt8]]
  {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(at: folder, id: id, createdNanoseconds: 99, fileSystem: files)
    for number in 1...count {
      var batch = JournalBatch()
      try batch.append(payload: payload(number, id), label: 0)
      try journal.append(&batch)
    }
    try journal.close()
    return files.files.filter { !$0.key.hasSuffix("LOCK") }
  }

  private static func payload(_ number: Int, _ id: JournalID) -> [UInt8] {
    [id.bytes.last ?? 0] + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 39)
  }

  private static func isRight(_ events: [UInt64: [UInt8]]) -> Bool {
    events.allSatisfy { $1 == payload(Int($0), sampleID) }
  }

  @Test(
    "Another journal's first sector over a segment costs the events in it, and does not make it that journal's",
    arguments: [true, false])
  func foreignSector(hasHead: Bool) throws {
    let other = try #require(JournalID(bytes: Array(100..<116)))
    var files = try Self.journal(38)
    let sector = try #require(try Self.journal(38, id: other)[Self.first]?.prefix(512))
    files[Self.first]?.replaceSubrange(..<512, with: sector)
    // Without HEAD the frames after the sector decide between JOURNAL and the header.
    if !hasHead { files["j/HEAD"] = nil }
    let reading = try SampleJournal.read(files)
    #expect(reading.all.keys.sorted() == Array(7...38) && Self.isRight(reading.all), "\(reading.report.findings)")
    expectEqual(reading.report.lostEvents, [1...6])
    #expect(reading.report.findings.contains { $0.cause == "its header belongs to journal \(other)" })
    for asked in [sampleID, nil] {
      let (events, report, _) = try salvaged(files, journal: asked)
      // Of event 6, only the check is the other journal's, and the event after it links to it.
      #expect(events.keys.sorted() == Array(6...38) && Self.isRight(events), "\(report.losses)")
      expectEqual(report.losses.first?.events, 1...5)
      expectEqual(report.aside.map(\.journal), asked == nil ? [other] : [], "\(report.aside)")
    }
  }

  @Test("What most of the files name is the journal, whatever JOURNAL or one header says")
  func votes() throws {
    let other = try #require(JournalID(bytes: Array(100..<116)))
    let sample = try SampleJournal(count: 40)
    let segments = sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted()
    for path in segments {
      var files = sample.files
      var header = try #require(SegmentHeader.soundHeader(files[path] ?? []))
      header.id = other
      files[path]?.replaceSubrange(..<224, with: header.encoded())
      let alone = try SampleJournal.read(files)
      #expect(alone.all.count == 40 && alone.prefix.count == 40 && sample.wrong(alone.all) == 0, "\(path)")
      expectEqual(alone.report.findings.map(\.verdict), [.indexDamaged])
      // With JOURNAL damaged the other headers, the checkpoints and HEAD decide.
      files["j/JOURNAL"]?[30] ^= 1
      let reading = try SampleJournal.read(files)
      #expect(reading.all.count == 40 && sample.wrong(reading.all) == 0, "\(path): \(reading.report.findings)")
    }
  }

  @Test(
    "JOURNAL and the headers that a reader asks first do not outvote HEAD, a checkpoint and the frames",
    arguments: [9, 80])
  func outvoted(count: Int) throws {
    let other = try #require(JournalID(bytes: Array(100..<116)))
    let sample = try SampleJournal(count: count, segmentSize: count == 9 ? 1 << 20 : 1 << 10)
    let segments = sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted()
    #expect(count == 9 ? segments.count == 1 : segments.count > 2)
    var files = sample.files
    guard case .sound(var identity) = JournalIdentity.read(files["j/JOURNAL"] ?? []) else { return }
    identity.id = other
    files["j/JOURNAL"] = identity.encoded()
    for path in Set([segments[0], segments[segments.count - 1]]) {
      var header = try #require(SegmentHeader.soundHeader(files[path] ?? []))
      header.id = other
      files[path]?.replaceSubrange(..<224, with: header.encoded())
    }
    let reading = try SampleJournal.read(files)
    #expect(reading.all.count == count && sample.wrong(reading.all) == 0, "\(reading.report.findings)")
    #expect(reading.report.findings.contains { $0.file == "JOURNAL" && $0.verdict == .indexDamaged })
  }

  @Test(
    "Something other than a regular file in the place of JOURNAL or HEAD is named, and read and written around",
    arguments: ["JOURNAL", "HEAD"])
  func otherKinds(name: String) throws {
    let sample = try SampleJournal(count: 40)
    for code in [EISDIR, ESPIPE, ELOOP] {
      let memory = MemoryFileSystem(sample.files)
      memory.setFault { operation, path, _ in
        operation == "open" && path == "j/\(name)" ? .error(code) : nil
      }
      let report = try JournalReader(path: "j", fileSystem: memory).verify()
      #expect(report.findings.map(\.file) == [name] && report.findings.map(\.verdict) == [.indexDamaged])
      #expect(
        report.findings.allSatisfy { $0.cause == OperatingSystem.describe(code) && $0.remedy.contains("move it") })
      #expect(report.eventCount == 40 && report.knowsEnd == (name == "JOURNAL"))
      if name == "JOURNAL" {
        try JournalWriter.open(at: "j", fileSystem: memory).close()
      } else {
        #expect {
          try JournalWriter.open(at: "j", fileSystem: memory)
        } throws: {
          "\($0)".hasPrefix("HEAD: the system refused the call")
            && "\($0)".hasSuffix("move what stands there to another place, then try again")
        }
      }
    }
  }

  @Test(
    "JOURNAL or HEAD written over a segment's first sector costs the events in it alone",
    arguments: ["JOURNAL", "HEAD"])
  func smallFileOverSegment(name: String) throws {
    for count in [9, 38, 72] {
      var files = try Self.journal(count)
      let bytes = try #require(files["j/\(name)"]?.prefix(512))
      files[Self.first]?.replaceSubrange(..<bytes.count, with: bytes)
      let expected = name == "HEAD" ? Array(7...UInt64(count)) : Array(1...UInt64(count))
      let reading = try SampleJournal.read(files)
      #expect(
        reading.all.keys.sorted() == expected && Self.isRight(reading.all), "\(count): \(reading.report.findings)")
      expectEqual(reading.report.lostEvents, name == "HEAD" ? [1...6] : [])
      let (events, report, _) = try salvaged(files)
      #expect(events.keys.sorted() == expected && Self.isRight(events), "\(count): \(report.losses)")
      expectEqual(report.losses.compactMap(\.events), name == "HEAD" ? [1...6] : [])
    }
  }

  @Test("A damaged header and a damaged event beside it cost that event alone", arguments: 1...6)
  func headerAndEvent(number: Int) throws {
    for header in [30, 45, 127] {
      var files = try Self.journal(7)
      files[Self.first]?[header] ^= 1
      files[Self.first]?[224 + (number - 1) * 56 + 30] ^= 1
      let reading = try SampleJournal.read(files)
      #expect(reading.all.count == 6 && Self.isRight(reading.all), "\(reading.report.findings)")
      expectEqual(reading.report.lostEvents, [UInt64(number)...UInt64(number)])
      let salvage = try Salvage(of: ["j"], fileSystem: MemoryFileSystem(files))
      expectEqual(salvage.journals, [SalvageableJournal(id: sampleID, eventCount: 6)])
      let (events, report, _) = try salvaged(files)
      let lost = UInt64(number)
      #expect(report.losses.compactMap(\.events) == [lost...lost] && report.salvagedCount == 6)
      #expect(Self.isRight(events.filter { $0.key != lost }), "\(number)")
    }
  }

  @Test("The only sound event after a foreign sector is found, and told to be the segment's")
  func singleEvent() throws {
    let other = try #require(JournalID(bytes: Array(100..<116)))
    let fileSystem = MemoryFileSystem()
    let journal = try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 99, fileSystem: fileSystem)
    for number in 1...2 {
      var batch = JournalBatch()
      try batch.append(payload: [UInt8](repeating: UInt8(number), count: 500), label: 0)
      try journal.append(&batch)
    }
    var files = fileSystem.files.filter { !$0.key.hasSuffix("LOCK") }
    let sector = try #require(try Self.journal(38, id: other)[Self.first]?.prefix(512))
    files[Self.first]?.replaceSubrange(..<512, with: sector)
    files[Self.first] = files[Self.first].map { Array($0.prefix(224 + 2 * 520)) }
    let reading = try SampleJournal.read(files)
    expectEqual(reading.all, [2: [UInt8](repeating: 2, count: 500)], "\(reading.report.findings)")
    let (events, report, _) = try salvaged(files, journal: sampleID)
    #expect(events == [2: [UInt8](repeating: 2, count: 500)] && report.losses.compactMap(\.events) == [1...1])
  }

  @Test("A receipt in the slot of the other one is no receipt, and is named")
  func misplacedReceipt() throws {
    for (count, closing) in [(7, true), (7, false), (24, false), (24, true)] {
      let sample = try SampleJournal(count: count, closing: closing, segmentSize: 1 << 20)
      let head = try #require(sample.files["j/HEAD"])
      for (from, to) in [(512, 0), (0, 512)] {
        var files = sample.files
        files["j/HEAD"]?.replaceSubrange(to..<to + 64, with: head[from..<from + 64])
        let report = try SampleJournal.read(files).report
        let finding = try #require(report.findings.first { $0.file == "HEAD" })
        #expect(
          finding.verdict == (closing ? .indexDamaged : .unsyncedGap)
            && finding.byteRange == UInt64(to)..<UInt64(to + 64))
        #expect(finding.cause.contains("belongs to the other") && !report.isSound)
        expectEqual(report.eventCount, UInt64(count))
        // With the last event zeroed besides, the journal is not sound either.
        let length = files[Self.first]?.count ?? 0
        files[Self.first]?.replaceSubrange(length - 40..<length, with: [UInt8](repeating: 0, count: 40))
        #expect(try !SampleJournal.read(files).report.isSound, "\(from) to \(to)")
      }
    }
  }

  @Test("A name that says another number than the header is damage of the index, and costs no event")
  func otherNumberInName() throws {
    let sample = try SampleJournal(count: 40)
    var files = sample.files
    files["j/00000000000000000001-0000000006.seg"] = files.removeValue(forKey: Self.first)
    let reading = try SampleJournal.read(files)
    expectEqual(reading.report.findings.map(\.cause), ["the file's name says segment 6, and its header segment 1"])
    #expect(reading.report.findings.map(\.verdict) == [.indexDamaged] && reading.all.count == 40)
    // A writer may have been ended while it put the segment in place once more.
    files["j/00000000000000000001-1099511627777.seg"] = files.removeValue(
      forKey: "j/00000000000000000001-0000000006.seg")
    try expectEqual(SampleJournal.read(files).report.findings, [])
  }
}
