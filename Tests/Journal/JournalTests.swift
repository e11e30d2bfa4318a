import Testing

@testable import Journal

@Suite("A journal")
struct JournalTests {
  @Test("What is appended is read back, in order, after closing and opening again")
  func roundTrip() throws {
    try withTemporaryDirectory { path in
      let journal = try Journal.create(at: path, id: sampleID, createdNanoseconds: 7, options: JournalOptions())
      var batch = JournalBatch()
      try batch.append(payload: [1, 2, 3], label: 10)
      try batch.append(payload: [], label: 20)
      #expect(try journal.append(&batch) == 1...2)
      let isEmpty = batch.isEmpty
      #expect(isEmpty)
      #expect(journal.durableSequence == 2)
      try batch.append(payload: [UInt8](repeating: 9, count: 1000), label: 30)
      #expect(try journal.append(&batch, expecting: 2) == 3...3)
      try journal.close()

      let again = try Journal.open(at: path)
      #expect(again.recovery.findings == [])
      #expect(again.recovery.wasClosed)
      #expect(again.lastSequence == 3)
      try batch.append(payload: [4], label: 40)
      #expect(try again.append(&batch) == 4...4)
      try again.close()

      let reader = try JournalReader(path: path)
      #expect(try events(reader) == [[1, 2, 3], [], [UInt8](repeating: 9, count: 1000), [4]])
      let report = try reader.verify()
      #expect(report.findings == [])
      #expect(report.isSound)
      #expect(report.lastVerifiedSequence == 4)
    }
  }
}
