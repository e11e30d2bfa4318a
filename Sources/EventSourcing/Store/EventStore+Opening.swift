import Journal

extension EventStore {
  /// Creates an empty journal in the directory at `path` and a store on it.
  ///
  /// - Parameters:
  ///   - path: The journal's directory, which must not exist or must be empty.
  ///   - journalID: The journal's identity; random bytes, chosen by the caller.
  ///   - createdNanoseconds: When, in nanoseconds since 1970-01-01T00:00:00Z.
  ///   - options: How the store writes and keeps the journal.
  ///   - fileSystem: Where the journal lies; the operating system's unless a test brings its own.
  /// - Throws: ``HistoryError/journal(_:)``.
  @inlinable
  public static func create(
    at path: String, journalID: JournalID, createdNanoseconds: Int64, options: StoreOptions = StoreOptions(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws(HistoryError) -> EventStore {
    let journal: Journal
    do throws(JournalError) {
      journal = try Journal.create(
        at: path, id: journalID, createdNanoseconds: createdNanoseconds, options: options.journal,
        fileSystem: fileSystem)
    } catch {
      throw .journal(error)
    }
    return try start(journal, at: path, options: options, fileSystem: fileSystem)
  }

  /// Opens the journal in the directory at `path`, recovers it, and computes the current state from the newest usable
  /// checkpoint, or a later keyframe from which a store can go on, and the events after it.
  ///
  /// - Throws: ``HistoryError`` when the journal cannot be opened, or when the state is unknown because of an event
  ///   that must be understood and is not. Nothing is written then.
  @inlinable
  public static func open(
    at path: String, options: StoreOptions = StoreOptions(), fileSystem: any FileSystem = PosixFileSystem()
  ) throws(HistoryError) -> EventStore {
    let journal: Journal
    do throws(JournalError) {
      journal = try Journal.open(
        at: path, options: options.journal, onDamage: options.onDamage, fileSystem: fileSystem)
    } catch {
      throw .journal(error)
    }
    return try start(journal, at: path, options: options, fileSystem: fileSystem)
  }

  // Compiled for the caller's machine: it folds every event that the checkpoint leaves.
  @inlinable
  static func start(
    _ journal: Journal, at path: String, options: StoreOptions, fileSystem: any FileSystem
  ) throws(HistoryError) -> EventStore {
    do throws(HistoryError) {
      var history = try History<Machine>(opening: journal, at: path, fileSystem: fileSystem)
      history.usesCheckpoints = options.usesCheckpoints
      // Recovery has decided already whether what follows damage may be built upon.
      history.goesBeyondDamage = true
      let start = try history.currentState(of: journal, acceptsLost: options.onDamage != .refuse)
      guard start.replay.sequence == journal.lastSequence else {
        throw HistoryError.damaged(lastDerivable: start.replay.sequence, nil)
      }
      let report = OpeningReport(
        checkpoint: start.checkpoint, keyframe: start.keyframe, replayedEvents: start.replay.count,
        checkpointNotes: start.notes, recovery: journal.recovery)
      return EventStore(
        journal, at: path, fileSystem: fileSystem, options: options, from: start, opening: report)
    } catch {
      try? journal.close()
      throw error
    }
  }

  /// Stores the current state beside the journal, so that the next opening need not replay what came before.
  ///
  /// Commands wait while it is written. A checkpoint is a cache: losing or refusing it loses nothing. The oldest ones
  /// beyond ``StoreOptions/keptCheckpointCount`` are removed.
  ///
  /// - Returns: The position of the state that was stored.
  @discardableResult
  public func checkpoint() throws(HistoryError) -> UInt64 {
    try writer.withLock { (writer) throws(HistoryError) -> UInt64 in
      guard writer.version.sequence > 0 else { return 0 }
      let checkpoint = StateCheckpoint(
        of: writer.version.state, digest: writer.digester.digest(of: writer.version.state), window: writer.window,
        by: Machine.self)
      let written: Checkpoint
      do throws(JournalError) {
        written = try journal.writeCheckpoint(sequence: writer.version.sequence, body: checkpoint.encode())
      } catch {
        throw .journal(error)
      }
      try removeOldCheckpoints(before: written)
      return writer.version.sequence
    }
  }

  /// Removes the oldest checkpoints of this history. Those of events that were given up are no part of it: they count
  /// for nothing here, and stay where they are.
  private func removeOldCheckpoints(before written: Checkpoint) throws(HistoryError) {
    let reader = try History<Machine>(at: path, fileSystem: fileSystem).reader
    // Without its first events a journal is worth no more than its checkpoints: one stays that was read back.
    guard reader.retirement == nil || (try? reader.body(of: written)) != nil else { return }
    let earlier = reader.checkpoints().filter {
      $0.file != written.file && $0.sequence <= written.sequence && !reader.isOverruled($0)
    }
    for old in earlier.dropFirst(max(1, options.keptCheckpointCount) - 1) {
      // One that cannot be removed does no harm.
      try? fileSystem.remove(path + "/" + old.file)
    }
  }

  /// Makes everything durable and gives the journal back, once the command under way is done. Where many events came since
  /// the last keyframe, another one is written first. Feeds tell what was published and end; ``state`` stays readable; later
  /// commands are refused.
  public func close() throws(HistoryError) {
    // Feeds end however the closing goes, and not before: the command under way may still publish.
    defer {
      waiting.withLock { $0.isClosed = true }
      wake()
    }
    do throws(JournalError) {
      try writer.withLock { (writer) throws(JournalError) in
        if writer.version.sequence >= writer.keyframes.spacing.dueOnClosing, journal.isUsable {
          writeKeyframe(&writer, isClosing: true)
        }
        try journal.close()
        // All of it is durable; whoever still waits for that finds it published. Not so when the journal was closed
        // before, after an error.
        if journal.durableSequence >= writer.version.sequence { publish(writer.version) }
      }
    } catch {
      throw .journal(error)
    }
  }
}
