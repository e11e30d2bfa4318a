import EventSourcing
import Foundation
import Journal

/// A folder of its own for the journals of one test, removed with everything in it when the test lets go of it.
final class BookFolder: Sendable {
  private let folder: String

  /// Four entries. The book holds 5000, 3750, 4550 and 550 cents after them; two are withdrawals.
  static let entries: [Entry] = [
    .deposited(cents: 5_000, payer: "Ada"), .withdrawn(cents: 1_250), .deposited(cents: 800, payer: "Bob"),
    .withdrawn(cents: 4_000),
  ]

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "account-book-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    self.folder = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Where a journal of this name is to be.
  func path(_ name: String = "book") -> String { "\(folder)/\(name)" }

  /// An identity of sixteen equal bytes.
  static func id(_ byte: UInt8) -> JournalID { JournalID(bytes: [UInt8](repeating: byte, count: 16)) ?? .none }

  /// A moment so many minutes after 1970, and after the device's start.
  static func minute(_ minute: Int) -> Moment {
    let nanoseconds = Int64(minute) * 60_000_000_000
    return Moment(wallNanoseconds: nanoseconds, uptimeNanoseconds: nanoseconds)
  }

  /// Writes a journal of entries, the first in minute 1, one a minute.
  @discardableResult
  func write(
    _ entries: [Entry] = BookFolder.entries, to name: String = "book", segmentSizeLimit: UInt64 = 8 << 20
  ) throws -> History<Book> {
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    options.journal.segmentSizeLimit = segmentSizeLimit
    let store = try EventStore<Book>.create(
      at: path(name), journalID: Self.id(1), createdNanoseconds: 1, options: options)
    for (index, entry) in entries.enumerated() { try store.append(entry, at: Self.minute(index + 1)) }
    try store.close()
    return try History<Book>(at: path(name))
  }

  /// Inverts the byte with which a text begins in a journal's only segment.
  func damage(_ text: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path()) {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(path())/\(name)"))
      guard let place = bytes.range(of: Data(text.utf8)) else { continue }
      bytes[place.lowerBound] = ~bytes[place.lowerBound]
      try bytes.write(to: URL(fileURLWithPath: "\(path())/\(name)"))
    }
  }
}
