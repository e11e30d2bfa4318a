import Expectations
import Testing

@testable import Journal

/// A journal that a command makes counts as one only at its end.
@Suite("Unfinished journals")
struct UnfinishedJournalTests {
  private static let id = JournalID(bytes: [UInt8](1...16)) ?? .none

  /// Writes two events, each by a writer of its own.
  private func write(_ fileSystem: MemoryFileSystem, _ options: JournalOptions) throws {
    var batch = JournalBatch()
    try batch.append(payload: [1, 2, 3], label: 1)
    let first = try JournalWriter.create(
      at: "j", id: Self.id, createdNanoseconds: 1, options: options, fileSystem: fileSystem)
    try first.append(&batch)
    try first.close()
    try batch.append(payload: [4, 5], label: 2)
    let second = try JournalWriter.open(at: "j", options: options, fileSystem: fileSystem)
    try second.append(&batch)
    try second.close()
  }

  @Test("Only its own writer opens it until it is finished; then it is the same journal to the byte")
  func mark() throws {
    let plain = MemoryFileSystem()
    try write(plain, JournalOptions())
    let marked = MemoryFileSystem()
    var options = JournalOptions()
    options.isUnfinished = true
    try write(marked, options)
    #expect(throws: JournalError.self) { try JournalReader(path: "j", fileSystem: marked) }
    #expect(throws: JournalError.self) { try JournalWriter.open(at: "j", fileSystem: marked).close() }
    try expectEqual(JournalReader(path: "j", fileSystem: marked, acceptsUnfinished: true).verify().eventCount, 2)
    try JournalWriter.markFinished(at: "j", fileSystem: marked)
    expectEqual(marked.files, plain.files)
    #expect(try JournalReader(path: "j", fileSystem: marked).verify().isSound)
  }

  @Test("Either file that says so keeps readers away; JOURNAL is the last one to change")
  func order() throws {
    let marked = MemoryFileSystem()
    var options = JournalOptions()
    options.isUnfinished = true
    try write(marked, options)
    for failing in 1...40 {
      let fileSystem = MemoryFileSystem(marked.files)
      let calls = Counter()
      fileSystem.setFault { _, _, _ in calls.next() >= failing ? .error(OperatingSystem.deviceError) : nil }
      let isFinished = (try? JournalWriter.markFinished(at: "j", fileSystem: fileSystem)) != nil
      fileSystem.setFault(nil)
      let isRead = (try? JournalReader(path: "j", fileSystem: fileSystem)) != nil
      // Renamed, and not known to be durable.
      #expect(isRead == isFinished || fileSystem.files["j/JOURNAL"] != marked.files["j/JOURNAL"], "\(failing)")
      if isFinished { return }
    }
    Issue.record("it was never finished")
  }
}
