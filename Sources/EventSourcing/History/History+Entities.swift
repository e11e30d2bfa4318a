import Journal
import WireFormat

extension History {
  /// The version of an entity: the number of its last event; 0 if it has none.
  ///
  /// Begins with what a checkpoint says, and reads the events after it. Where the first events are retired and no checkpoint says
  /// what they were about, only the version of an entity with a later event is known.
  ///
  /// - Throws: ``HistoryError/damaged(lastDerivable:_:)`` if an event cannot be read. Events that a salvage marked as lost are
  ///   passed over if ``goesBeyondDamage`` is on. ``HistoryError/journal(_:)`` with `retired` if the version is unknown, and with
  ///   `outOfRange` for a kind that ``EventTypes/keyed(_:by:)`` does not name.
  /// - Complexity: O(*entities* + *events after the checkpoint*).
  public func version(of entity: Entity) throws(HistoryError) -> UInt64 {
    try requireOwnDomain()
    let id = try HistoryError.translating(try Machine.Event.entityID(of: entity))
    let versions = try entityVersions(upTo: nil, knowing: nil, acceptsLost: goesBeyondDamage)
    return try HistoryError.translating(try versions.knownVersion(of: id, Machine.Event.entityKeys))
  }

  /// The last event of every entity up to a position.
  ///
  /// - Parameters:
  ///   - end: The position; `nil` for the end.
  ///   - known: What was found out before; the search goes on from there if this history has that position.
  ///   - acceptsLost: Whether events that a salvage marked as lost are passed over, and what a writer gave up.
  func entityVersions(
    upTo end: (sequence: UInt64, chain: UInt32)?, knowing known: EntityVersions?, acceptsLost: Bool
  ) throws(HistoryError) -> EntityVersions {
    var versions: EntityVersions
    if let known, known.sequence <= end?.sequence ?? .max, known.sequence >= firstSequence - 1,
      try has(known.chain, at: known.sequence)
    {
      versions = known
    } else {
      versions = try storedVersions(upTo: end?.sequence ?? .max)
    }
    var last = (sequence: versions.sequence, chain: versions.chain)
    var history = self
    history.goesBeyondDamage = acceptsLost
    try history.forEachRaw(after: last.sequence, upTo: end?.sequence) { (event) throws(HistoryError) in
      last = (event.sequence, event.chain)
      var reader = WireReader(event.payload)
      guard !event.payload.isEmpty, let fields = try? EnvelopeFields(from: &reader) else { return }
      Machine.Event.forEachEntity(in: fields) { versions.record($0, at: event.sequence) }
    }
    let place = end ?? last
    versions.advance(to: place.sequence, chain: place.chain)
    return versions
  }

  /// What checkpoints say: the newest one with the same keys; where the first events are retired and there is none, what all of
  /// them say of the retired events.
  private func storedVersions(upTo end: UInt64) throws(HistoryError) -> EntityVersions {
    var known = EntityVersions()
    if firstSequence > 1 {
      let chain = reader.segments.first?.chainIn ?? reader.start.chain
      known = EntityVersions(unknownUpTo: firstSequence - 1, chain: chain, Machine.Event.entityKeys)
    }
    guard usesCheckpoints || firstSequence > 1 else { return known }
    var failure: HistoryError?
    for found in reader.checkpoints() where found.sequence <= end {
      do throws(HistoryError) {
        guard let stored = try versions(in: found) else { continue }
        if stored.incompleteKinds.isEmpty { return stored }
        known.complete(from: stored, before: firstSequence)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure, !known.incompleteKinds.isEmpty { throw failure }
    return known
  }

  /// The versions in a checkpoint; `nil` if it has none that this program can go on from.
  ///
  /// - Throws: ``HistoryError`` if the device fails, so that this is unknown.
  func versions(in found: Checkpoint) throws(HistoryError) -> EntityVersions? {
    guard found.sequence >= firstSequence - 1, !reader.isOverruled(found) else { return nil }
    let body: StateCheckpoint
    do throws(CheckpointRefusal) {
      body = try self.body(of: found)
    } catch {
      if case .unreadableFile(let error) = error, error.code == .inputOutput { throw .journal(error) }
      return nil
    }
    guard let versions = versions(in: body, at: found), try has(found.chain, at: found.sequence) else { return nil }
    return versions
  }

  private func versions(in body: StateCheckpoint, at place: Checkpoint) -> EntityVersions? {
    body.entities.isEmpty
      ? nil
      : EntityVersions(
        body.entities, Machine.Event.entityKeys, revision: Machine.revision, upTo: place.sequence, chain: place.chain)
  }

  /// Whether this history has a chain value after an event. Where damage hides that, it has not.
  ///
  /// - Throws: ``HistoryError`` if the device fails.
  func has(_ chain: UInt32, at sequence: UInt64) throws(HistoryError) -> Bool {
    do throws(HistoryError) {
      return try chainIfKept(at: sequence) == chain
    } catch {
      if error.isOfDevice { throw error }
      return false
    }
  }

  /// A checkpoint of a state, with the versions of the entities there if the domain has any and they are known.
  func checkpoint(of start: StartingPoint<Machine>) throws(HistoryError) -> StateCheckpoint {
    var checkpoint = start.stored
    checkpoint.entities = try Self.encodedVersions { () throws(HistoryError) in
      try entityVersions(
        upTo: (start.replay.sequence, start.replay.chain), knowing: nil, acceptsLost: goesBeyondDamage)
    }
    return checkpoint
  }

  /// Versions as a checkpoint holds them; empty if the domain has no entities, or damage leaves their versions unknown.
  static func encodedVersions(
    _ versions: () throws(HistoryError) -> EntityVersions
  ) throws(HistoryError) -> [UInt8] {
    let keys = Machine.Event.entityKeys
    if keys.isEmpty { return [] }
    do throws(HistoryError) {
      return try versions().encoded(keys, revision: Machine.revision)
    } catch {
      guard case .damaged = error, !error.isOfDevice else { throw error }
      return []
    }
  }

  /// The kinds of entities whose versions no checkpoint that stays would hold, and that are known before the others go.
  ///
  /// - Parameters:
  ///   - kept: The checkpoints that stay.
  ///   - body: The body of one that is written; `nil` if none is.
  func lostKinds(keeping kept: [Checkpoint], _ body: StateCheckpoint?) throws(HistoryError) -> [String] {
    let keys = Machine.Event.entityKeys
    var lost = Set(keys.kinds.indices)
    if lost.isEmpty { return [] }
    if firstSequence > 1 {
      var unknown = lost
      for found in reader.checkpoints() {
        if let stored = try versions(in: found) { unknown.formIntersection(stored.incompleteKinds) }
      }
      lost.subtract(unknown)
    }
    for found in kept {
      if let stored = try versions(in: found) { lost.formIntersection(stored.incompleteKinds) }
    }
    if let body,
      let stored = EntityVersions(
        body.entities, keys, revision: Machine.revision, upTo: .max, chain: 0), !body.entities.isEmpty
    {
      lost.formIntersection(stored.incompleteKinds)
    }
    return lost.sorted().map { keys.kinds[$0].name }
  }
}

extension HistoryError {
  /// Whether the device failed, so that another attempt may succeed.
  var isOfDevice: Bool {
    if case .journal(let error) = self { return error.code == .inputOutput }
    guard case .damaged(_, let finding?) = self, case .ioError = finding.verdict else { return false }
    return true
  }
}

extension EntityVersions {
  /// The last event of an entity; 0 if it has none.
  ///
  /// - Throws: `retired` if that is unknown.
  func knownVersion(of id: EntityID, _ keys: EntityKeys) throws(JournalError) -> UInt64 {
    if let version = version(of: id) { return version }
    let entity = keys.entity(id)
    throw JournalError(
      .retired,
      "the version of \(entity) is unknown: the first events are retired, and no checkpoint says which were about a \(entity.kind)",
      remedy: "append an event about \(entity) without expecting a version, or use a copy with the earlier events")
  }
}
