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
  /// - Throws: ``HistoryError`` if the state at the event is unknown, if the keys cannot be read or are missing, as
  ///   ``open(at:options:fileSystem:)`` says, or if the journal cannot be created; the files made for it are then removed.
  public static func fork(
    from history: History<Machine>, at sequence: UInt64, to path: String, journalID: JournalID,
    createdNanoseconds: Int64, options: StoreOptions = StoreOptions(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws(HistoryError) -> EventStore {
    try fork(
      from: history, at: sequence, changing: { _ in }, to: path, journalID: journalID,
      createdNanoseconds: createdNanoseconds, options: options, fileSystem: fileSystem)
  }

  /// Creates a journal that continues from another state than the one after an event of another journal, as an imagined one
  /// may.
  ///
  /// - Parameter change: Changes the state at the fork, if there are events before it.
  package static func fork(
    from history: History<Machine>, at sequence: UInt64, changing change: (inout Machine.State) -> Void,
    to path: String, journalID: JournalID, createdNanoseconds: Int64, options: StoreOptions,
    fileSystem: any FileSystem
  ) throws(HistoryError) -> EventStore {
    var start = try history.point(at: sequence)
    change(&start.replay.state)
    let checkpoint = try history.checkpoint(of: start)
    // Whatever can fail has happened before the journal is there.
    try start.openSealed(options)
    let journal = try HistoryError.translating(
      try JournalWriter.fork(
        from: history.reader, at: sequence, to: path, id: journalID, createdNanoseconds: createdNanoseconds,
        checkpoint: checkpoint.encode(), options: try options.journal(of: Machine.self), fileSystem: fileSystem))
    // The fork begins with its own state, whatever the parent's was computed from.
    start.replay.count = 0
    start.replay.migration = nil
    (start.checkpoint, start.keyframe, start.notes) = (sequence > 0 ? sequence : nil, nil, [])
    return try Self.start(journal, at: path, options: options, fileSystem: fileSystem, from: start)
  }
}
