import Journal

/// The right to a subscription, and what its file says. No other program has it while this object lives.
final class SubscriptionHolder: Sendable {
  let name: String
  let journal: JournalID
  private let file: SubscriptionFile
  /// On a file beside the subscription's own, which is replaced whenever it is written.
  private let lock: FileLock
  private let stored = Lock<SubscriptionRecord?>(nil)

  init(
    _ name: String, of journal: JournalID, in folder: String, _ fileSystem: any FileSystem
  ) throws(SubscriptionError) {
    guard name.isSubscriberName else { throw .name(name) }
    self.name = name
    self.journal = journal
    file = SubscriptionFile(name, in: folder, fileSystem)
    lock = try Self.lock(of: name, file)
    // The number is only for messages.
    try? lock.sign()
  }

  private static func lock(of name: String, _ file: SubscriptionFile) throws(SubscriptionError) -> FileLock {
    let path = file.path + ".lock"
    let folder: String
    do throws(FileSystemError) {
      folder = try file.fileSystem.identity(of: file.folder)
    } catch {
      throw .file(name, path, error)
    }
    do throws(FileLock.Failure) {
      return try FileLock(path, of: "\(folder)/\(name)", file.fileSystem)
    } catch {
      switch error {
      case .held(let holder): throw .taken(name, by: holder)
      case .system(let error): throw .file(name, path, error)
      }
    }
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
