import AppProtection
import EventSourcing
import Journal

/// A golden journal's events in segments of a few events each.
enum SmallSegments {
  /// Writes the events, or the first ones, into a new journal, which is closed.
  static func write(_ name: String, upTo last: UInt64 = .max, to path: String) throws {
    var options = try JournalOptions(of: AppProtectionEvent.self)
    options.segmentSizeLimit = 1 << 10
    options.preallocation = 0
    let id = JournalID(bytes: [UInt8](repeating: 9, count: 16)) ?? .none
    let journal = try JournalWriter.create(at: path, id: id, createdNanoseconds: 1, options: options)
    var batch = JournalBatch()
    var cursor = try JournalReader(path: Repository.journal(name)).cursor()
    while let item = try cursor.next() {
      guard case .event(let event) = item, event.sequence <= last else { continue }
      try batch.append(payload: event.payload, label: 1)
      try journal.append(&batch)
    }
    try journal.close()
  }
}
