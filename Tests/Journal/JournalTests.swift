import Expectations
import Testing

@testable import Journal

@Suite("A journal")
struct JournalTests {
  @Test("What is appended is read back, in order, after closing and opening again")
  func roundTrip() throws {
    try withTemporaryDirectory { path in
      let journal = try JournalWriter.create(at: path, id: sampleID, createdNanoseconds: 7, options: JournalOptions())
      var batch = JournalBatch()
      try batch.append(payload: [1, 2, 3], label: 10)
      try batch.append(payload: [], label: 20)
      try expectEqual(journal.append(&batch), 1...2)
      let isEmpty = batch.isEmpty
      #expect(isEmpty)
      expectEqual(journal.durableSequence, 2)
      try batch.append(payload: [UInt8](repeating: 9, count: 1000), label: 30)
      try expectEqual(journal.append(&batch, expecting: 2), 3...3)
      try journal.close()

      let again = try JournalWriter.open(at: path)
      expectEqual(again.recovery.findings, [])
      #expect(again.recovery.wasClosed)
      expectEqual(again.lastSequence, 3)
      try batch.append(payload: [4], label: 40)
      try expectEqual(again.append(&batch), 4...4)
      try again.close()

      let reader = try JournalReader(path: path)
      try expectEqual(events(reader), [[1, 2, 3], [], [UInt8](repeating: 9, count: 1000), [4]])
      let report = try reader.verify()
      expectEqual(report.findings, [])
      #expect(report.isSound)
      expectEqual(report.lastVerifiedSequence, 4)
    }
  }

  @Test("A fork continues its parent's numbers and chain under a name of its own")
  func fork() throws {
    let sample = try SampleJournal(count: 5, segmentSize: 1 << 20)
    let files = sample.fileSystem
    var cursor = try JournalReader(path: "j", fileSystem: files).cursor()
    var chains: [UInt32] = []
    while case .event(let event)? = try cursor.next() { chains.append(event.chain) }
    let id = try #require(JournalID("00000000-0000-4000-8000-00000000002a"))
    let fork = try JournalWriter.create(
      at: "fork", id: id, createdNanoseconds: 1,
      parent: JournalIdentity.Parent(id: sampleID, sequence: 3, chain: chains[2]), fileSystem: files)
    var batch = JournalBatch()
    for payload in sample.payloads[3...] { try batch.append(payload: payload, label: 0) }
    try expectEqual(fork.append(&batch), 4...5)
    expectEqual(fork.lastChain, chains[4], "the same events give the same chain, whatever the batches and the journal")
    try fork.close()
    let reader = try JournalReader(path: "fork", fileSystem: files)
    #expect(reader.identity.parent?.sequence == 3 && reader.identity.id == id)
    try expectEqual(reader.verify().findings, [])
    let again = try JournalWriter.open(at: "fork", fileSystem: files)
    expectEqual(again.lastSequence, 5)
    try again.close()
  }

  @Test(
    "A history that HEAD or a checkpoint contradicts is not sound", arguments: ["HEAD", "00000000000000000006.ckpt"])
  func otherHistory(name: String) throws {
    let one = try SampleJournal(count: 6, closing: false, segmentSize: 1 << 20)
    let other = try SampleJournal(
      count: 6, closing: false, segmentSize: 1 << 20, embedding: [UInt8](repeating: 1, count: 21))
    var files = one.files
    #expect(files["j/" + name] != other.files["j/" + name])
    files["j/" + name] = other.files["j/" + name]
    let reading = try SampleJournal.read(files)
    #expect(!reading.report.isSound && one.wrong(reading.all) == 0)
  }

  @Test("Identities read back what they print, and nothing else")
  func identities() {
    expectEqual(JournalID(sampleID.description), sampleID)
    expectEqual(sampleID.description, "00010203-0405-0607-0809-0a0b0c0d0e0f")
    for text in [
      "", "00010203-0405-0607-0809-0a0b0c0d0e0", "00010203-0405-0607-0809-0a0b0c0d0e0g",
      "000102030405-0607-0809-0a0b0c0d0e0f00",
    ] {
      #expect(JournalID(text) == nil)
    }
    #expect(JournalID(bytes: [1]) == nil)
  }

  @Test("An error says where, why and what next; so does a finding")
  func descriptions() throws {
    let error = JournalError.system(
      FileSystemError(OperatingSystem.noSpace, during: "write"), file: "00000000000000000001.seg", offset: 4096)
    #expect(
      error.description
        == "00000000000000000001.seg, byte 4,096: there is no room for more (write: no space left on the device); free some space and try again"
    )
    let sample = try SampleJournal(count: 4, segmentSize: 1 << 20)
    var files = sample.files
    files["j/00000000000000000001.seg"]?[254] ^= 1
    let finding = try #require(try SampleJournal.read(files).report.findings.first)
    expectEqual(
      finding.description,
      "00000000000000000001.seg, byte 248: the checksum of event 2 is wrong (HEAD says that everything up to event 4 was durable); restore the file from a copy"
    )
    expectEqual(finding.lostEvents, 2...2)
  }
}
