import Journal

extension EventStore {
  /// Records that this revision of the rules took over a state, and stores the new one, so that later openings begin with
  /// it. Stored states of earlier revisions go, but for the one that was taken over: no revision goes on from them.
  ///
  /// Every step may be the last one: whatever is missing is done by the next opening, which takes over the same state.
  @usableFromInline
  func record(_ start: StartingPoint<Machine>) throws(HistoryError) {
    guard let migration = start.replay.migration else { return }
    do throws(JournalError) {
      if !start.replay.hasSeenMigration { try append(migration, at: start.moment) }
      let reader = try JournalReader(
        path: path, fileSystem: fileSystem, acceptsUnfinished: options.journal.isUnfinished)
      for old in reader.checkpoints()
      where old.sequence > migration.checkpoint && old.sequence <= lastSequence && !reader.isOverruled(old) {
        guard let body = try? StateCheckpoint(bytes: reader.body(of: old)), body.reducerRevision < Machine.revision
        else {
          continue
        }
        // One that cannot be removed does no harm: the oldest is the one that counts.
        try? fileSystem.remove(path + "/" + old.file)
      }
    } catch {
      throw .journal(error)
    }
    try checkpoint()
  }

  /// Appends the record of a migration, which changes no state.
  ///
  /// - Parameter moment: The moment of the event before it: opening a store reads no clock.
  private func append(_ migration: StateMigration, at moment: Moment) throws(JournalError) {
    let version = try writer.withLock { (writer) throws(JournalError) -> StateVersion<Machine.State> in
      let before = writer.version
      let origin = EnvelopeBatch.Origin(
        moment: moment, cause: 0, correlation: 0, idempotencyKey: [], commandFingerprint: [],
        first: before.sequence + 1)
      writer.envelopes.begin()
      try writer.envelopes.add(
        type: StateMigration.type, from: origin, because: nil,
        digest: writer.digester.combined(of: before.state, as: writer.envelopes.digestScheme)
      ) { migration.encode(into: &$0) }
      writer.envelopes.endCommand()
      let written = try writer.journal.write(&writer.envelopes.batch, expecting: before.sequence)
      try writer.journal.waitUntilAcknowledged(written)
      writer.envelopes.recordAppended(1, from: origin)
      writer.version = StateVersion(state: before.state, sequence: before.sequence + 1, chain: written.chain)
      return writer.version
    }
    publish(version)
  }
}
