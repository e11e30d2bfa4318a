import Journal

extension EventStore {
  /// Creates an empty journal in the directory at `path` and a store on it.
  ///
  /// - Parameters:
  ///   - path: The journal's directory, which must not exist or must be empty.
  ///   - journalID: The journal's identity: random bytes supplied by the caller.
  ///   - createdNanoseconds: The creation time, in nanoseconds since 1970-01-01T00:00:00Z.
  ///   - options: The options of the store and of its journal.
  ///   - fileSystem: The file system that holds the journal.
  /// - Throws: ``HistoryError/journal(_:)``.
  @inlinable
  public static func create(
    at path: String, journalID: JournalID, createdNanoseconds: Int64, options: StoreOptions = StoreOptions(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws(HistoryError) -> EventStore {
    let journal = try HistoryError.translating(
      try JournalWriter.create(
        at: path, id: journalID, createdNanoseconds: createdNanoseconds,
        options: try options.journal(of: Machine.self), fileSystem: fileSystem))
    return try start(journal, at: path, options: options, fileSystem: fileSystem)
  }

  /// Opens the journal in the directory at `path`, recovers it, and computes the current state from the newest usable
  /// checkpoint, or from a later keyframe that a store can continue from, and the events after it.
  ///
  /// - Throws: ``HistoryError`` if the journal cannot be opened, if something that must be understood makes the state
  ///   unknown, if the keys cannot be read now, or if the journal is sealed and the options bring no keys: see
  ///   ``StoreOptions/onMissingKeys``. Then no file of the journal changes.
  @inlinable
  public static func open(
    at path: String, options: StoreOptions = StoreOptions(), fileSystem: any FileSystem = PosixFileSystem()
  ) throws(HistoryError) -> EventStore {
    let journal: JournalWriter
    var admission = Admission()
    do throws(JournalError) {
      journal = try JournalWriter.open(
        at: path, options: try options.journal(of: Machine.self), onDamage: options.onDamage,
        fileSystem: fileSystem
      ) { (reader, end) throws(JournalError) in try admit(reader, upTo: end, options, &admission) }
    } catch {
      throw admission.refusal ?? .journal(error)
    }
    return try start(journal, at: path, options: options, fileSystem: fileSystem, from: admission.start)
  }

  /// What was found out before the journal was opened for writing.
  @usableFromInline
  struct Admission {
    /// The state at the journal's end; `nil` if recovery must first say what is damaged.
    @usableFromInline var start: StartingPoint<Machine>?
    /// Why this program cannot go on from it.
    @usableFromInline var refusal: HistoryError?

    @inlinable
    init() {}
  }

  /// Computes the state at the journal's end, and so refuses a journal that this program cannot go on from before anything
  /// is written.
  @inlinable
  static func admit(
    _ reader: JournalReader, upTo end: (sequence: UInt64, chain: UInt32), _ options: StoreOptions,
    _ admission: inout Admission
  ) throws(JournalError) {
    let history = try admittedHistory(reader, options)
    do throws(HistoryError) {
      admission.start = try history.admittedState(upTo: end, acceptsLost: options.onDamage != .refuse)
      try admission.start?.openSealed(options)
    } catch {
      admission.refusal = error
      throw JournalError(.unsupportedFormat, error.message, remedy: error.remedy, file: reader.path)
    }
  }

  @usableFromInline
  static func admittedHistory(
    _ reader: JournalReader, _ options: StoreOptions
  ) throws(JournalError) -> History<Machine> {
    if let error = try History<Machine>.refusal(of: reader) { throw error }
    var history = History<Machine>(reader)
    // Every event of a journal without a domain fits.
    _ = history.admission.value { nil }
    history.usesCheckpoints = options.usesCheckpoints
    history.goesBeyondDamage = true
    return history
  }

  // Specialised for the caller's machine: it folds every event after the checkpoint.
  @inlinable
  static func start(
    _ journal: JournalWriter, at path: String, options: StoreOptions, fileSystem: any FileSystem,
    from known: StartingPoint<Machine>? = nil
  ) throws(HistoryError) -> EventStore {
    do throws(HistoryError) {
      let end = (sequence: journal.lastSequence, chain: journal.lastChain)
      let start: StartingPoint<Machine>
      if let known, (known.replay.sequence, known.replay.chain) == end {
        start = known
      } else {
        start = try currentState(of: journal, upTo: end, at: path, options: options, fileSystem: fileSystem)
      }
      let report = OpeningReport(
        checkpoint: start.checkpoint, keyframe: start.keyframe, replayedEvents: start.replay.count,
        checkpointNotes: start.notes,
        leftOut: start.replay.leftOut.texts(in: Machine.self), recovery: journal.recovery)
      let store = EventStore(
        journal, at: path, fileSystem: fileSystem, options: options, from: start, opening: report)
      if start.replay.migration != nil { try store.record(start) }
      return store
    } catch {
      try? journal.close()
      throw error
    }
  }

  /// The state at the end of a journal that was opened, with its sealed data opened.
  @inlinable
  static func currentState(
    of journal: JournalWriter, upTo end: (sequence: UInt64, chain: UInt32), at path: String, options: StoreOptions,
    fileSystem: any FileSystem
  ) throws(HistoryError) -> StartingPoint<Machine> {
    var history = try History<Machine>(opening: journal, at: path, of: options.journal, fileSystem: fileSystem)
    history.usesCheckpoints = options.usesCheckpoints
    // Recovery has already decided whether events may follow the damage.
    history.goesBeyondDamage = true
    var start = try history.currentState(upTo: end, acceptsLost: options.onDamage != .refuse)
    guard start.replay.sequence == end.sequence else {
      throw HistoryError.damaged(lastDerivable: start.replay.sequence, nil)
    }
    try start.openSealed(options)
    return start
  }

  /// Stores the current state with the journal, so that the next opening need not replay earlier events.
  ///
  /// Blocks commands while writing. A checkpoint is a cache: losing or refusing it loses nothing. Removes the oldest
  /// checkpoints beyond ``StoreOptions/keptCheckpointCount``. Writes nothing where another program has stored the state
  /// after the same event, and its checkpoint holds what this program left out.
  ///
  /// - Returns: The position of the stored state.
  @discardableResult
  public func checkpoint() throws(HistoryError) -> UInt64 {
    let sequence = try writeCheckpoint()
    updateStreams()
    return sequence
  }

  private func writeCheckpoint() throws(HistoryError) -> UInt64 {
    try writer.withLock { (writer) throws(HistoryError) -> UInt64 in
      if writer.phase == .suspended { throw .journal(.suspended) }
      guard writer.version.sequence > 0, try !isStoredBetter(writer) else { return writer.version.sequence }
      var checkpoint = StateCheckpoint(
        of: writer.version.state, digest: writer.digester.digest(of: writer.version.state), window: writer.window,
        lacking: writer.leftOut, by: Machine.self)
      checkpoint.entities = try encodedVersions(&writer)
      try HistoryError.translating(try checkpoint.checkReadBack(of: writer.version.state, by: Machine.self))
      let written = try HistoryError.translating(
        try writer.journal.writeCheckpoint(sequence: writer.version.sequence, body: checkpoint.encode()))
      try removeOldCheckpoints(before: written, checkpoint)
      return writer.version.sequence
    }
  }

  /// Whether another program's checkpoint of the current event, whose name a new one would take, holds what this program left
  /// out, or is of a later revision where events are gone that would lead to its state.
  private func isStoredBetter(_ writer: borrowing StoreWriter<Machine>) throws(HistoryError) -> Bool {
    let history = try History<Machine>(at: path, of: options.journal, fileSystem: fileSystem)
    let reader = history.reader
    guard
      let stored = reader.checkpoints().first(where: {
        $0.sequence == writer.version.sequence && $0.chain == writer.version.chain && !reader.isOverruled($0)
      }), let body = try? history.body(of: stored)
    else { return false }
    return writer.leftOut.exceeds(body.leftOut) || history.firstSequence > 1 && body.reducerRevision > Machine.revision
  }

  /// Removes the oldest checkpoints of this history. Checkpoints of events that were given up belong to another
  /// history: they are neither counted nor removed.
  private func removeOldCheckpoints(before written: Checkpoint, _ body: StateCheckpoint) throws(HistoryError) {
    let leftOut = body.leftOut
    let history = try History<Machine>(at: path, of: options.journal, fileSystem: fileSystem)
    let reader = history.reader
    // Without its first events, a journal depends on its checkpoints: keep one that was read back.
    let isDependent = history.firstSequence > 1
    guard !isDependent || (try? reader.bodyOnDevice(of: written)) != nil else { return }
    let earlier = reader.checkpoints().filter { old in
      guard old.file != written.file, old.sequence <= written.sequence, !reader.isOverruled(old) else { return false }
      // One that holds what this program left out may be all that is left of it.
      guard isDependent, !leftOut.parts.isEmpty, let body = try? history.body(of: old)
      else { return true }
      return !leftOut.exceeds(body.leftOut)
    }
    // So may one that holds versions of entities that were not known when this one was written.
    var lacking = isDependent ? Set(Machine.Event.entityKeys.kinds.indices) : []
    if !lacking.isEmpty, let stored = try history.versions(in: written) { lacking = stored.incompleteKinds }
    for (place, old) in earlier.enumerated() {
      if !lacking.isEmpty, let stored = try history.versions(in: old), !lacking.isSubset(of: stored.incompleteKinds) {
        lacking.formIntersection(stored.incompleteKinds)
        continue
      }
      guard place >= max(1, options.keptCheckpointCount) - 1 else { continue }
      // A checkpoint that cannot be removed does no harm.
      try? fileSystem.remove(path + "/" + old.file)
    }
  }

  /// Waits for the command in progress, makes everything durable and releases the journal. If many events came since
  /// the last keyframe, writes another one first. Feeds deliver the published events and end; ``state`` stays readable;
  /// later commands are refused.
  public func close() throws(HistoryError) {
    // Feeds end even if closing fails, but not before: the command in progress may still publish.
    defer {
      waiting.withLock { $0.isClosed = true }
      wake()
    }
    do throws(JournalError) {
      try writer.withLock { (writer) throws(JournalError) in
        // A suspended store has done all of this, and waits for nothing that it may publish.
        guard writer.phase == .open else {
          writer.phase = .closed
          return
        }
        writer.phase = .closed
        try release(&writer)
      }
    } catch {
      throw .journal(error)
    }
  }

  /// Makes everything durable, publishes it, and lets other writers in.
  func release(_ writer: inout StoreWriter<Machine>) throws(JournalError) {
    if writer.version.sequence >= writer.keyframes.spacing.dueOnClosing, writer.journal.isUsable {
      writeKeyframe(&writer, isClosing: true)
    }
    try writer.journal.close()
    // All of it is durable, and tasks waiting for that find it published; not so if the journal was closed before,
    // after an error.
    if writer.journal.durableSequence >= writer.version.sequence { publish(writer.version) }
  }
}
