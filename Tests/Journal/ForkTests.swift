import Expectations
import Testing

@testable import Journal

/// A fork is a journal of its own that names its parent and goes on with its numbers and its chain.
@Suite("Forks")
struct ForkTests {
  private let other = JournalID(bytes: [UInt8](repeating: 7, count: 16)) ?? .none

  @Test(
    "A fork goes on from any event of its parent, and holds a checkpoint of the state there", arguments: [0, 1, 17, 40])
  func anyEvent(sequence: UInt64) throws {
    let fileSystem = try SampleJournal(count: 40).fileSystem
    let before = fileSystem.files.filter { $0.key.hasPrefix("j/") }
    let parent = try JournalReader(path: "j", fileSystem: fileSystem)
    let fork = try JournalWriter.fork(
      from: parent, at: sequence, to: "k", id: other, createdNanoseconds: 5, fileSystem: fileSystem)
    if sequence > 0 { try fork.writeCheckpoint(sequence: sequence, body: [4]) }
    // The same events as in the parent give the same chain: the two part where their events do.
    var cursor = try parent.cursor(after: sequence)
    while let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      var batch = JournalBatch()
      try batch.append(payload: event.payload, label: 0)
      #expect(try fork.append(&batch) == event.sequence...event.sequence && fork.lastChain == event.chain)
    }
    try fork.close()
    let reader = try JournalReader(path: "k", fileSystem: fileSystem)
    let report = try reader.verify()
    #expect(report.findings == [] && report.eventCount == 40 - sequence)
    let chain = try parent.chain(at: sequence)
    expectEqual(reader.identity.parent, JournalIdentity.Parent(id: sampleID, sequence: sequence, chain: chain))
    #expect(reader.segments.first?.firstSequence == sequence + 1 && reader.segments.first?.chainIn == chain)
    expectEqual(reader.checkpoints().map(\.chain), sequence > 0 ? [chain] : [])
    expectEqual(fileSystem.files.filter { $0.key.hasPrefix("j/") }, before)
    // And it can be forked in turn, also where it begins.
    let next = try JournalWriter.fork(
      from: reader, at: sequence, to: "l", id: sampleID, createdNanoseconds: 5, fileSystem: fileSystem)
    #expect(next.identity.parent?.id == other && next.identity.parent?.chain == chain)
    try next.close()
  }

  @Test("The history digest in the first header is checked where no anchor follows it", arguments: [0, 17])
  func emptyDigest(sequence: UInt64) throws {
    let files = try SampleJournal(count: 40).fileSystem
    try JournalWriter.fork(
      from: JournalReader(path: "j", fileSystem: files), at: sequence, to: "k", id: other, createdNanoseconds: 5,
      fileSystem: files
    ).close()
    try expectEqual(JournalReader(path: "k", fileSystem: files).verify().findings, [])
    let segment = try #require(files.files.keys.first { $0.hasPrefix("k/") && $0.hasSuffix(".seg") })
    let bytes = try #require(files.files[segment])
    var header = try #require(SegmentHeader.soundHeader(bytes))
    expectEqual(header.digestIn, HistoryDigest.initial)
    header.digestIn = [UInt8](repeating: 1, count: 32)
    let encoded = header.encoded()
    files.edit(segment) { $0.replaceSubrange(..<encoded.count, with: encoded) }
    let report = try JournalReader(path: "k", fileSystem: files).verify()
    #expect(report.findings.map(\.verdict) == [.indexDamaged] && report.findings.first?.byteRange == 88..<120)
  }

  @Test("There is no fork at an event that is not there, is damaged, or that a power cut could take away")
  func noEvent() throws {
    let sample = try SampleJournal(count: 9, segmentSize: 1 << 20)
    let fileSystem = sample.fileSystem
    func fork(at sequence: UInt64) throws -> JournalWriter {
      try JournalWriter.fork(
        from: JournalReader(path: "j", fileSystem: fileSystem), at: sequence, to: "k", id: other, createdNanoseconds: 5,
        fileSystem: fileSystem)
    }
    for sequence: UInt64 in [10, 1 << 62, .max] {
      #expect {
        try fork(at: sequence)
      } throws: {
        "\($0)".hasSuffix(
          ": there is no such event that can be read; name an event that the journal keeps, or verify it")
      }
    }
    var cursor = try JournalReader(path: "j", fileSystem: fileSystem).cursor(after: 4)
    guard case .event(let event)? = try cursor.next() else { return }
    let offset = Int(event.offset) + 17
    fileSystem.edit("j/00000000000000000001.seg") { $0[offset] ^= 1 }
    #expect(throws: JournalError.self) { try fork(at: 5) }
    let open = try SampleJournal(count: 3, policy: .none, closing: false).fileSystem
    #expect {
      try JournalWriter.fork(
        from: JournalReader(path: "j", fileSystem: open), at: 3, to: "k", id: other, createdNanoseconds: 5,
        fileSystem: open)
    } throws: {
      "\($0)" == "j, event 3: a power cut could still take the event away; fork at an earlier event, or sync first"
    }
  }
}
