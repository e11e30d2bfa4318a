import Expectations
import Testing

@testable import Journal

@Suite("Journals of events that are known already")
struct FillingTests {
  @Test("After an error, nothing of the journal is left; otherwise it is closed")
  func filling() throws {
    let files = MemoryFileSystem()
    func create(_ fill: (JournalWriter) throws(JournalError) -> Void) throws(JournalError) {
      try JournalWriter.create(
        at: "j", id: sampleID, createdNanoseconds: 0, options: JournalOptions(), fileSystem: files, fill)
    }
    do throws(JournalError) {
      try create { (journal) throws(JournalError) in
        var batch = JournalBatch()
        try batch.append(payload: [1, 2, 3], label: 0)
        _ = try journal.append(&batch)
        throw JournalError(.noSpace, "full", remedy: "make room")
      }
      Issue.record("written")
    } catch {
      expectEqual(error.code, .noSpace)
    }
    #expect(files.files.isEmpty, "\(files.files.keys)")
    try create { (journal) throws(JournalError) in
      var batch = JournalBatch()
      try batch.append(payload: [1, 2, 3], label: 0)
      _ = try journal.append(&batch)
    }
    let reader = try JournalReader(path: "j", fileSystem: files)
    #expect(reader.wasClosed && reader.durableSequence == 1)
    // What is there already stays.
    do throws(JournalError) {
      try create { _ in }
      Issue.record("overwritten")
    } catch {
      expectEqual(error.code, .alreadyExists)
    }
    try expectEqual(JournalReader(path: "j", fileSystem: files).durableSequence, 1)
  }
}
