import Journal
import Synchronization

/// The right to a subscription, and what its file says. No other program has it while this object lives.
final class SubscriptionHolder: Sendable {
  let name: String
  let journal: JournalID
  private let file: SubscriptionFile
  private let lock: SubscriptionLock
  private let stored = Lock<SubscriptionRecord?>(nil)

  init(
    _ name: String, of journal: JournalID, in folder: String, _ fileSystem: any FileSystem
  ) throws(SubscriptionError) {
    guard name.isSubscriberName else { throw .name(name) }
    self.name = name
    self.journal = journal
    file = SubscriptionFile(name, in: folder, fileSystem)
    lock = try SubscriptionLock(name, on: file)
  }

  /// Where the subscription stands, or where it begins if that is not stored, which is then stored.
  ///
  /// - Parameters:
  ///   - discardingStored: Whether it begins there in any case.
  ///   - last: The last event.
  func record<Domain: Decider>(
    in history: History<Domain>, startingAt start: SubscriptionStart, _ discardingStored: Bool,
    _ last: () throws(HistoryError) -> UInt64
  ) throws(SubscriptionError) -> SubscriptionRecord {
    if !discardingStored, let found = try file.read(for: name) {
      guard found.journal == journal else { throw .otherJournal(name, in: file.path) }
      try require(found.record, in: history)
      stored.withLock { $0 = found.record }
      return found.record
    }
    let record = try beginning(in: history, at: start, last)
    try store(record)
    return record
  }

  private func beginning<Domain: Decider>(
    in history: History<Domain>, at start: SubscriptionStart,
    _ last: () throws(HistoryError) -> UInt64
  ) throws(SubscriptionError) -> SubscriptionRecord {
    let base = history.firstSequence - 1
    let position: UInt64
    switch start {
    case .firstKept: position = base
    case .end: position = try SubscriptionError.reading(for: name, last)
    case .after(let sequence):
      guard sequence >= base else { throw .gone(name, after: sequence, first: history.firstSequence) }
      position = sequence
    }
    guard let chain = try chain(at: position, in: history) else { throw .start(name, position) }
    return SubscriptionRecord(position: position, chain: chain)
  }

  /// The journal's chain after an event; `nil` if the journal does not have it.
  func chain<Domain: Decider>(at sequence: UInt64, in history: History<Domain>) throws(SubscriptionError) -> UInt32? {
    try SubscriptionError.reading(for: name) { () throws(HistoryError) in try history.chainIfKept(at: sequence) }
  }

  /// Refuses a position of which the journal knows nothing.
  func require<Domain: Decider>(_ record: SubscriptionRecord, in history: History<Domain>) throws(SubscriptionError) {
    guard record.position >= history.firstSequence - 1 else {
      throw .gone(name, after: record.position, first: history.firstSequence)
    }
    var isKept = history.reader.identity.id == journal
    if isKept, record.position > 0 { isKept = try chain(at: record.position, in: history) == record.chain }
    guard isKept else { throw .otherHistory(name, at: record.position) }
  }

  /// Why the events after a position could not be read.
  func problem<Domain: Decider>(
    _ error: HistoryError, in history: History<Domain>?, after record: SubscriptionRecord
  ) -> SubscriptionError {
    if let history {
      do throws(SubscriptionError) {
        try require(record, in: history)
      } catch {
        return error
      }
    }
    return .history(name, error)
  }

  func store(_ record: SubscriptionRecord) throws(SubscriptionError) {
    try file.write(record, of: journal, for: name)
    stored.withLock { $0 = record }
  }

  /// Why the events up to a position are still needed; `nil` if they are not.
  func refusal(upTo last: UInt64) -> JournalError? {
    guard let record = stored.withLock({ $0 }) else { return nil }
    if record.position < last {
      return JournalError(
        .subscription, "the subscription \(name) is at event \(record.position), and events up to \(last) would go",
        remedy: "let it come that far, or end it, then retire again")
    }
    if let parked = record.parked.first, parked.sequence <= last {
      return JournalError(
        .subscription,
        "the subscription \(name) has parked event \(parked.sequence), and events up to \(last) would go",
        remedy: "try what is parked again or drop it, then retire again")
    }
    return nil
  }
}

/// A lock on a file beside a subscription's own, which is replaced whenever it is written, and an entry in a list of this process.
///
/// The list exists because some network file systems grant a file lock twice within one process.
private final class SubscriptionLock: Sendable {
  private static let held = Mutex<Set<String>>([])

  private let fileSystem: any FileSystem
  private let file: OpenFile
  private let key: String

  init(_ name: String, on subscription: SubscriptionFile) throws(SubscriptionError) {
    let fileSystem = subscription.fileSystem
    let path = subscription.path + ".lock"
    do throws(FileSystemError) {
      key = "\(try fileSystem.identity(of: subscription.folder))/\(name)"
    } catch {
      throw .file(name, path, error)
    }
    let key = key
    guard Self.held.withLock({ $0.insert(key).inserted }) else { throw .taken(name, by: "this process") }
    do throws(SubscriptionError) {
      file = try Self.locked(path, fileSystem, for: name)
    } catch {
      _ = Self.held.withLock { $0.remove(key) }
      throw error
    }
    self.fileSystem = fileSystem
  }

  private static func locked(
    _ path: String, _ fileSystem: any FileSystem, for name: String
  ) throws(SubscriptionError) -> OpenFile {
    var file: OpenFile?
    do throws(FileSystemError) {
      let opened = try fileSystem.open(path, .createOrUpdate)
      file = opened
      if try fileSystem.lock(opened) {
        // Only for the messages of others: it may lack room.
        try? fileSystem.writeAll(opened, Array("\(fileSystem.processIdentifier)\n".utf8), at: 0)
        return opened
      }
    } catch {
      if let file { fileSystem.close(file) }
      throw .file(name, path, error)
    }
    let holder = file.map { owner(of: $0, fileSystem) } ?? "another process"
    if let file { fileSystem.close(file) }
    throw .taken(name, by: holder)
  }

  /// The process that holds the lock: as the system says, which may need the number in the file to be sure.
  private static func owner(of file: OpenFile, _ fileSystem: any FileSystem) -> String {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = (try? bytes.withUnsafeMutableBytes { try fileSystem.read(file, into: $0, at: 0) }) ?? 0
    // Complete only with the end of the line. A longer number that was there before leaves its rest after it.
    let stated = bytes[..<count].firstIndex(of: 0x0A).flatMap { Int32(String(decoding: bytes[..<$0], as: UTF8.self)) }
    let number: Int32? =
      switch fileSystem.lockHolder(of: file, stated: stated) {
      case .process(let number): number
      case .unseen: nil
      case .untold: stated
      }
    return number.map { "process \($0)" } ?? "another process"
  }

  deinit {
    fileSystem.close(file)
    _ = Self.held.withLock { $0.remove(key) }
  }
}
