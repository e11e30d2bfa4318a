import Journal

extension EventStore {
  /// Creates a journal that continues from an event of another one, and a store on it.
  ///
  /// The new journal names the old one as its parent. A checkpoint in it holds the state at the fork, so that it can be
  /// read without its parent. Commands with a key are recognised as in the parent.
  ///
  /// - Parameters:
  ///   - history: The parent; not modified.
  ///   - sequence: The last event that both share.
  ///   - path: The new journal's directory, which must not exist or must be empty.
  ///   - journalID: The new journal's identity: random bytes supplied by the caller.
  ///   - createdNanoseconds: The creation time, in nanoseconds since 1970-01-01T00:00:00Z.
  ///   - options: The options of the store and of its journal.
  ///   - fileSystem: The file system that holds the journal.
  /// - Throws: ``HistoryError`` if the state at the event is unknown or the journal cannot be created; the files made for
  ///   it are then removed.
  public static func fork(
    from history: History<Machine>, at sequence: UInt64, to path: String, journalID: JournalID,
    createdNanoseconds: Int64, options: StoreOptions = StoreOptions(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws(HistoryError) -> EventStore {
    let checkpoint = try history.checkpoint(at: sequence)
    do throws(JournalError) {
      try JournalWriter.fork(
        from: history.reader, at: sequence, to: path, id: journalID, createdNanoseconds: createdNanoseconds,
        checkpoint: checkpoint.encode(), options: try options.journal(of: Machine.self), fileSystem: fileSystem
      ).close()
    } catch {
      throw .journal(error)
    }
    return try open(at: path, options: options, fileSystem: fileSystem)
  }
}
