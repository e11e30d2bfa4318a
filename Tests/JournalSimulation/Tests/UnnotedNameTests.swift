import Expectations
import Journal
import Testing

@testable import JournalSimulation

/// A directory that could not be synced, and can be by the next process, which is told that all went well.
@Suite("A name that a failed sync lost")
struct UnnotedNameTests {
  /// What the first process does while no directory can be synced.
  enum Step: String, CaseIterable, CustomTestStringConvertible {
    case create, createFiles, beginSegment, rescueFirst, rescueLater, checkpoint, retire

    var testDescription: String { rawValue }
    var policy: SyncPolicy { self == .rescueFirst || self == .rescueLater ? .none : .everyCommit }
  }

  private func append(_ count: Int, to journal: JournalWriter) throws {
    for _ in 0..<count {
      var batch = JournalBatch()
      try batch.append(payload: Workload.payload(Int(journal.lastSequence) + 1, 200, generation: 1), label: 0)
      try journal.append(&batch)
    }
  }

  private func options(_ step: Step) -> JournalOptions {
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 10
    options.syncPolicy = step.policy
    return options
  }

  /// The first process; each of them ends with an error.
  private func run(_ step: Step, _ files: RecordingFileSystem) throws {
    func fail(_ kinds: Set<String>, from call: Int = 1) {
      files.setPlan(FaultPlan(at: call, count: .max / 2, .error(Platform.deviceError), kinds: kinds))
    }
    if step == .create { fail(["syncDirectory"]) }
    // The second directory that is synced is the journal's own, for JOURNAL.
    if step == .createFiles { fail(["syncDirectory"], from: 3) }
    let journal = try JournalWriter.create(
      at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options(step), fileSystem: files)
    if step == .rescueLater {
      try append(1, to: journal)
      try journal.sync()
    }
    try append(step == .rescueFirst || step == .rescueLater ? 3 : 2, to: journal)
    switch step {
    case .create, .createFiles: break
    case .beginSegment:
      fail(["syncDirectory"])
      try append(5, to: journal)
    case .rescueFirst, .rescueLater:
      // The sync fails, and so does that of the directory into which the segment is put that takes the place.
      var plan = FaultPlan(at: files.calls.count + 1, .error(Platform.deviceError), kinds: ["sync"])
      plan.lastingKinds = ["syncDirectory"]
      files.setPlan(plan)
      try journal.sync()
    case .checkpoint:
      try append(8, to: journal)
      fail(["syncDirectory"])
      try journal.writeCheckpoint(sequence: 10, body: [1])
    case .retire:
      try append(8, to: journal)
      let checkpoint = try journal.writeCheckpoint(sequence: 10, body: [1])
      fail(["syncDirectory"])
      try journal.retire(before: 11, after: checkpoint)
    }
  }

  @Test("What the next process acknowledges is there after a power cut", arguments: Step.allCases)
  func nextProcess(step: Step) throws {
    let files = RecordingFileSystem()
    #expect(throws: JournalError.self) { try run(step, files) }
    files.revive()
    let journal: JournalWriter
    do throws(JournalError) {
      journal = try JournalWriter.open(at: Workload.path, options: options(step), fileSystem: files)
    } catch {
      #expect(step == .create && error.code == .notAJournal)
      journal = try JournalWriter.create(
        at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options(step), fileSystem: files)
    }
    try append(1, to: journal)
    try journal.sync()
    var checkpoint: Checkpoint?
    if step == .checkpoint || step == .retire {
      checkpoint = try JournalReader(path: Workload.path, fileSystem: files).checkpoints().last
      try #require(checkpoint?.sequence == 10)
      if let checkpoint { try #expect(journal.retire(before: 11, after: checkpoint) > 1) }
    }
    let last = journal.durableSequence
    #expect(last == journal.lastSequence && last > (step == .create || step == .createFiles ? 0 : 1))
    try expectSurvival(of: last, on: files)
  }

  @Test("A segment that the same process failed to put in place is not what retiring keeps")
  func sameProcess() throws {
    let files = RecordingFileSystem()
    let journal = try JournalWriter.create(
      at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options(.retire), fileSystem: files)
    try append(2, to: journal)
    files.setPlan(FaultPlan(at: 1, count: .max / 2, .error(Platform.noSpace), kinds: ["syncDirectory"]))
    #expect(throws: JournalError.self) { try append(8, to: journal) }
    try expectEqual(JournalReader(path: Workload.path, fileSystem: files).segments.count, 2)
    files.setPlan(nil)
    let last = journal.durableSequence
    let checkpoint = try journal.writeCheckpoint(sequence: last, body: [1])
    try expectEqual(journal.retire(before: last + 1, after: checkpoint), 1)
    try expectSurvival(of: last, on: files)
    try append(1, to: journal)
    try expectEqual(journal.retire(before: last + 1, after: checkpoint), last + 1)
    try expectSurvival(of: last + 1, on: files)
  }

  /// Expects a sound journal with everything up to an event after each power cut.
  private func expectSurvival(of last: UInt64, on files: RecordingFileSystem) throws {
    var disk = Disk()
    for operation in files.operations { disk.perform(operation) }
    for fates in CrashStates.fates(disk, randomCount: 40, seed: 1) {
      let report = try JournalReader(
        path: Workload.path, fileSystem: RecordingFileSystem(disk.image(fates))
      ).verify()
      #expect(report.lastVerifiedSequence >= last && report.hasStart, "\(fates)")
      #expect(report.findings.allSatisfy { !$0.isDamage }, "\(fates): \(report.findings)")
    }
  }
}
