import Expectations
import Journal
import Testing

@testable import JournalSimulation

/// A device that fails to sync, refuses to take note of it, and works again for the next process.
@Suite("A failed sync of which nothing is noted")
struct UnnotedFailureTests {
  private func append(_ count: Int, to journal: JournalWriter) throws {
    for _ in 0..<count {
      var batch = JournalBatch()
      try batch.append(payload: Workload.payload(Int(journal.lastSequence) + 1, 30, generation: 1), label: 0)
      try journal.append(&batch)
    }
  }

  @Test(
    "What the next process reads back and calls durable is there after a power cut, and nothing that it did not see",
    arguments: [0, 3], [false, true])
  func readBack(synced: Int, forgets: Bool) throws {
    var options = JournalOptions()
    options.syncPolicy = .none
    let files = RecordingFileSystem(forgetsAtFailedSync: forgets)
    do {
      let journal = try JournalWriter.create(
        at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options, fileSystem: files)
      try append(synced, to: journal)
      try journal.sync()
      try append(5, to: journal)
      files.setPlan(
        FaultPlan(at: 1, count: .max, .error(Platform.deviceError), kinds: ["sync", "write", "setSize", "rename"]))
      #expect(throws: JournalError.self) { try journal.sync() }
    }
    files.revive()
    let again = try JournalWriter.open(at: Workload.path, options: options, fileSystem: files)
    let found = again.durableSequence
    expectEqual(found, UInt64(forgets ? synced : synced + 5))
    var disk = Disk()
    for operation in files.operations { disk.perform(operation) }
    for fates in CrashStates.fates(disk, randomCount: 20, seed: 1) {
      let reader = try JournalReader(path: Workload.path, fileSystem: RecordingFileSystem(disk.image(fates)))
      let report = try reader.verify()
      expectEqual(report.eventCount, found, "\(fates)")
      #expect(report.findings.allSatisfy { !$0.isDamage }, "\(fates): \(report.findings)")
    }
  }

  @Test("Without room for another segment it is written again in its place, and lasts", arguments: [false, true])
  func fullDisk(isTorn: Bool) throws {
    var options = JournalOptions()
    options.syncPolicy = .none
    let files = RecordingFileSystem()
    do {
      let journal = try JournalWriter.create(
        at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options, fileSystem: files)
      try append(3, to: journal)
      try journal.sync()
      try append(5, to: journal)
      let failure = FaultPlan(
        at: 1, count: .max, .error(Platform.deviceError), kinds: ["sync", "write", "setSize", "rename"])
      files.setPlan(failure)
      #expect(throws: JournalError.self) { try journal.sync() }
      files.setPlan(nil)
    }
    files.revive()
    if isTorn {
      let path = "\(Workload.path)/00000000000000000001.seg"
      let file = try files.open(path, .update)
      let bytes = try #require(files.image.files[path])
      let end = try #require(bytes.lastIndex { $0 != 0 })
      let remains: [UInt8] = [9, 9, 9, 9, 9, 9, 9, 9, 9]
      try remains.withUnsafeBytes { _ = try files.write(file, $0, at: UInt64(end + 9) / 8 * 8) }
      files.close(file)
    }
    // A file is put in place by renaming it.
    files.setPlan(FaultPlan(at: 1, count: .max, .error(Platform.noSpace), kinds: ["rename"]))
    let journal = try JournalWriter.open(at: Workload.path, options: options, fileSystem: files)
    #expect(journal.durableSequence == 8 && journal.lastSequence == 8)
    if isTorn { #expect(throws: JournalError.self) { try append(1, to: journal) } } else { try append(1, to: journal) }
    var disk = Disk()
    for operation in files.operations { disk.perform(operation) }
    for fates in CrashStates.fates(disk, randomCount: 20, seed: 1) {
      let report = try JournalReader(
        path: Workload.path, fileSystem: RecordingFileSystem(disk.image(fates))
      ).verify()
      #expect(report.eventCount >= 8 && report.findings.allSatisfy { !$0.isDamage }, "\(fates): \(report.findings)")
    }
    files.setPlan(nil)
    try append(1, to: journal)
    try journal.close()
    let report = try JournalReader(path: Workload.path, fileSystem: files).verify()
    #expect(report.lastVerifiedSequence == (isTorn ? 9 : 10) && report.wasClosed, "\(report.findings)")
  }
}
