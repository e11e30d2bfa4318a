import EventSourcing
import Journal

extension MemoryDisk {
  /// Opens the journal at a path of this disk; where there is none, creates it first.
  ///
  /// - Parameters:
  ///   - machine: The domain.
  ///   - path: The journal's folder.
  ///   - options: The options of the store and of its journal.
  /// - Throws: As ``/EventSourcing/EventStore/open(at:options:fileSystem:)``.
  public func store<Machine: Decider>(
    of machine: Machine.Type, at path: String = "journal", options: StoreOptions = StoreOptions()
  ) throws(HistoryError) -> EventStore<Machine> {
    do throws(HistoryError) {
      return try EventStore<Machine>.open(at: path, options: options, fileSystem: self)
    } catch {
      guard case .journal(let reason) = error, reason.code == .notAJournal else { throw error }
      return try EventStore<Machine>.create(
        at: path, journalID: Self.identity(for: path), createdNanoseconds: clock.now.wallNanoseconds, options: options,
        fileSystem: self)
    }
  }

  /// The journal at a path of this disk as a history.
  ///
  /// - Throws: As ``/EventSourcing/History/init(at:fileSystem:)``.
  public func history<Machine: Reducer>(
    of machine: Machine.Type, at path: String = "journal"
  ) throws(HistoryError) -> History<Machine> {
    try History<Machine>(at: path, fileSystem: self)
  }

  /// An identity that follows from the path, so that a test that runs again writes the same bytes.
  private static func identity(for path: String) -> JournalID {
    JournalID(bytes: Array(Digest.sha256(Array(path.utf8)).bytes.prefix(16))) ?? .none
  }
}
