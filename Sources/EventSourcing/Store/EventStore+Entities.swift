import Journal

extension EventStore {
  /// The version of an entity: the number of its last event; 0 if it has none.
  ///
  /// ``state`` includes that event once this returns. Ask for the version first and read the state then: a command that comes
  /// between makes the version too low, and a command that expects it is refused.
  ///
  /// The first call reads all events that are still there. From then on, the store keeps the versions.
  ///
  /// - Throws: ``StoreError/history(_:)`` if an event cannot be read, so that no version is known; ``StoreError/journal(_:)`` with
  ///   `outOfRange` for a kind that ``EventTypes/keyed(_:by:)`` does not name.
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
    throw .entityConflict(keys.entity(missing), expected: nil, found: writer.entities?[missing] ?? 0)
  }

  private func version(
    of entity: Entity, _ writer: inout StoreWriter<Machine>
  ) throws(StoreError<Machine.Rejection>) -> UInt64 {
    let id: EntityID
    do throws(JournalError) { id = try Machine.Event.entityID(of: entity) } catch { throw .journal(error) }
    do throws(HistoryError) { return try versions(&writer)[id] } catch { throw .history(error) }
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

  /// The versions of all entities after the last batch, for a checkpoint; empty if the domain has none, or events that cannot be
  /// read leave them unknown.
  func encodedVersions(_ writer: inout StoreWriter<Machine>) -> [UInt8] {
    let keys = Machine.Event.entityKeys
    return keys.isEmpty ? [] : (try? versions(&writer))?.encoded(keys) ?? []
  }

  /// Makes sure that a checkpoint holds the versions of entities whose events go.
  func storeVersions() throws(HistoryError) {
    let history = try History<Machine>(at: path, of: options.journal, fileSystem: fileSystem)
    if !history.hasStoredVersions() { try checkpoint() }
  }
}

extension EventStore {
  /// Adds the segments that were completed to the file `STREAMS`, if the domain has entities.
  func updateStreams() {
    guard !Machine.Event.entityKeys.isEmpty else { return }
    streams.withLock { _ in
      guard let history = try? History<Machine>(at: path, of: options.journal, fileSystem: fileSystem) else { return }
      StreamWriter(history: history).update()
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
