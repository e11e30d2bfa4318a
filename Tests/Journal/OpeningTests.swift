import Expectations
import Testing

@testable import Journal

@Suite("Opening a journal for writing")
struct OpeningTests {
  private static let path = SampleJournal.path
  private static let first = "00000000000000000001.seg"

  /// A journal of five events, each of which was durable when it was acknowledged.
  private func journal(isClosed: Bool) throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(at: Self.path, id: sampleID, createdNanoseconds: 1, fileSystem: files)
    for number in 0..<5 {
      var batch = JournalBatch()
      try batch.append(payload: SampleJournal.payload(number), label: 5)
      try journal.append(&batch)
    }
    if isClosed { try journal.close() }
    return files
  }

  /// Opens a journal, and says what was synced for it.
  private func syncs(opening files: MemoryFileSystem) throws -> [String] {
    let before = files.calls.count
    let journal = try JournalWriter.open(at: Self.path, fileSystem: files)
    let calls = files.calls[before...].filter { $0.hasPrefix("sync") }
    #expect(journal.lastSequence == 5 && journal.durableSequence == 5)
    try journal.close()
    return calls
  }

  @Test("Of a journal that was closed only HEAD is synced, which says that it is open")
  func closed() throws {
    try expectEqual(syncs(opening: journal(isClosed: true)), ["sync HEAD"])
  }

  @Test("Of a journal that was not closed the names and the segment are synced")
  func notClosed() throws {
    try expectEqual(syncs(opening: journal(isClosed: false)).prefix(2), ["syncDirectory j", "sync \(Self.first)"])
  }

  @Test("Where a receipt does not verify, the other one is not taken for all that there is to know")
  func damagedReceipt() throws {
    var contents = try journal(isClosed: true).files
    contents["\(Self.path)/HEAD"]?[20] ^= 1
    try expectEqual(syncs(opening: MemoryFileSystem(contents)), ["syncDirectory j", "sync \(Self.first)", "sync HEAD"])
  }

  @Test("What opening read is read no second time, and serves every event")
  func reader() throws {
    let files = try journal(isClosed: true)
    let journal = try JournalWriter.open(at: Self.path, fileSystem: files)
    let before = files.calls.count
    let reader = try #require(journal.takeReader())
    expectEqual(files.calls.count, before)
    try expectEqual(events(reader), (0..<5).map { SampleJournal.payload($0) })
    #expect(journal.takeReader() == nil)
    try journal.close()
  }

  @Test("Where opening begins a segment, what it read is not what there is")
  func otherReader() throws {
    var contents = try journal(isClosed: false).files
    contents["\(Self.path)/\(Self.first)"]?.append(contentsOf: [UInt8](repeating: 7, count: 40))
    let journal = try JournalWriter.open(at: Self.path, fileSystem: MemoryFileSystem(contents))
    #expect(journal.recovery.beganSegment && journal.takeReader() == nil)
    try journal.close()
  }
}
