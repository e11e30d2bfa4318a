import EventSourcing
import Journal

extension EventStore {
  /// Opens the journal in the directory at `path`; where there is none, creates it first, under a random identity and with
  /// the system's time.
  ///
  /// ```swift
  /// let store = try EventStore<Book>.open(at: "book", create: true)
  /// ```
  ///
  /// A directory that holds anything of a journal is opened, never re-created: damage is reported and not written over.
  ///
  /// - Parameters:
  ///   - path: The journal's directory; its parent must exist.
  ///   - create: Whether a journal that is missing is created.
  ///   - options: The options of the store and of its journal.
  ///   - fileSystem: The file system that holds the journal.
  /// - Throws: ``/EventSourcing/HistoryError``, whose place begins with `path`.
  @inlinable
  public static func open(
    at path: String, create: Bool, options: StoreOptions = StoreOptions(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws(HistoryError) -> EventStore {
    do throws(HistoryError) {
      do throws(HistoryError) {
        return try open(at: path, options: options, fileSystem: fileSystem)
      } catch {
        guard create, case .journal(let reason) = error, reason.code == .notAJournal else { throw error }
        return try self.create(
          at: path, journalID: .random(), createdNanoseconds: Moment.now().wallNanoseconds, options: options,
          fileSystem: fileSystem)
      }
    } catch {
      throw error.inJournal(at: path)
    }
  }
}
