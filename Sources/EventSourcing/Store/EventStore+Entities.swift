import Journal

extension EventStore {
  /// The version of an entity: the number of its last event; 0 if it has none.
  ///
  /// ``state`` includes that event once this returns. Ask for the version first and read the state then: a command that comes
  /// between makes the version too low, and a command that expects it is refused.
  ///
  /// The first call begins with what a checkpoint says, and reads the events after it, while other commands wait. From then on, the
  /// store keeps the versions.
  ///
  /// - Throws: ``StoreError/history(_:)`` if an event cannot be read, so that no version is known; ``StoreError/journal(_:)`` with
  ///   `retired` for an entity whose version nothing that is still there says, and with `outOfRange` for a kind that
  ///   ``EventTypes/keyed(_:by:)`` does not name.
  public func version(of entity: Entity) throws(StoreError<Machine.Rejection>) -> UInt64 {
    let (found, version, journal) = try writer.withLock {
      (writer) throws(StoreError<Machine.Rejection>) -> (UInt64, StateVersion<Machine.State>, JournalWriter) in
      if writer.phase == .suspended { throw .journal(.suspended) }
      return (try self.version(of: entity, &writer), writer.version, writer.journal)
    }
    do throws(JournalError) {
      try journal.waitUntilAcknowledged(upTo: version.sequence)
    } catch {
      throw .journal(error)
    }
    publish(version)
    return found
  }

  /// Refuses a command unless entities are at the versions that it expects.
  @usableFromInline
  func require(
    _ expected: ExpectedVersions, _ writer: inout StoreWriter<Machine>
  ) throws(StoreError<Machine.Rejection>) {
    for version in expected.versions {
      let found = try self.version(of: version.entity, &writer)
      guard found == version.sequence else {
        throw .entityConflict(version.entity, expected: version.sequence, found: found)
      }
    }
  }

  /// Refuses events about entities of which no version is expected, if versions of others of their kind are.
  @usableFromInline
  func require(
    _ expected: ExpectedVersions, of events: [Machine.Event], _ writer: borrowing StoreWriter<Machine>
  ) throws(StoreError<Machine.Rejection>) {
    let keys = Machine.Event.entityKeys
    let ids = expected.versions.compactMap { keys.id(of: $0.entity) }
    var missing: EntityID?
    for event in events {
      event.forEachEntity { id in
        if missing == nil, ids.contains(where: { $0.kind == id.kind }), !ids.contains(id) { missing = id }
      }
    }
    guard let missing else { return }
    let found: UInt64?
    do throws(JournalError) {
      found = try writer.entities?.knownVersion(of: missing, keys)
    } catch {
      throw .journal(error)
    }
    throw .entityConflict(keys.entity(missing), expected: nil, found: found ?? 0)
  }

  private func version(
    of entity: Entity, _ writer: inout StoreWriter<Machine>
  ) throws(StoreError<Machine.Rejection>) -> UInt64 {
    let id: EntityID
    do throws(JournalError) { id = try Machine.Event.entityID(of: entity) } catch { throw .journal(error) }
    let known: EntityVersions
    do throws(HistoryError) { known = try versions(&writer) } catch { throw .history(error) }
    do throws(JournalError) {
      return try known.knownVersion(of: id, Machine.Event.entityKeys)
    } catch {
      throw .journal(error)
    }
  }

  /// The versions of all entities after the last batch.
  private func versions(_ writer: inout StoreWriter<Machine>) throws(HistoryError) -> EntityVersions {
    let end = (sequence: writer.version.sequence, chain: writer.version.chain)
    if let known = writer.entities, (known.sequence, known.chain) == end { return known }
    var history = try History<Machine>(at: path, of: options.journal, fileSystem: fileSystem)
    history.usesCheckpoints = options.usesCheckpoints
    let versions = try history.entityVersions(
      upTo: end, knowing: writer.entities, acceptsLost: options.onDamage != .refuse)
    writer.entities = versions
    return versions
  }

  /// The versions of all entities after the last batch, for a checkpoint; empty if the domain has none, or damage leaves them
  /// unknown.
  func encodedVersions(_ writer: inout StoreWriter<Machine>) throws(HistoryError) -> [UInt8] {
    try History<Machine>.encodedVersions { () throws(HistoryError) in try versions(&writer) }
  }
}

extension EventStore {
  /// Adds the segments that were completed to the file `STREAMS`, if the domain has entities.
  ///
  /// - Parameter dropsRetired: Whether what the file says of retired events goes.
  func updateStreams(dropsRetired: Bool = false) {
    guard !Machine.Event.entityKeys.isEmpty else { return }
    streams.withLock { soundEnd in
      guard let history = try? History<Machine>(at: path, of: options.journal, fileSystem: fileSystem) else { return }
      // Commands go on while the journal is read. The file is written in a turn of the writer, which owns it then.
      var streams = StreamWriter(history: history, soundEnd: soundEnd) { write in
        self.writer.withLock { $0.phase == .open && write() }
      }
      streams.update(dropsRetired: dropsRetired)
      soundEnd = streams.soundEnd
    }
  }
}

extension StoreWriter {
  /// Keeps the versions up to date, if they were before the command.
  @usableFromInline
  mutating func recordEntities(of result: borrowing AppendResult<Machine>) {
    guard var entities, (entities.sequence, entities.chain) == (version.sequence, version.chain) else { return }
    self.entities = nil
    var sequence = version.sequence
    for event in result.decided {
      sequence += 1
      event.forEachEntity { entities.record($0, at: sequence) }
    }
    entities.advance(to: sequence, chain: result.after.chain)
    self.entities = entities
  }
}
