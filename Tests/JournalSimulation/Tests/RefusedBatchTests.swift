import Expectations
import Journal
import Testing

@testable import JournalSimulation

/// A write takes a part of a batch, the rest is refused, and the power is cut before anything is synced again.
@Suite("A batch that was refused")
struct RefusedBatchTests {
  /// Ends with zeros, of its own and those that fill the frame up.
  private static let refused: [UInt8] = [1, 2, 3, 0, 0]

  /// Expects no damage and no refused event in what a power cut leaves.
  private func expectNoTrace(on files: RecordingFileSystem, after: String) throws {
    var disk = Disk()
    for operation in files.operations { disk.perform(operation) }
    for fates in CrashStates.fates(disk, randomCount: 20, seed: 1) {
      let reader = try JournalReader(path: Workload.path, fileSystem: RecordingFileSystem(disk.image(fates)))
      var cursor = try reader.cursor()
      while let item = try cursor.next() {
        guard case .event(let event) = item else {
          if case .finding(let finding) = item { #expect(!finding.isDamage, "\(after), \(fates)") }
          continue
        }
        #expect(event.payload.count != Self.refused.count, "\(after), \(fates)")
      }
    }
  }

  /// What is written with one call: a batch alone, whose frame of 24 bytes ends with five zeros, or with another after it.
  enum Writing: CaseIterable {
    case alone, together

    /// How many bytes of it are taken.
    var counts: [Int] { self == .alone ? [8, 18, 19, 23] : [23, 24, 40, 100] }
  }

  @Test(
    "It is in no history that a power cut leaves, however much of it was written", arguments: [UInt64(0), 512],
    Writing.allCases)
  func neverThere(preallocation: UInt64, writing: Writing) throws {
    var options = JournalOptions()
    options.preallocation = preallocation
    for count in writing.counts {
      let files = RecordingFileSystem()
      let journal = try JournalWriter.create(
        at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options, fileSystem: files)
      var batch = JournalBatch()
      try batch.append(payload: Self.refused + [4], label: 0)
      try journal.append(&batch)
      files.setPlan(
        FaultPlan(at: files.calls.count + 1, .shortThenError(count, Platform.noSpace), kinds: ["write"]))
      try batch.append(payload: Self.refused, label: 0)
      if writing == .together {
        batch.endBatch()
        try batch.append(payload: [UInt8](repeating: 8, count: 100), label: 0)
      }
      let error = #expect(throws: JournalError.self) { _ = try journal.writeTrain(&batch, expecting: 1) }
      expectEqual(error?.code, .noSpace)
      files.setPlan(nil)
      try expectNoTrace(on: files, after: "\(count) bytes")
      batch.removeAll()
      try batch.append(payload: Self.refused + [4, 5], label: 0)
      _ = try journal.write(&batch)
      try expectNoTrace(on: files, after: "\(count) bytes and another batch")
      try journal.sync()
      expectEqual(journal.durableSequence, 2)
      try expectNoTrace(on: files, after: "\(count) bytes and another batch that is synced")
    }
  }
}
