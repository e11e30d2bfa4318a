import Testing

@testable import Journal

@Suite("Invariants")
struct InvariantTests {
  /// A segment as it was begun, whose writer and readers are sound.
  private static func segment() -> ActiveSegment {
    let header = SegmentHeader(
      id: sampleID, ordinal: 1, firstSequence: 1, chainIn: 0, predecessor: .none, createdNanoseconds: 1)
    return ActiveSegment(file: OpenFile(number: -1), name: "s", header: header, sequence: 0, chain: 0)
  }

  /// A scanner of the first segment of a journal.
  private static func scanner() throws -> SegmentScanner {
    let files = try SampleJournal().fileSystem
    let name = SegmentName(firstSequence: 1, ordinal: 0).text
    let file = try files.open("\(SampleJournal.path)/\(name)", .read)
    let size = try files.size(of: file)
    return SegmentScanner(
      window: FileWindow(fileSystem: files, file: file, name: name),
      seed: Checksum.segmentSeed(sampleID, ordinal: 1), limit: size, offset: UInt64(Format.segmentHeaderSize),
      sequence: 0, chain: 0)
  }

  /// What a process said when it was stopped.
  private static func sentence(_ result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }

  @Test("A debug build checks them, and sound steps keep them")
  func soundSteps() throws {
    #expect(Invariants.areChecked)
    Self.segment().checkInvariants(after: 0)
    let scanner = try Self.scanner()
    let before = scanner.place
    scanner.checkInvariants(after: try scanner.next(), from: before)
  }

  @Test("A writer that calls durable what it has not written is stopped")
  func durableEnd() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let segment = Self.segment()
      segment.durableEnd = segment.end + 8
      segment.checkInvariants(after: 0)
    }
    #expect(try Self.sentence(result).contains("durable up to"))
  }

  @Test("A writer whose frames claim more than is durable is stopped")
  func expressedEnd() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let segment = Self.segment()
      (segment.end, segment.allocated, segment.expressedEnd) = (segment.end + 8, segment.end + 8, segment.end + 8)
      segment.checkInvariants(after: 0)
    }
    #expect(try Self.sentence(result).contains("the frames claim"))
  }

  @Test("A writer whose blocks do not reach its last event is stopped")
  func blocks() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Self.segment().checkInvariants(after: 1)
    }
    #expect(try Self.sentence(result).contains("do not reach event 1"))
  }

  @Test("A scanner that moves without an element is stopped")
  func scannerMoves() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scanner = try Self.scanner()
      let before = scanner.place
      _ = try scanner.next()
      scanner.checkInvariants(after: .end, from: before)
    }
    #expect(try Self.sentence(result).contains("without an element"))
  }

  @Test("A judge that calls lost what was read is stopped")
  func lostEvents() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let judge = HistoryJudge(JournalDirectory(path: "j", fileSystem: MemoryFileSystem()), beyondDamage: true)
      let finding = Finding(
        .damaged, file: "s", byteRange: 0..<8, lostEvents: 3...4, cause: "c", evidence: "e", remedy: "r")
      judge.checkInvariants(finding, after: 3)
    }
    #expect(try Self.sentence(result).contains("is lost, and was read"))
  }
}
