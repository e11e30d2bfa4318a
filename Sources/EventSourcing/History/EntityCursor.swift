import Journal
import WireFormat

/// The events of one entity, oldest first, read as they are asked for.
///
/// ```swift
/// var events = try history.events(of: .room(3))
/// while let record = try events.next() { print(record.sequence) }
/// ```
public struct EntityCursor<Machine: Reducer>: ~Copyable {
  /// The first event of the history that is still there: earlier ones of the entity are gone.
  public let firstSequence: UInt64
  /// Whether no event of the entity is missing among those that were read: the history is there from its first event, and
  /// nothing was passed over that may be about the entity.
  public var isComplete: Bool { firstSequence == 1 && !events.hasSkipped }

  @usableFromInline let events: EntityReader
  @usableFromInline let sealing: Sealing?

  init(firstSequence: UInt64, sealing: Sealing?, _ events: EntityReader) {
    self.firstSequence = firstSequence
    self.sealing = sealing
    self.events = events
  }

  /// The next event; `nil` after the last one.
  ///
  /// - Throws: ``HistoryError/damaged(lastDerivable:_:)`` at an event of the entity that cannot be read, and at events that may be
  ///   the entity's, also where a salvage marked them as lost, unless ``History/goesBeyondDamage`` is on; ``HistoryError/sealing(_:)`` if the keys cannot be read now.
  @inlinable
  public mutating func next() throws(HistoryError) -> RecordedEvent<Machine.Event>? {
    guard let event = try events.next() else { return nil }
    let record = RecordedEvent<Machine.Event>(event)
    guard let sealing else {
      events.advance()
      return record
    }
    let opened = try record.opened(by: sealing)
    events.advance()
    return opened
  }
}

extension History {
  /// The events that are about an entity, as far as they are still there.
  ///
  /// Where the file `STREAMS` says which these are, only they are read; the rest of the journal is looked through. Both find the
  /// same. The history and its copies keep what they find out, so that later reads cost as much as the entity has events:
  /// <doc:Entities> says what that takes.
  ///
  /// - Parameter last: The last event that is wanted.
  /// - Throws: ``HistoryError/journal(_:)`` with `outOfRange` for a kind that ``EventTypes/keyed(_:by:)`` does not name.
  public func events(of entity: Entity, upTo last: UInt64 = .max) throws(HistoryError) -> EntityCursor<Machine> {
    try events(of: entity, upTo: last, openedBy: sealing)
  }

  /// The same with personal data left sealed.
  @usableFromInline
  func sealedEvents(of entity: Entity, upTo last: UInt64) throws(HistoryError) -> EntityCursor<Machine> {
    try events(of: entity, upTo: last, openedBy: nil)
  }

  private func events(
    of entity: Entity, upTo last: UInt64, openedBy sealing: Sealing?
  ) throws(HistoryError) -> EntityCursor<Machine> {
    try requireOwnDomain()
    let id = try HistoryError.translating(try Machine.Event.entityID(of: entity))
    return EntityCursor(
      firstSequence: firstSequence, sealing: sealing,
      EntityReader(entityIndex, id, upTo: min(last, .max - 1), goesBeyondDamage: goesBeyondDamage))
  }

  /// What the events that are about an entity add up to, as far as they are still there: the initial state with these events
  /// folded into it, and no others.
  ///
  /// - Parameter last: The last event that is wanted.
  /// - Throws: As ``events(of:upTo:)`` and ``EntityCursor/next()``, and for an event that must be understood and is not.
  @inlinable
  public func state(of entity: Entity, upTo last: UInt64 = .max) throws(HistoryError) -> EntityState<Machine.State> {
    var events = try sealedEvents(of: entity, upTo: last)
    var state = Machine.initialState
    var version: UInt64 = 0
    var count: UInt64 = 0
    while let record = try events.next() {
      (version, count) = (record.sequence, count + 1)
      if let event = record.event {
        Machine.reduce(
          into: &state, event, EventContext(sequence: record.sequence, moment: record.envelope.moment))
      } else if let obstacle = record.obstacle {
        throw obstacle
      }
    }
    try sealing?.open(&state, domain: Machine.Event.domain)
    return EntityState(
      state: state, version: version, eventCount: count, firstSequence: firstSequence,
      isComplete: events.isComplete)
  }
}
