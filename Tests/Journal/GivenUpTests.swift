import Expectations
import Testing

@testable import Journal

/// Losses that the files alone hardly show: whole files are gone, or the owner went on after a loss.
@Suite("What was lost and given up")
struct GivenUpTests {
  private func append(_ count: Int, to journal: JournalWriter) throws {
    for number in 0..<count {
      var batch = JournalBatch()
      try batch.append(payload: [UInt8](repeating: UInt8(number), count: 100), label: 1)
      try journal.append(&batch)
    }
  }

  /// A journal of ten events, closed.
  private func closedJournal(checkpoint: Bool = false) throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 1, fileSystem: files)
    try append(10, to: journal)
    if checkpoint { try journal.writeCheckpoint(sequence: 10, body: [1]) }
    try journal.close()
    return files
  }

  private static let segment = "j/00000000000000000001.seg"

  @Test(
    "Durable events that were given up are reported for good, whether bytes of them are left or not",
    arguments: [false, true])
  func givenUp(leavesBytes: Bool) throws {
    let files = try closedJournal()
    files.edit(Self.segment) { bytes in
      // Behind five frames of 16 + 100 bytes and padding.
      if leavesBytes { bytes[224 + 5 * 120 + 30] ^= 1 } else { bytes.removeLast(bytes.count - 224 - 5 * 120) }
    }
    #expect(throws: JournalError.self) { try JournalWriter.open(at: "j", fileSystem: files) }
    let journal = try JournalWriter.open(at: "j", onDamage: .continueAfterVerifiedPrefix, fileSystem: files)
    try append(1, to: journal)
    try journal.close()
    let report = try JournalReader(path: "j", fileSystem: files).verify()
    expectEqual(report.findings.map(\.verdict), [.damaged], "\(report.findings)")
    #expect(report.findings.first?.byteRange.lowerBound == 224 + 5 * 120 && !report.isSound)
    expectEqual(report.findings.first?.cause, "the owner went on after event 5 and gave up what followed it here")
    #expect(report.eventCount == 6 && report.lastSequence == 6)
  }

  @Test("Without any segment the loss is found, as long as HEAD or a checkpoint is left", arguments: [true, false])
  func noSegment(hasHead: Bool) throws {
    let files = try closedJournal(checkpoint: true)
    try files.remove(Self.segment)
    if !hasHead { try files.remove("j/HEAD") }
    let findings = try JournalReader(path: "j", fileSystem: files).verify().findings
    expectEqual(findings.map(\.verdict), [.tailLost], "\(findings)")
    expectEqual(findings.first?.lostEvents, 1...10)
    expectEqual(findings.first?.file, hasHead ? "HEAD" : Checkpoint.name(10))
    #expect(throws: JournalError.self) { try JournalWriter.open(at: "j", fileSystem: files) }
    let journal = try JournalWriter.open(at: "j", onDamage: .continueAfterVerifiedPrefix, fileSystem: files)
    try append(1, to: journal)
    try journal.close()
    let later = try JournalReader(path: "j", fileSystem: files).verify()
    expectEqual(later.findings.map(\.verdict), [.damaged], "\(later.findings)")
    expectEqual(later.findings.first?.cause, "the journal begins with segment 2; earlier ones are missing")
    expectEqual(later.eventCount, 1)
  }

  @Test("A fork without any segment has lost its own events only, and none when it had none")
  func noSegmentInFork() throws {
    for count in [0, 3] {
      let files = MemoryFileSystem()
      let parent = JournalIdentity.Parent(id: .init(bytes: Array(16..<32)) ?? .none, sequence: 5, chain: 7)
      let journal = try JournalWriter.create(
        at: "j", id: sampleID, createdNanoseconds: 1, parent: parent, fileSystem: files)
      try append(count, to: journal)
      try journal.close()
      try files.remove("j/00000000000000000006.seg")
      let findings = try JournalReader(path: "j", fileSystem: files).verify().findings
      #expect(findings.map(\.verdict) == [.tailLost] && findings.map(\.lostEvents) == [count == 0 ? nil : 6...8])
    }
  }

  @Test("A receipt in HEAD of what was given up is overruled, also when the power cut took the newer one")
  func overruledReceipt() throws {
    let files = try closedJournal()
    let head = try #require(files.files["j/HEAD"])
    files.edit(Self.segment) { $0.removeLast($0.count - 224 - 5 * 120) }
    let journal = try JournalWriter.open(at: "j", onDamage: .continueAfterVerifiedPrefix, fileSystem: files)
    #expect(files.calls.suffix(4).contains("sync HEAD"), "\(files.calls.suffix(6))")
    try append(7, to: journal)
    files.edit("j/HEAD") { $0 = head }
    let reader = try JournalReader(path: "j", fileSystem: files)
    let findings = try reader.verify().findings
    #expect(findings.map(\.verdict) == [.damaged] && findings.first?.file == "00000000000000000001.seg", "\(findings)")
    #expect(reader.durableSequence == 5 && !reader.wasClosed)
  }

  @Test("A journal was closed when its end is where the receipt says, and not when events lie after it")
  func wasClosed() throws {
    let files = try closedJournal()
    #expect(try JournalReader(path: "j", fileSystem: files).wasClosed)
    let head = try #require(files.files["j/HEAD"])
    try append(3, to: try JournalWriter.open(at: "j", fileSystem: files))
    files.edit("j/HEAD") { $0 = head }
    let reader = try JournalReader(path: "j", fileSystem: files)
    #expect(try !reader.wasClosed && !reader.verify().wasClosed)
    let again = try JournalWriter.open(at: "j", fileSystem: files)
    #expect(!again.recovery.wasClosed && again.lastSequence == 13)
    try again.close()
    #expect(try JournalWriter.open(at: "j", fileSystem: files).recovery.wasClosed)
  }
}
