import Journal
import WireFormat

extension History {
  /// The version of an entity: the number of its last event; 0 if it has none.
  ///
  /// Begins with what a checkpoint says, and reads the events after it. Where the first events are retired and no checkpoint
  /// says it, it begins with the first event that is still there.
  ///
  /// - Throws: ``HistoryError/damaged(lastDerivable:_:)`` if an event cannot be read, unless ``goesBeyondDamage`` is on;
  ///   ``HistoryError/journal(_:)`` with `outOfRange` for a kind that ``EventTypes/keyed(_:by:)`` does not name.
  public func version(of entity: Entity) throws(HistoryError) -> UInt64 {
    try requireOwnDomain()
    let id = try HistoryError.translating(try Machine.Event.entityID(of: entity))
    return try entityVersions(upTo: nil, knowing: nil, acceptsLost: goesBeyondDamage)[id]
  }

  /// The last event of every entity up to a position.
  ///
  /// - Parameters:
  ///   - end: The position; `nil` for the end.
  ///   - known: What was found out before, which is gone on from if this history has its position.
  ///   - acceptsLost: Whether events that cannot be read are passed over. Those that a salvage marked as lost always are.
  func entityVersions(
    upTo end: (sequence: UInt64, chain: UInt32)?, knowing known: EntityVersions?, acceptsLost: Bool
  ) throws(HistoryError) -> EntityVersions {
    var versions = EntityVersions()
    if let known, known.sequence <= end?.sequence ?? .max, known.sequence + 1 >= firstSequence,
      (try? chain(at: known.sequence)) == known.chain
    {
      versions = known
    } else if let stored = storedVersions(upTo: end?.sequence ?? .max) {
      versions = stored
    }
    var last = (sequence: versions.sequence, chain: versions.chain)
    try forEachReadable(after: last.sequence, upTo: end?.sequence ?? .max, acceptsLost: acceptsLost) {
      (event, fields) in
      Machine.Event.forEachEntity(in: fields) { versions.record($0, at: event.sequence) }
      last = (event.sequence, event.chain)
    }
    let place = end ?? last
    versions.advance(to: place.sequence, chain: place.chain)
    return versions
  }

  /// The versions in the newest checkpoint of a program that names the same keys. If there is none, and the first events are
  /// retired, what the newest one says of these.
  private func storedVersions(upTo end: UInt64) -> EntityVersions? {
    guard usesCheckpoints || firstSequence > 1 else { return nil }
    let checkpoints = reader.checkpoints().filter { $0.sequence <= end && !reader.isOverruled($0) }
    for isSame in firstSequence > 1 ? [true, false] : [true] {
      for found in checkpoints {
        guard let stored = try? body(of: found).entities, !stored.isEmpty,
          let versions = EntityVersions(
            stored, Machine.Event.entityKeys, upTo: found.sequence, chain: found.chain, isSame: isSame),
          (try? chain(at: found.sequence)) == found.chain
        else { continue }
        if isSame { return versions }
        guard let chain = try? chain(at: firstSequence - 1) else { return nil }
        return versions.before(firstSequence, chain: chain)
      }
    }
    return nil
  }

  /// A checkpoint of a state, with the versions of the entities there if the domain has any and they are known.
  func checkpoint(of start: StartingPoint<Machine>) -> StateCheckpoint {
    var checkpoint = start.stored
    let keys = Machine.Event.entityKeys
    if !keys.isEmpty,
      let versions = try? entityVersions(
        upTo: (start.replay.sequence, start.replay.chain), knowing: nil, acceptsLost: goesBeyondDamage)
    {
      checkpoint.entities = versions.encoded(keys)
    }
    return checkpoint
  }

  /// Whether the newest checkpoint holds the versions of entities with the same keys, so that they outlast the events before it.
  func hasStoredVersions() -> Bool {
    guard let newest = reader.checkpoints().first(where: { !reader.isOverruled($0) }),
      let stored = try? body(of: newest).entities, !stored.isEmpty
    else { return false }
    return EntityVersions(
      stored, Machine.Event.entityKeys, upTo: newest.sequence, chain: newest.chain, isSame: true) != nil
  }

  /// Calls `body` with every event after `start` up to `end` that is still there and has an envelope.
  ///
  /// - Throws: ``HistoryError/damaged(lastDerivable:_:)`` at events that cannot be read, unless that is accepted.
  private func forEachReadable(
    after start: UInt64, upTo end: UInt64, acceptsLost: Bool, _ body: (JournalEvent, EnvelopeFields) -> Void
  ) throws(HistoryError) {
    let first = max(start, firstSequence - 1)
    guard end > first else { return }
    var items = try JournalItems(reader, after: first, beyondDamage: true)
    while items.last < end, let item = try items.next() {
      switch item {
      case .finding(let finding):
        if finding.endsHistory { return }
        guard finding.losesEvents, items.lastLost == nil, !acceptsLost else { continue }
        throw .damaged(lastDerivable: items.previous, finding)
      case .event(let event):
        guard event.sequence <= end else { return }
        if event.sequence != items.previous + 1, !acceptsLost { throw .damaged(lastDerivable: items.previous, nil) }
        var reader = WireReader(event.payload)
        if let fields = try? EnvelopeFields(from: &reader) { body(event, fields) }
      }
    }
  }
}
