import Journal
import Testing

@testable import JournalSimulation

/// A closed journal that was copied with ordinary writes and opened, before a power cut.
///
/// Opening one syncs HEAD only, because its writer had synced all the rest: of a copy nobody has, unless whoever made it did.
@Suite("A copy of a closed journal")
struct CopiedJournalTests {
  /// What was acknowledged of a journal after so many operations on its disk.
  private struct Acknowledged {
    var position: Int
    var last: UInt64
  }

  private static let copied: UInt64 = 5
  private static let options: JournalOptions = {
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 10
    return options
  }()

  private static func append(to journal: JournalWriter) throws {
    var batch = JournalBatch()
    try batch.append(payload: Workload.payload(Int(journal.lastSequence) + 1, 200, generation: 1), label: 0)
    try journal.append(&batch)
  }

  /// A closed journal in several segments.
  private static func original() throws -> DiskImage {
    let files = RecordingFileSystem()
    let journal = try JournalWriter.create(
      at: Workload.path, id: Workload.id, createdNanoseconds: 7, options: options, fileSystem: files)
    for _ in 1...copied { try append(to: journal) }
    try journal.close()
    return files.image
  }

  /// Copies the journal to another device, opens it there, and appends twice.
  private func copyAndGoOn(syncing: Bool) throws -> (files: RecordingFileSystem, acknowledged: [Acknowledged]) {
    let files = RecordingFileSystem()
    let original = try Self.original()
    try files.createDirectory(Workload.path)
    for (path, bytes) in original.files.sorted(by: { $0.key < $1.key }) {
      let file = try files.open(path, .replace)
      _ = try bytes.withUnsafeBytes { try files.write(file, $0, at: 0) }
      if syncing { try files.sync(file) }
      files.close(file)
    }
    if syncing {
      try files.syncDirectory(Workload.path)
      try files.syncDirectory(".")
    }
    var acknowledged = syncing ? [Acknowledged(position: files.position, last: Self.copied)] : []
    let journal = try JournalWriter.open(at: Workload.path, options: Self.options, fileSystem: files)
    for _ in 1...2 {
      try Self.append(to: journal)
      acknowledged.append(Acknowledged(position: files.position, last: journal.lastSequence))
    }
    try journal.close()
    return (files, acknowledged)
  }

  /// What power cuts leave of what was acknowledged before.
  private struct Tally {
    var states = 0
    /// States without an event that was acknowledged.
    var lost = 0
    /// Those among them in which no journal is there, because its names were lost.
    var gone = 0
    /// Those among them in which a journal is there and nothing says that an event is missing.
    var unsaid: [String] = []
    /// Events that were never appended.
    var wrong: [String] = []
  }

  private func tally(syncing: Bool) throws -> Tally {
    let (files, acknowledged) = try copyAndGoOn(syncing: syncing)
    var tally = Tally()
    var disk = Disk()
    for (index, operation) in files.operations.enumerated() {
      disk.perform(operation)
      guard let expected = acknowledged.last(where: { $0.position <= index + 1 })?.last,
        acknowledged.contains(where: { $0.position == index + 1 }) || index + 1 == files.position
      else { continue }
      for fates in CrashStates.fates(disk, randomCount: 16, seed: UInt64(index)) {
        tally.states += 1
        let fileSystem = RecordingFileSystem(disk.image(fates))
        guard let reader = try? JournalReader(path: Workload.path, fileSystem: fileSystem) else {
          tally.lost += 1
          tally.gone += 1
          continue
        }
        let report = try reader.verify()
        if report.lastVerifiedSequence < expected {
          tally.lost += 1
          if report.isSound { tally.unsaid.append("\(report.lastVerifiedSequence) of \(expected), \(fates)") }
        }
        var cursor = try reader.cursor(beyondDamage: true)
        while let item = try cursor.next() {
          guard case .event(let event) = item else { continue }
          let payload = Workload.payload(Int(event.sequence), 200, generation: 1)
          if !event.payload.elementsEqual(payload) { tally.wrong.append("event \(event.sequence), \(fates)") }
        }
      }
    }
    return tally
  }

  @Test("Synced by whoever made it, it keeps every event and all that is acknowledged later")
  func synced() throws {
    let tally = try tally(syncing: true)
    #expect(tally.states > 50 && tally.lost == 0 && tally.wrong == [])
  }

  @Test("Not synced, it may lose what is acknowledged later, which is said, and no wrong event is served")
  func notSynced() throws {
    let tally = try tally(syncing: false)
    #expect(tally.states > 100 && tally.lost > tally.gone && tally.gone > 0)
    #expect(tally.unsaid == [] && tally.wrong == [])
  }
}
