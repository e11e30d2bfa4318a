import Journal
import WireFormat

extension History {
  /// The last event of every entity up to a position.
  ///
  /// - Parameters:
  ///   - known: What was found out before, which is gone on from if this history has its position.
  ///   - acceptsLost: Whether events that cannot be read are passed over. Those that a salvage marked as lost always are.
  func entityVersions(
    upTo end: (sequence: UInt64, chain: UInt32), knowing known: EntityVersions?, acceptsLost: Bool
  ) throws(HistoryError) -> EntityVersions {
    var versions = EntityVersions()
    if let known, known.sequence <= end.sequence, known.sequence + 1 >= firstSequence,
      (try? chain(at: known.sequence)) == known.chain
    {
      versions = known
    }
    try forEachReadable(after: versions.sequence, upTo: end.sequence, acceptsLost: acceptsLost) { (event, fields) in
      Machine.Event.forEachEntity(in: fields) { versions.record($0, at: event.sequence) }
    }
    versions.advance(to: end.sequence, chain: end.chain)
    return versions
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
