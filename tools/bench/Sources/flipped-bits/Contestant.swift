import FlippedPeers
import Journal

/// An engine whose closed log is read after a bit was flipped in it.
struct Contestant: Sendable {
  /// What reading gave.
  struct Reading {
    var hasError: Bool
    var right: Int
    var wrong: Int
  }

  let name: String
  /// Whether a file of the closed log is part of the log, so that bits are flipped in it.
  let isLog: @Sendable (String) -> Bool
  /// Writes so many records of so many bytes into an empty directory, and closes.
  let write: @Sendable (_ directory: String, _ count: Int, _ size: Int) throws -> Void
  let read: @Sendable (_ directory: String, _ count: Int, _ size: Int) -> Reading

  static let all = [
    journal, peer("SQLite, WAL", FLIPPED_SQLITE) { $0.hasSuffix("-wal") },
    peer("LevelDB, log, its defaults", FLIPPED_LEVELDB) { $0.hasSuffix(".log") },
    peer("LevelDB, log, paranoid_checks", FLIPPED_LEVELDB_PARANOID) { $0.hasSuffix(".log") },
  ]

  private static func peer(_ name: String, _ peer: flipped_peer, isLog: @escaping @Sendable (String) -> Bool)
    -> Contestant
  {
    Contestant(
      name: name, isLog: isLog,
      write: { directory, count, size in
        var message = [CChar](repeating: 0, count: 512)
        guard flipped_write(peer, directory, count, size, &message, message.count) == 0 else {
          throw Failure(String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
      },
      read: { directory, count, size in
        let reading = flipped_read(peer, directory, count, size)
        return Reading(hasError: reading.has_error != 0, right: reading.right, wrong: reading.wrong)
      })
  }

  private static func record(_ number: Int, _ size: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    flipped_record(UInt64(number), &bytes, size)
    return bytes
  }

  /// Every file counts, also those in which no event is.
  private static let journal = Contestant(
    name: "PolicyJournal", isLog: { $0 != "LOCK" },
    write: { directory, count, size in
      var options = JournalOptions()
      options.syncPolicy = .none
      let journal = try JournalWriter.create(
        at: directory + "/journal", id: JournalID(bytes: Array(1...16)) ?? .none, createdNanoseconds: 1,
        options: options)
      var batch = JournalBatch()
      for number in 1...count {
        try batch.append(payload: record(number, size), label: 0)
        try journal.append(&batch)
      }
      try journal.close()
    },
    read: { directory, count, size in
      var reading = Reading(hasError: false, right: 0, wrong: 0)
      do throws(JournalError) {
        let reader = try JournalReader(path: directory + "/journal")
        reading.hasError = try !reader.verify().findings.isEmpty
        var cursor = try reader.cursor(beyondDamage: true)
        while let item = try cursor.next() {
          guard case .event(let event) = item else { continue }
          let number = Int(clamping: event.sequence)
          let isRight = number <= count && event.payload.elementsEqual(record(number, size))
          if isRight { reading.right += 1 } else { reading.wrong += 1 }
        }
      } catch {
        reading.hasError = true
      }
      return reading
    })
}
