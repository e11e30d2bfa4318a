import Expectations
import Testing

@testable import Journal
@testable import JournalSimulation

/// Every row of the recovery table, made by what its ``Recovery/Crash`` says.
@Suite("The recovery table and its crashes")
struct RecoveryCrashTests {
  private static let segment = "\(Workload.path)/00000000000000000001.seg"

  @Test("Every row names a crash, and no two rows name the same one")
  func rows() {
    expectEqual(Set(Recovery.table.map(\.crash)), Set(Recovery.Crash.allCases))
    expectEqual(Recovery.table.count, Recovery.Crash.allCases.count)
  }

  @Test("Each crash leaves a journal that its own row judges", arguments: Recovery.Crash.allCases)
  func crash(crash: Recovery.Crash) throws {
    let row = try #require(Recovery.table.firstIndex { $0.crash == crash })
    let reader = try JournalReader(path: Workload.path, fileSystem: try Self.remains(of: crash))
    let findings = try reader.verify().findings
    try expectEqual(Self.rows(of: findings), [row], "\(findings)")
  }

  /// The row that each finding comes from; the row without a finding where nothing was found.
  private static func rows(of findings: [Finding]) throws -> [Int] {
    if findings.isEmpty { return Recovery.table.indices.filter { Recovery.table[$0].outcome == .clean } }
    return try findings.map { finding in
      try #require(
        Recovery.table.firstIndex { row in
          switch (row.outcome, finding.verdict) {
          case (.damaged, .damaged), (.tailLost, .tailLost), (.unsyncedGap, .unsyncedGap), (.ioError, .ioError),
            (.unsupportedFormat, .unsupportedFormat):
            true
          case (.torn, .torn): finding.evidence == row.reason
          case (.indexDamaged, .indexDamaged):
            (row.hole == [.none]) == (finding.cause == "bytes without an event are missing at the end")
          default: false
          }
        }, "\(finding)")
    }
  }

  /// What a reader finds after a crash.
  private static func remains(of crash: Recovery.Crash) throws -> RecordingFileSystem {
    switch crash {
    case .failedRead:
      let files = try written().files
      files.setPlan(
        FaultPlan(
          at: try callsToOpen(files) + 1, count: .max, .error(JournalSimulation.Platform.deviceError), kinds: ["read"]))
      return files
    case .newerWriter:
      let (files, journal) = try written()
      let seed = Checksum.segmentSeed(Workload.id, ordinal: 1)
      let end = try #require(files.image.files[segment]).count
      let frame = FrameHeader.encoded(
        FrameType(rawValue: 5), payload: [1], sequence: journal.lastSequence, chain: journal.lastChain,
        at: UInt64(end), seed: seed)
      let file = try files.open(segment, .update)
      try frame.withUnsafeBytes { _ = try files.write(file, $0, at: UInt64(end)) }
      return files
    case .cutBetweenBatches: return cut(try written().files, Fates(.all(.lost)))
    case .lostAnchor: return try closed(.lost)
    case .lostBatch: return try unsynced { _ in .lost }
    case .garbledAnchor: return try closed(garbage)
    case .garbledBatch: return try unsynced { _ in garbage }
    case .cutWithinWriteAndReopened:
      let files = try remains(of: .cutWithinWrite)
      _ = try JournalWriter.open(at: Workload.path, fileSystem: files)
      files.revive()
      return files
    case .cutWithinWrite:
      let half = Fate.torn(Tear(granularity: 8, pattern: .first(2), fill: .absent))
      return try unsynced(policy: .none) { $0 == 0 ? half : .lost }
    case .writesOutOfOrder: return try unsynced(policy: .none) { $0 == 0 ? .lost : .kept }
    }
  }

  private static let garbage = Fate.torn(Tear(granularity: 8, pattern: .first(0), fill: .garbage))

  private static func append(to journal: JournalWriter) throws {
    var batch = JournalBatch()
    try batch.append(payload: Workload.payload(Int(journal.lastSequence) + 1, 30, generation: 1), label: 0)
    try journal.append(&batch)
  }

  /// A journal with three events that were synced, still open.
  private static func written(
    _ policy: SyncPolicy = .everyCommit
  ) throws -> (files: RecordingFileSystem, journal: JournalWriter) {
    var options = JournalOptions()
    options.syncPolicy = policy
    options.preallocation = 0
    let files = RecordingFileSystem()
    let journal = try JournalWriter.create(
      at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options, fileSystem: files)
    for _ in 0..<3 { try append(to: journal) }
    try journal.sync()
    return (files, journal)
  }

  /// Two more batches, whose writes meet a fate each by their number. Under a policy that syncs, the device has lied
  /// about that: nothing else of what it was told is missing.
  private static func unsynced(
    policy: SyncPolicy = .everyCommit, _ fate: (Int) -> Fate
  ) throws -> RecordingFileSystem {
    let (files, journal) = try written(policy)
    let start = files.position
    for _ in 0..<(policy == .none ? 2 : 1) { try append(to: journal) }
    return try cut(files, after: start, fate)
  }

  /// The journal closed, and the write of the anchor lost or changed although it was synced.
  private static func closed(_ fate: Fate) throws -> RecordingFileSystem {
    let (files, journal) = try written()
    let start = files.position
    try journal.close()
    return try cut(files, after: start) { _ in fate }
  }

  /// What a power cut leaves when the segment's writes after an operation, which no sync made durable, meet these
  /// fates, by their number; everything else arrives.
  private static func cut(
    _ files: RecordingFileSystem, after start: Int, _ fate: (Int) -> Fate
  ) throws -> RecordingFileSystem {
    var disk = Disk()
    var writes: [Int] = []
    let segment = try #require(
      files.operations.lazy.compactMap { operation in
        if case .rename(_, Self.segment, let file) = operation { file } else { nil }
      }.first)
    for (index, operation) in files.operations.enumerated() {
      switch operation {
      case .sync(segment) where index >= start: continue
      case .write(segment, _, _) where index >= start: writes.append(disk.position + 1)
      default: break
      }
      disk.perform(operation)
    }
    let fates = Dictionary(uniqueKeysWithValues: writes.enumerated().map { ($0.element, fate($0.offset)) })
    return cut(disk, Fates(.all(.kept), names: nil, fates))
  }

  private static func cut(_ files: RecordingFileSystem, _ fates: Fates) -> RecordingFileSystem {
    var disk = Disk()
    for operation in files.operations { disk.perform(operation) }
    return cut(disk, fates)
  }

  private static func cut(_ disk: Disk, _ fates: Fates) -> RecordingFileSystem {
    RecordingFileSystem(disk.image(fates))
  }

  /// How many calls it takes to open a reader.
  private static func callsToOpen(_ files: RecordingFileSystem) throws -> Int {
    _ = try JournalReader(path: Workload.path, fileSystem: files)
    let before = files.calls.count
    _ = try JournalReader(path: Workload.path, fileSystem: files)
    return files.calls.count + (files.calls.count - before)
  }
}
