import Journal

/// The right to a subscription, and what its file says. No other program has it while this object lives.
final class SubscriptionHolder: Sendable {
  let name: String
  let journal: JournalID
  private let file: SubscriptionFile
  /// On a file beside the subscription's own, which is replaced whenever it is written.
  private let lock: FileLock

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
    let path = file.lockPath
    let folder: String
    do throws(FileSystemError) {
      folder = try file.fileSystem.identity(of: file.folder)
    } catch {
      throw .file(name, path, error)
    }
    do throws(FileLock.Failure) {
      return try FileLock(path, of: "\(folder)/\(name)", isRemovable: true, file.fileSystem)
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
  ///   - history: The journal as it is now.
  ///   - last: The last event.
  func record<Domain: Decider>(
    startingAt start: SubscriptionStart, _ discardingStored: Bool,
    in history: () throws(HistoryError) -> History<Domain>,
    _ last: (History<Domain>) throws(HistoryError) -> UInt64
  ) throws(SubscriptionError) -> SubscriptionRecord {
    let known = try SubscriptionError.reading(for: name, history)
    if !discardingStored, let found = try file.read(for: name) {
      guard found.journal == journal else { throw .otherJournal(name, in: file.path) }
      try require(found.record, in: known)
      return found.record
    }
    // Looking for the last event may take a while.
    let end =
      start == .end ? try SubscriptionError.reading(for: name) { () throws(HistoryError) in try last(known) } : 0
    let turn = try retirementTurn()
    defer { turn.end() }
    let current = try SubscriptionError.reading(for: name, history)
    let record = try beginning(in: current, at: start, end: end)
    try store(record)
    return record
  }

  /// No event is retired between reading where a subscription begins and storing that.
  private func retirementTurn() throws(SubscriptionError) -> RetirementTurn {
    do throws(FileLock.Failure) {
      return try RetirementTurn(in: file.folder, file.fileSystem)
    } catch {
      switch error {
      case .held(let holder): throw .busy(name, holder)
      case .system(let error): throw .file(name, "\(file.folder)/\(RetirementTurn.fileName)", error)
      }
    }
  }

  private func beginning<Domain: Decider>(
    in history: History<Domain>, at start: SubscriptionStart, end: UInt64
  ) throws(SubscriptionError) -> SubscriptionRecord {
    let base = history.firstSequence - 1
    let position: UInt64
    switch start {
    case .firstKept: position = base
    // Events that came later may be retired by now.
    case .end: position = max(end, base)
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
  }

  /// Forgets where the subscription stands, and gives up the right to it.
  func remove() throws(SubscriptionError) {
    try file.remove(for: name)
    // Last, as another program can take the lock from now on. A file that stays does no harm.
    try? lock.removeFile()
  }
}

extension EventStore {
  /// Forgets a subscription that will not be opened again: where it stands, and what it has parked.
  /// ``retire(before:keepingStates:)`` no longer waits for it. If it is opened all the same, it begins as a new one.
  ///
  /// - Throws: ``SubscriptionError`` if a program has it, none has this name, or its file cannot be removed.
  public func removeSubscription(_ name: String) throws(SubscriptionError) {
    guard name.isSubscriberName else { throw .name(name) }
    // Before the lock is taken, which creates a file.
    try SubscriptionFile(name, in: path, fileSystem).requireThere(for: name)
    try SubscriptionHolder(name, of: journal.identity.id, in: path, fileSystem).remove()
  }

  /// Why a subscription to this journal, of this program or another, open or not, still needs events that would be retired.
  ///
  /// - Parameters:
  ///   - first: The first event that is kept.
  ///   - last: The last event that would go.
  func refusalOfSubscriptions(from first: UInt64, upTo last: UInt64) throws(HistoryError) -> JournalError? {
    let names: [String]
    do throws(FileSystemError) {
      names = try SubscriptionFile.names(in: path, fileSystem)
    } catch {
      throw .journal(.system(error, file: path))
    }
    for name in names {
      do throws(SubscriptionError) {
        // One of another journal needs none of these events.
        guard let found = try SubscriptionFile(name, in: path, fileSystem).read(for: name),
          found.journal == journal.identity.id
        else { continue }
        if let refusal = found.record.refusal(of: name, from: first, upTo: last) { return refusal }
      } catch {
        return JournalError(.subscription, "the subscription \(name) \(error.message)", remedy: error.remedy)
      }
    }
    return nil
  }
}
